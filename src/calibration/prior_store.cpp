// Keeps a running prior in a file that several processes may share; entry: PriorStore. Tested by
// tests/calibration/prior_store_test.cpp.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "calibration/durable_file.h"
#include "logit/running_prior.h"

namespace logit {
namespace {

namespace fs = std::filesystem;

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[20];
  const std::size_t n = std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts);
  return {text, n};
}

// A place that nothing stands at.
fs::path free_name(const fs::path& path) {
  const std::string wanted = path.string() + ".corrupt-" + utc_now();
  fs::path name = wanted;
  std::error_code fault;
  for (int i = 2; fs::exists(name, fault); ++i) name = wanted + "-" + std::to_string(i);
  return name;
}

// The lock stands beside the file, because the file itself is replaced by every save.
Result<calibration::FileLock> lock(const fs::path& path) {
  fs::path name = path;
  name += ".lock";
  return calibration::FileLock::take(name);
}

std::string describe_damage(const fs::path& path, const Error& damage) {
  std::string text = path.string() + " is damaged";
  if (!damage.where.empty()) text += " (" + damage.where + ")";
  return text + ": " + damage.message;
}

std::string set_aside(const fs::path& path, const Error& damage) {
  const fs::path kept = free_name(path);
  const std::string warning = describe_damage(path, damage);
  if (std::rename(path.c_str(), kept.c_str()) != 0) {
    return warning + "; it could not be set aside: " + std::generic_category().message(errno);
  }
  return warning + "; it was set aside as " + kept.string() + ", and what it held is not used";
}

// Temporary files of processes that were killed while saving. REQUIRES: the lock is held, so that
// no other process is saving now.
void remove_left_behind(const fs::path& path) {
  const std::string start = path.filename().string() + ".tmp";
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code fault;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, fault)) {
    if (entry.path().filename().string().starts_with(start)) fs::remove(entry.path(), fault);
  }
}

// The lock of a file that can be replaced. Errors: kFile when it cannot; kBusy.
Result<calibration::FileLock> lock_to_write(const fs::path& path) {
  Result<Done> checked = calibration::check_replaceable(path);
  if (!checked) return std::move(checked).error();
  return lock(path);
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : "; ") + text;
  return all;
}

}  // namespace

void PriorStore::tell(std::string warning, std::vector<std::string>& warnings) {
  if (std::find(told_.begin(), told_.end(), warning) != told_.end()) return;
  told_.push_back(warning);
  warnings.push_back(std::move(warning));
}

// One failure of a kind until a save succeeds: a file that cannot be written now will rarely be
// writable a second later.
void PriorStore::tell_unsaved(const char* what, const Error& error,
                              std::vector<std::string>& warnings) {
  if (std::find(told_faults_.begin(), told_faults_.end(), error.code) != told_faults_.end()) return;
  told_faults_.push_back(error.code);
  warnings.push_back(what + error.where + " " + error.message);
}

// What the file holds for this model; empty where it holds nothing for it. Errors: kFile, kConfig,
// when the file must not be replaced. REQUIRES: for kSetAside the lock is held.
Result<RunningPrior> PriorStore::read(Damage damage, std::vector<std::string>& warnings) {
  Result<std::optional<std::string>> text = calibration::read_if_there(path_);
  if (!text) return std::move(text).error();
  if (!*text) return RunningPrior();
  Result<PriorFile> file = parse_prior(**text);
  if (!file && file.error().code == ErrorCode::kConfig) {
    Error error = std::move(file).error();
    error.where = path_.string();
    return error;
  }
  if (!file) {
    tell(damage == Damage::kSetAside
             ? set_aside(path_, file.error())
             : describe_damage(path_, file.error()) + "; what it held is not used",
         warnings);
    return RunningPrior();
  }
  if (file->fingerprint != fingerprint_ || file->prompts != prompts_) {
    tell(path_.string() + " was learned with another model or other prompts and is not used",
         warnings);
    return RunningPrior();
  }
  if (!file->dropped.empty()) {
    tell(path_.string() + ": these were not used: " + joined(file->dropped), warnings);
  }
  return std::move(file->prior);
}

PriorStore PriorStore::open(fs::path path, std::string fingerprint, int prompts,
                            std::vector<std::string>& warnings) {
  PriorStore store(std::move(path), std::move(fingerprint), prompts);
  if (store.path_.empty()) return store;
  const Result<calibration::FileLock> held = lock_to_write(store.path_);
  if (held) {
    remove_left_behind(store.path_);
  } else if (held.error().code != ErrorCode::kBusy) {
    store.tell_unsaved("what the running prior learns from now on is not kept: ", held.error(),
                       warnings);
  }
  // Without the lock, too: a file is replaced in one step, so that what is read is whole.
  Result<RunningPrior> known = store.read(held ? Damage::kSetAside : Damage::kLeave, warnings);
  if (known) {
    store.known_ = *std::move(known);
  } else {
    store.tell("the prior starts empty: " + known.error().where + " " + known.error().message,
               warnings);
  }
  return store;
}

void PriorStore::observe(QuestionType type, std::span<const double> shown_scores) {
  known_.observe(type, shown_scores);
  unsaved_.observe(type, shown_scores);
}

std::vector<double> PriorStore::correction(QuestionType type, std::size_t width) const {
  return known_.correction(type, width);
}

Result<Done> PriorStore::save(std::vector<std::string>& warnings) {
  if (path_.empty() || !has_unsaved()) return Done{};
  Result<Done> saved = merge_into_file(warnings);
  if (saved) {
    told_faults_.clear();
  } else {
    tell_unsaved("the running prior is not saved: ", saved.error(), warnings);
  }
  return saved;
}

Result<Done> PriorStore::merge_into_file(std::vector<std::string>& warnings) {
  Result<calibration::FileLock> held = lock(path_);
  if (!held) return std::move(held).error();
  Result<RunningPrior> merged = read(Damage::kSetAside, warnings);
  if (!merged) return std::move(merged).error();
  merged->add(unsaved_);
  const PriorFile file{fingerprint_, prompts_, *merged, {}};
  Result<Done> replaced = calibration::replace_file(path_, prior_json(file) + "\n");
  if (!replaced) return replaced;
  known_ = *std::move(merged);
  unsaved_.clear();
  return Done{};
}

}  // namespace logit
