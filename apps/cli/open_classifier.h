// From settings to a Classifier: find the model, load it, get its profile.
#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "command.h"
#include "logit/backend.h"
#include "logit/classifier.h"
#include "logit/result.h"
#include "settings.h"

namespace logit::cli {

struct Opened {
  Classifier classifier;
  std::vector<std::string> frames;     // names of those the model can be spoken to in
  std::filesystem::path profile_file;  // empty: there is no cache folder
  bool is_probed_now = false;          // the profile was made by this call, not read
  std::vector<std::string> warnings;   // of the running prior's file; they were printed
};

// Saves what the running prior has learned when it goes, however a command ends; a failure is a
// warning on standard error, unless it was told before. REQUIRES: `classifier` outlives it.
class PriorSaver {
 public:
  explicit PriorSaver(Classifier& classifier) : classifier_(classifier) {}
  ~PriorSaver();
  PriorSaver(const PriorSaver&) = delete;
  PriorSaver& operator=(const PriorSaver&) = delete;

 private:
  Classifier& classifier_;
};

// The model that settings name, as it is. Errors: those of find_model and open_llama_backend.
Result<std::unique_ptr<Backend>> open_backend(const Settings& settings, const Context& context);

// A model that was never seen here is verified and probed first, with a bar on standard error; the
// profile is kept for the next call. A cache that cannot be read or written costs a warning only.
// Errors: those of find_model, open_llama_backend, verify_backend, probe and Classifier::create.
Result<Opened> open_classifier(const Settings& settings, const Context& context,
                               std::stop_token stop);

}  // namespace logit::cli
