// Profiles on disk: what a model's probe found, one JSON file for each model's content.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "logit/profile.h"
#include "logit/result.h"
#include "terminal.h"

namespace logit::cli {

// `cache_dir` or, when it is empty, logit-classifier below $XDG_CACHE_HOME or ~/.cache; then
// profiles/. Empty when none of these is known.
std::filesystem::path profile_folder(const std::string& cache_dir, const Environment& environment);

// REQUIRES: folder not empty.
std::filesystem::path profile_file(const std::filesystem::path& folder,
                                   const std::string& fingerprint);

// Nothing when there is no file. Errors: kFile when it is there but cannot be used (unreadable,
// damaged, of another version or another model).
Result<std::optional<Profile>> load_profile(const std::filesystem::path& file,
                                            const std::string& fingerprint);

// Through a temporary file in the same folder, so that a reader sees the old file or the new one.
// Errors: kFile; the old file is unchanged then.
Result<Done> save_profile(const std::filesystem::path& file, const Profile& profile);

}  // namespace logit::cli
