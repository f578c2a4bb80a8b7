// Where a model file is found.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "logit/result.h"

namespace logit::cli {

struct ModelSearch {
  std::string wanted;                 // path or id; empty: the embedded default
  std::string models_dir;             // looked up first; may be empty
  std::filesystem::path program_dir;  // absolute; its models/ and ../share, then the source tree's
};

// The folders in which ids are looked up, in order, whether they exist or not.
std::vector<std::filesystem::path> model_folders(const ModelSearch& search);

// A file at the path `wanted`, or <id> or <id>.gguf in one of the folders, the first that exists.
// Errors: kModelLoad with the places that were looked at and what to do.
Result<std::string> find_model(const ModelSearch& search);

// The folder of the running program; empty when the system does not tell.
std::filesystem::path running_program_folder();

}  // namespace logit::cli
