// What can be said of a model file before the engine opens it.
#pragma once

#include <string>

#include "logit/result.h"

namespace logit {

// kModelLoad, naming the path, when the file is missing, a folder, empty, not a GGUF, one part of
// several, without weights, or a GGUF of something that is not a text model.
Result<Done> check_model_file(const std::string& path);

Error load_error(const std::string& path, const std::string& reason);

}  // namespace logit
