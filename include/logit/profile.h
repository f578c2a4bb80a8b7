// Profile: what a built-in probe found out about one model, and what `auto` does with it.
//
// A few dozen easy items of each question type are answered by every way of reading that the model
// offers; the best way becomes the default for that type, and a type that no way answers better
// than chance is marked, so that replies can say so. A plain value; keep it beside the model's
// fingerprint, it never changes for equal weights.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "logit/backend.h"
#include "logit/types.h"

namespace logit {

// One way to read an answer: a readout in a frame.
struct Way {
  Readout readout = Readout::kText;  // never kAuto
  FrameKind frame = FrameKind::kPlain;
  bool operator==(const Way&) const = default;
};

struct WayResult {
  Way way;
  std::size_t n = 0;
  std::size_t n_right = 0;
  double log_loss = 0;    // mean, natural log, at temperature 1
  double label_mass = 0;  // mean; kLabel only
};

struct TypeProfile {
  QuestionType type = QuestionType::kChoice;
  Way best;
  double chance = 0;       // accuracy of guessing on the probe's items
  bool at_chance = false;  // no way was right often enough to rule out guessing (5 %, one-sided)
  std::vector<WayResult> results;
};

struct Profile {
  // Raised whenever the items, the prompts, how scores are made of them, or this struct's meaning
  // change.
  static constexpr int kVersion = 5;
  std::string fingerprint;         // of the model; a profile is refused by any other
  std::vector<TypeProfile> types;  // noul, choice, score
  std::vector<std::string> notes;  // one line each, for people

  const TypeProfile& of(QuestionType type) const;  // REQUIRES: made by probe() or load
};

// Progress of a long piece of work: done of total, in its own units.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

// Asks the built-in items. A few thousand tokens of evaluation. Errors: those of evaluate().
Result<Profile> probe(Backend& backend, const Progress& progress = {}, std::stop_token stop = {});

// JSON, version and fingerprint first. Loading refuses a newer version or damage with kFile.
std::string profile_json(const Profile& profile);
Result<Profile> parse_profile(std::string_view json);

}  // namespace logit
