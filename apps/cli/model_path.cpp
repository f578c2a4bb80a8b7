// Looks for the model file; entry: find_model. Tested by tests/cli/model_path_test.cpp.
#include "model_path.h"

#include <optional>
#include <system_error>

namespace logit::cli {
namespace {

namespace fs = std::filesystem;

// F16 is twice as fast and far less noisy than what it was made from; see docs/readout.md.
constexpr const char* kDefaultName = "SmolLM2-135M-Instruct-F16.gguf";
constexpr const char* kDefaultSource = "SmolLM2-135M-Instruct.Q4_1.gguf";

bool is_there(const fs::path& path) {
  std::error_code fault;
  return fs::exists(path, fault);
}

// Anything that can be opened and read; a folder cannot, a pipe may.
bool is_file(const fs::path& path) {
  std::error_code fault;
  return fs::exists(path, fault) && !fs::is_directory(path, fault);
}

// The folder above `folder` that is this project's source tree: build folders lie inside it.
std::optional<fs::path> source_tree(fs::path folder) {
  while (!folder.empty()) {
    if (is_there(folder / "include/logit/classifier.h")) return folder;
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  return std::nullopt;
}

Error not_found(const ModelSearch& search, const std::vector<fs::path>& folders) {
  const std::string what = search.wanted.empty() ? std::string(kDefaultName) : search.wanted;
  std::string places;
  if (!search.wanted.empty()) places = "as a path";
  for (const fs::path& folder : folders) {
    places += (places.empty() ? "in " : ", in ") + folder.string();
  }
  return {ErrorCode::kModelLoad,
          "model '" + what + "' was not found (looked for it " + places +
              "); give --model FILE, or run scripts/setup for the default model",
          "model",
          {}};
}

}  // namespace

std::vector<fs::path> model_folders(const ModelSearch& search) {
  std::vector<fs::path> folders;
  if (!search.models_dir.empty()) folders.emplace_back(search.models_dir);
  if (search.program_dir.empty()) return folders;
  folders.push_back(search.program_dir / "models");
  folders.push_back((search.program_dir / "../share/logit-classifier/models").lexically_normal());
  const std::optional<fs::path> tree = source_tree(search.program_dir);
  if (tree && *tree != search.program_dir) folders.push_back(*tree / "models");
  return folders;
}

Result<std::string> find_model(const ModelSearch& search) {
  if (!search.wanted.empty() && is_file(search.wanted)) return search.wanted;
  const std::vector<fs::path> folders = model_folders(search);
  std::vector<std::string> names = {kDefaultName, kDefaultSource};
  if (!search.wanted.empty()) names = {search.wanted, search.wanted + ".gguf"};
  // An absolute path is no id: appended to a folder it would be itself again.
  const bool is_id = !fs::path(search.wanted).is_absolute();
  for (const fs::path& folder : folders) {
    for (const std::string& name : names) {
      if (is_id && is_file(folder / name)) return (folder / name).string();
    }
  }
  // A folder in a model's place: the loader says what is wrong with it.
  if (!search.wanted.empty() && is_there(search.wanted)) return search.wanted;
  return not_found(search, folders);
}

fs::path running_program_folder() {
  std::error_code fault;
  const fs::path program = fs::read_symlink("/proc/self/exe", fault);
  return fault ? fs::path() : program.parent_path();
}

}  // namespace logit::cli
