// RunningPrior: what a model gives each place in a list of candidates, learned from traffic.
//
// A model that likes the first label gives it more than its share over many requests. The mean
// share of each place, by kind of question and width ("choice:4"), is what is subtracted. It
// learns content too: where most states have one right answer it pushes that answer away, so the
// correction is capped. Answers then depend on what was asked before; docs/readout.md says when
// that is worth it. Places are those shown to the model, not the caller's order, so that the
// answer does not depend on how a client sorts. Never together with a user's calibration, whose
// maps were fitted without it; what the library knows of a model (shipped_calibration) is applied,
// where it is a temperature and nothing else.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logit/result.h"
#include "logit/types.h"

namespace logit {

// A plain value. Not thread-safe.
class RunningPrior {
 public:
  static constexpr std::size_t kLeastObservations = 32;
  static constexpr double kSmoothing = 0.1;  // share of a uniform answer mixed into the mean
  static constexpr double kMostNats = 1;     // either way, of a correction
  static constexpr std::size_t kMostCount = std::size_t{1} << 40;  // then a bucket is full

  struct Bucket {
    std::size_t count = 0;
    std::vector<double> sum;  // of probabilities, one a place
    bool operator==(const Bucket&) const = default;
  };
  using Key = std::pair<QuestionType, std::size_t>;  // kind and width

  // Learns from one answer: the candidates' scores before any correction, in the order shown; a
  // listed "none of these" is no candidate. The caller leaves out answers that were flagged,
  // failed or cancelled. One candidate teaches nothing. REQUIRES: scores finite.
  void observe(QuestionType type, std::span<const double> shown_scores);

  // What to subtract, one nat value a place, its mean near 0: the log of the smoothed mean,
  // centred and capped. Empty below kLeastObservations.
  std::vector<double> correction(QuestionType type, std::size_t width) const;

  // Adds the observations of both. REQUIRES: buckets of one key have one width.
  void add(const RunningPrior& other);

  const std::map<Key, Bucket>& buckets() const { return buckets_; }
  void put(const Key& key, Bucket bucket);  // REQUIRES: bucket.sum.size() == key.second
  void clear() { buckets_.clear(); }

 private:
  std::map<Key, Bucket> buckets_;
};

// JSON, described in docs/formats.md.
struct PriorFile {
  static constexpr int kVersion = 1;
  std::string fingerprint{};
  int prompts = 0;
  RunningPrior prior{};
  std::vector<std::string> dropped{};  // buckets that make no sense, each with its reason
};
std::string prior_json(const PriorFile& file);
// Errors: kFile for damage; kConfig for a file of another version, which is not to be replaced.
Result<PriorFile> parse_prior(std::string_view json);

// A running prior and its file. Several processes may share the file: each adds what it saw since
// its last save to what is there. Without a path it lives in memory. Not thread-safe.
class PriorStore {
 public:
  // Never fails: a file that cannot be used is told of in `warnings` and the prior starts empty.
  // A damaged file is set aside as <path>.corrupt-<UTC time>; one of another model or of other
  // prompts is left until the first save replaces it; one of another version is never written.
  // One that can be read but not written is used; that what is learned is not kept is told.
  static PriorStore open(std::filesystem::path path, std::string fingerprint, int prompts,
                         std::vector<std::string>& warnings);

  void observe(QuestionType type, std::span<const double> shown_scores);
  std::vector<double> correction(QuestionType type, std::size_t width) const;
  const RunningPrior& prior() const { return known_; }
  bool has_unsaved() const { return !unsaved_.buckets().empty(); }

  // Merges into the file and takes over what others have added. Nothing to save is no error.
  // `warnings` gets what was set aside or dropped on the way and why a save failed, if it was not
  // told before. Errors: kFile, kBusy, kConfig (a file of another version); the file is as it was,
  // and what was not saved is kept for the next save.
  Result<Done> save(std::vector<std::string>& warnings);

 private:
  PriorStore(std::filesystem::path path, std::string fingerprint, int prompts)
      : path_(std::move(path)), fingerprint_(std::move(fingerprint)), prompts_(prompts) {}

  enum class Damage : unsigned char { kSetAside, kLeave };

  Result<RunningPrior> read(Damage damage, std::vector<std::string>& warnings);
  Result<Done> merge_into_file(std::vector<std::string>& warnings);
  void tell(std::string warning, std::vector<std::string>& warnings);
  void tell_unsaved(const char* what, const Error& error, std::vector<std::string>& warnings);

  std::filesystem::path path_;
  std::string fingerprint_{};
  int prompts_ = 0;
  RunningPrior known_{};    // the file's and the unsaved
  RunningPrior unsaved_{};  // since the last save
  std::vector<std::string> told_{};
  std::vector<ErrorCode> told_faults_{};  // of writing, since the last save that succeeded
};

}  // namespace logit
