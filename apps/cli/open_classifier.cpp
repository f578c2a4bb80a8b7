// Opens the model that settings name; entries: open_classifier, PriorSaver. Tested by
// tests/cli/program_test.sh.
#include "open_classifier.h"

#include <memory>
#include <optional>
#include <utility>

#include "load_calibration.h"
#include "logit/backend.h"
#include "logit/llama_backend.h"
#include "model_path.h"
#include "profile_store.h"
#include "progress.h"
#include "streams.h"

namespace logit::cli {
namespace {

// What the cache has; a file that cannot be used is told and counts as none.
std::optional<Profile> cached_profile(const std::filesystem::path& file,
                                      const std::string& fingerprint) {
  if (file.empty()) return std::nullopt;
  Result<std::optional<Profile>> profile = load_profile(file, fingerprint);
  if (profile) return *std::move(profile);
  warn("the model is probed again, because its profile " + profile.error().where +
       " cannot be used: " + profile.error().message);
  return std::nullopt;
}

void keep_profile(const std::filesystem::path& file, const Profile& profile) {
  if (file.empty()) {
    warn("the profile is not kept: no cache folder is known (--cache-dir, or HOME)");
    return;
  }
  Result<Done> saved = save_profile(file, profile);
  if (!saved) warn("the profile is not kept: " + saved.error().where + " " + saved.error().message);
}

// The contracts are checked together with the probe: the profile on disk is the receipt.
Result<Profile> new_profile(Backend& backend, const Context& context, std::stop_token stop) {
  Result<Done> verified = verify_backend(backend);
  if (!verified) return std::move(verified).error();
  ProgressBar bar("first use of " + backend.info().id + ", probing", context.err);
  return probe(
      backend, [&bar](std::size_t done, std::size_t total) { bar.update(done, total); }, stop);
}

std::vector<std::string> frame_names(const Backend& backend) {
  std::vector<std::string> names;
  for (const Frame& frame : backend.frames()) names.emplace_back(frame_kind_name(frame.kind));
  return names;
}

}  // namespace

Result<std::unique_ptr<Backend>> open_backend(const Settings& settings, const Context& context) {
  Result<std::string> path = find_model({settings.model, settings.models_dir, context.program_dir});
  if (!path) return std::move(path).error();
  if (const std::size_t n_cores = usable_cores(); settings.n_threads > n_cores) {
    warn(std::to_string(settings.n_threads) + " threads on " + std::to_string(n_cores) +
         " usable cores will be slow");
  }
  LlamaOptions options;
  options.path = *path;
  options.n_context = settings.n_context;
  options.n_threads = settings.n_threads;
  return open_llama_backend(options);
}

Result<Opened> open_classifier(const Settings& settings, const Context& context,
                               std::stop_token stop) {
  Result<std::unique_ptr<Backend>> backend = open_backend(settings, context);
  if (!backend) return std::move(backend).error();
  const std::string fingerprint = (*backend)->info().fingerprint;
  const std::filesystem::path folder = profile_folder(settings.cache_dir, context.environment);
  const std::filesystem::path file = folder.empty() ? folder : profile_file(folder, fingerprint);
  std::optional<Profile> profile = cached_profile(file, fingerprint);
  const bool is_probed_now = !profile;
  if (!profile) {
    Result<Profile> made = new_profile(**backend, context, stop);
    if (!made) return std::move(made).error();
    profile = *std::move(made);
    keep_profile(file, *profile);
  }
  const std::vector<std::string> frames = frame_names(**backend);
  ClassifierOptions options = settings.classifier;
  options.profile = std::move(profile);
  if (!settings.calibration.empty()) {
    Result<Calibration> calibration = load_calibration_for(fingerprint, settings.calibration);
    if (!calibration) return std::move(calibration).error();
    options.calibration = *std::move(calibration);
  }
  Result<Classifier> classifier = Classifier::create(*std::move(backend), std::move(options));
  if (!classifier) return std::move(classifier).error();
  std::vector<std::string> warnings = classifier->take_warnings();
  for (const std::string& warning : warnings) warn(warning);
  return Opened{*std::move(classifier), frames, file, is_probed_now, std::move(warnings)};
}

PriorSaver::~PriorSaver() {
  // The warnings tell of a failure.
  static_cast<void>(classifier_.save_prior());
  for (const std::string& warning : classifier_.take_warnings()) warn(warning);
}

}  // namespace logit::cli
