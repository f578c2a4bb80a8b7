// Keeps profiles in the user's cache folder; entry: load_profile. Tested by
// tests/cli/profile_store_test.cpp.
#include "profile_store.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "eval/read_file.h"
#include "eval/write_file.h"

namespace logit::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestProfile = std::size_t{1} << 20;

Error file_error(const fs::path& file, const std::string& message) {
  return {ErrorCode::kFile, message, file.string(), {}};
}

}  // namespace

fs::path profile_folder(const std::string& cache_dir, const Environment& environment) {
  if (!cache_dir.empty()) return fs::path(cache_dir) / "profiles";
  const fs::path xdg = environment("XDG_CACHE_HOME").value_or("");
  // The XDG rules say that a relative path is to be ignored.
  if (xdg.is_absolute()) return xdg / "logit-classifier/profiles";
  const fs::path home = environment("HOME").value_or("");
  return home.empty() ? fs::path() : home / ".cache/logit-classifier/profiles";
}

fs::path profile_file(const fs::path& folder, const std::string& fingerprint) {
  std::string name = fingerprint;
  std::replace(name.begin(), name.end(), '/', '_');
  return folder / (name + ".json");
}

Result<std::optional<Profile>> load_profile(const fs::path& file, const std::string& fingerprint) {
  std::error_code fault;
  if (!fs::exists(file, fault) && !fault) return std::optional<Profile>();
  Result<std::string> text = eval::read_file(file.string(), kLargestProfile);
  if (!text) return file_error(file, text.error().message);
  Result<Profile> profile = parse_profile(*text);
  if (!profile) return file_error(file, profile.error().message);
  if (profile->fingerprint != fingerprint) return file_error(file, "belongs to another model");
  return std::optional<Profile>(*std::move(profile));
}

Result<Done> save_profile(const fs::path& file, const Profile& profile) {
  std::error_code fault;
  fs::create_directories(file.parent_path(), fault);
  if (fault) return file_error(file.parent_path(), "cannot be made: " + fault.message());
  return eval::write_file(file.string(), profile_json(profile) + "\n");
}

}  // namespace logit::cli
