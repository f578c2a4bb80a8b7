// Writes a model with other weights.
//
// Entry: convert_model(). Tests: tests/llama/load_test.cpp.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "llama/engine_log.h"
#include "llama/handles.h"
#include "llama/machine.h"
#include "llama/model_file.h"
#include "logit/llama_backend.h"

namespace logit {
namespace {

struct WeightType {
  std::string_view name;
  llama_ftype type;
};

constexpr std::array<WeightType, 7> kTypes = {{{"f16", LLAMA_FTYPE_MOSTLY_F16},
                                               {"q8_0", LLAMA_FTYPE_MOSTLY_Q8_0},
                                               {"q4_0", LLAMA_FTYPE_MOSTLY_Q4_0},
                                               {"q4_1", LLAMA_FTYPE_MOSTLY_Q4_1},
                                               {"q4_k_m", LLAMA_FTYPE_MOSTLY_Q4_K_M},
                                               {"q5_k_m", LLAMA_FTYPE_MOSTLY_Q5_K_M},
                                               {"q6_k", LLAMA_FTYPE_MOSTLY_Q6_K}}};

// Removes the file at the end unless it was given its final name.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target)
      : path_(target + ".partial-" + std::to_string(getpid())) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

  Result<Done> rename_to(const std::string& target) const {
    if (!sync()) return Error{ErrorCode::kFile, "cannot write the file to disk", target};
    std::error_code code;
    std::filesystem::rename(path_, target, code);
    if (code) return Error{ErrorCode::kFile, "cannot write the file: " + code.message(), target};
    return Done{};
  }

 private:
  bool sync() const {
    const int file = open(path_.c_str(), O_RDONLY);
    if (file < 0) return false;
    const bool synced = fsync(file) == 0;
    close(file);
    return synced;
  }

  std::string path_;
};

// The engine would end the process on a file that it cannot open for writing.
Result<Done> check_writable(const std::string& path, const std::string& target) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return Error{ErrorCode::kFile, "cannot create a file beside it", target};
  close(file);
  return Done{};
}

}  // namespace

Result<Done> convert_model(const std::string& in, const std::string& out, const std::string& type,
                           std::size_t n_threads) {
  const auto* const found = std::ranges::find(kTypes, type, &WeightType::name);
  if (found == kTypes.end()) {
    return Error{ErrorCode::kConfig, "unknown weight type '" + type + "'", "type"};
  }
  if (Result<Done> ok = check_processor(); !ok) return ok;
  start_engine();
  if (auto parts = check_model_file(in); !parts) return std::move(parts).error();
  const TemporaryFile temporary(out);
  if (Result<Done> ok = check_writable(temporary.path(), out); !ok) return ok;

  llama_model_quantize_params params = llama_model_quantize_default_params();
  params.nthread = static_cast<std::int32_t>(n_threads != 0 ? n_threads : usable_cores());
  params.ftype = found->type;
  params.allow_requantize = true;
  const EngineComplaints complaints;
  if (llama_model_quantize(in.c_str(), temporary.path().c_str(), &params) != 0) {
    return load_error(in, "cannot be converted: " + complaints.text());
  }
  return temporary.rename_to(out);
}

}  // namespace logit
