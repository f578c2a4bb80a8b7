// What can be said of a model file before the engine opens it.
#pragma once

#include <string>
#include <vector>

#include "logit/result.h"

namespace logit {

// The files of the model: `path`, and when it is the first part of several, the others behind it.
// Errors: kModelLoad, naming the path, when a file is missing, a folder, empty, not a GGUF or a
// newer one, a later part, without weights, or a GGUF of something that is not a text model.
Result<std::vector<std::string>> check_model_file(const std::string& path);

Error load_error(const std::string& path, const std::string& reason);

}  // namespace logit
