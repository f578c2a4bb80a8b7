// Looks at the paths of a command's files; entry: check_outputs. Tested by
// tests/cli/check_outputs_test.cpp.
#include "check_outputs.h"

#include <filesystem>
#include <system_error>

#include "eval/write_file.h"

namespace logit::cli {
namespace {

// Links and dots resolved as far as the path exists.
std::filesystem::path resolved(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path absolute = std::filesystem::absolute(path, ignored);
  std::filesystem::path found = std::filesystem::weakly_canonical(absolute, ignored);
  return found.empty() ? absolute : found;
}

bool are_one_file(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && resolved(a) == resolved(b);
}

Result<Done> check_apart(const NamedPath& output, const std::vector<NamedPath>& others) {
  for (const NamedPath& other : others) {
    if (!are_one_file(output.path, other.path)) continue;
    return Error{ErrorCode::kConfig,
                 output.path + " is the file of " + other.flag + ", too, and would be overwritten",
                 output.flag,
                 {}};
  }
  return Done{};
}

}  // namespace

Result<Done> check_outputs(const std::vector<NamedPath>& outputs,
                           const std::vector<NamedPath>& inputs) {
  std::vector<NamedPath> taken = inputs;
  for (const NamedPath& output : outputs) {
    if (output.path.empty()) continue;
    Result<Done> checked = check_apart(output, taken);
    if (checked) checked = eval::check_writable(output.path);
    if (!checked) return checked;
    taken.push_back(output);
  }
  return Done{};
}

}  // namespace logit::cli
