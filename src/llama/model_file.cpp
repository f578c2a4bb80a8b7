// Says in plain words why a file is no model.
//
// Entry: check_model_file(). Tests: tests/llama/load_test.cpp.
#include "llama/model_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <unordered_set>

#include "llama/engine_log.h"
#include "llama/handles.h"

namespace logit {
namespace {

std::string head_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 64> head{};
  file.read(head.data(), head.size());
  return {head.data(), static_cast<std::size_t>(file.gcount())};
}

// Four bytes, the least first, as GGUF writes them.
std::uint32_t number_at(std::string_view head, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 4; i-- > 0;) {
    number = number << 8U | static_cast<unsigned char>(head[at + i]);
  }
  return number;
}

std::string fault_of_version(std::string_view head) {
  if (head.size() < 8) return {};
  const std::uint32_t version = number_at(head, 4);
  if (version <= GGUF_VERSION) return {};
  if ((version & 0xFFFFU) == 0) return "was written for a machine with the other byte order";
  return "is of GGUF version " + std::to_string(version) + ", and this program reads up to " +
         std::to_string(GGUF_VERSION) + ": use a newer one";
}

// Empty when the head is a GGUF's.
std::string fault_of_head(std::string_view head) {
  if (head.starts_with("GGUF")) return fault_of_version(head);
  const std::size_t text = head.find_first_not_of(" \t\r\n");
  if (text != head.npos && head[text] == '<') return "is a web page, not a GGUF model";
  if (head.starts_with("version https://git-lfs")) {
    return "is a Git LFS pointer; fetch the file itself (git lfs pull)";
  }
  if (head.starts_with("PK")) return "is an archive, not a GGUF model";
  return "is not a GGUF model";
}

std::string text_of(const gguf_context& file, const char* key) {
  const std::int64_t id = gguf_find_key(&file, key);
  if (id < 0 || gguf_get_kv_type(&file, id) != GGUF_TYPE_STRING) return {};
  return gguf_get_val_str(&file, id);
}

// A text that two tokens have, or an empty string: the engine ends the process over it.
std::string twice_spelled(const gguf_context& file) {
  const std::int64_t id = gguf_find_key(&file, "tokenizer.ggml.tokens");
  if (id < 0 || gguf_get_kv_type(&file, id) != GGUF_TYPE_ARRAY ||
      gguf_get_arr_type(&file, id) != GGUF_TYPE_STRING ||
      text_of(file, "tokenizer.ggml.model") == "hybriddna") {  // whose words it tells apart itself
    return {};
  }
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < gguf_get_arr_n(&file, id); ++i) {
    const std::string_view text = gguf_get_arr_str(&file, id, i);
    if (!text.empty() && !seen.insert(text).second) return std::string(text);
  }
  return {};
}

std::string fault_of_content(const gguf_context& file) {
  const std::string type = text_of(file, "general.type");
  const std::string architecture = text_of(file, "general.architecture");
  if (type == "mmproj" || architecture == "clip") {
    return "is a picture projector (mmproj), not a language model";
  }
  if (type == "adapter") return "is an adapter (LoRA), not a whole model";
  if (const std::string text = twice_spelled(file); !text.empty()) {
    return "has two tokens spelled '" + text + "'";
  }
  return {};
}

// Of which the file has number `no`, counted from 0; 1 of a whole model.
struct Split {
  int no = 0;
  int count = 1;
};

int number_of(const gguf_context& file, const char* key, int fallback) {
  const std::int64_t id = gguf_find_key(&file, key);
  if (id < 0 || gguf_get_kv_type(&file, id) != GGUF_TYPE_UINT16) return fallback;
  return gguf_get_val_u16(&file, id);
}

// The path of another part beside this one; empty when this one's name does not follow the rule
// "name-00001-of-00003.gguf", by which the engine finds them.
std::string part_beside(const std::string& path, const Split& split, int no) {
  std::string prefix(path.size() + 1, '\0');
  const std::int32_t n =
      llama_split_prefix(prefix.data(), prefix.size(), path.c_str(), split.no, split.count);
  if (n <= 0) return {};
  prefix.resize(static_cast<std::size_t>(n));
  std::string part(path.size() + 32, '\0');
  const std::int32_t size =
      llama_split_path(part.data(), part.size(), prefix.c_str(), no, split.count);
  part.resize(static_cast<std::size_t>(std::max(size, 0)));
  return part;
}

Error not_the_first(const std::string& path, const Split& split) {
  const std::string first = part_beside(path, split, 0);
  return load_error(path, "is part " + std::to_string(split.no + 1) + " of " +
                              std::to_string(split.count) + "; give the first part" +
                              (first.empty() ? "" : ", '" + first + "'"));
}

Result<Done> check_head(const std::string& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return load_error(path, "does not exist");
  if (std::filesystem::is_directory(path, code)) {
    return load_error(path, "is a folder; name the .gguf file in it");
  }
  const std::string head = head_of(path);
  if (head.empty()) return load_error(path, "is empty or cannot be read");
  if (const std::string fault = fault_of_head(head); !fault.empty()) {
    return load_error(path, fault);
  }
  return Done{};
}

Result<std::vector<std::string>> parts_of(const std::string& path, const Split& split) {
  std::vector<std::string> parts{path};
  for (int no = 1; no < split.count; ++no) {
    std::string part = part_beside(path, split, no);
    const std::string first = "is the first of " + std::to_string(split.count) + " parts";
    if (part.empty()) return load_error(path, first + " and must end in -00001-of-0000N.gguf");
    if (Result<Done> ok = check_head(part); !ok) {
      return load_error(path, first + ": " + ok.error().message);
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

Error load_error(const std::string& path, const std::string& reason) {
  return Error{ErrorCode::kModelLoad, "model file '" + path + "' " + reason, path};
}

Result<std::vector<std::string>> check_model_file(const std::string& path) {
  if (Result<Done> ok = check_head(path); !ok) return std::move(ok).error();
  const EngineComplaints complaints;
  const GgufHandle file(gguf_init_from_file(path.c_str(), {true, nullptr}));
  if (file == nullptr) return load_error(path, "is damaged or cut off: " + complaints.text());
  const Split split{number_of(*file, "split.no", 0), number_of(*file, "split.count", 1)};
  if (split.no > 0) return not_the_first(path, split);
  if (std::string fault = fault_of_content(*file); !fault.empty()) return load_error(path, fault);
  if (split.count <= 1 && gguf_get_n_tensors(file.get()) == 0) {  // a first part may have none
    return load_error(path, "has a vocabulary only, no weights");
  }
  return parts_of(path, split);
}

}  // namespace logit
