// Says in plain words why a file is no model.
//
// Entry: check_model_file(). Tests: tests/llama/load_test.cpp.
#include "llama/model_file.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

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

// Empty when the head is a GGUF's.
std::string fault_of_head(std::string_view head) {
  if (head.starts_with("GGUF")) return {};
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

std::string fault_of_content(const gguf_context& file) {
  const std::string type = text_of(file, "general.type");
  const std::string architecture = text_of(file, "general.architecture");
  if (type == "mmproj" || architecture == "clip") {
    return "is a picture projector (mmproj), not a language model";
  }
  if (type == "adapter") return "is an adapter (LoRA), not a whole model";
  if (gguf_find_key(&file, "split.count") >= 0 &&
      gguf_get_val_u16(&file, gguf_find_key(&file, "split.count")) > 1) {
    return "is one part of several; join them (llama-gguf-split --merge)";
  }
  if (gguf_get_n_tensors(&file) == 0) return "has a vocabulary only, no weights";
  return {};
}

}  // namespace

Error load_error(const std::string& path, const std::string& reason) {
  return Error{ErrorCode::kModelLoad, "model file '" + path + "' " + reason, path};
}

Result<Done> check_model_file(const std::string& path) {
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
  const EngineComplaints complaints;
  const GgufHandle file(gguf_init_from_file(path.c_str(), {true, nullptr}));
  if (file == nullptr) return load_error(path, "is damaged or cut off: " + complaints.text());
  const std::string fault = fault_of_content(*file);
  if (!fault.empty()) return load_error(path, fault);
  return Done{};
}

}  // namespace logit
