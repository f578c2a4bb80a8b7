// Which readout and frame a question gets. Entries: choose_way, most_listed.
// Tested by tests/pipeline/choose_way_test.cpp.
#include <algorithm>

#include "pipeline/defaults.h"
#include "pipeline/stages.h"

namespace logit::pipeline {
namespace {

bool has_frame(const Backend& backend, FrameKind kind) {
  const auto frames = backend.frames();
  return std::any_of(frames.begin(), frames.end(),
                     [&](const Frame& frame) { return frame.kind == kind; });
}

bool is_better(const WayResult& a, const WayResult& b) {
  return a.n_right != b.n_right ? a.n_right > b.n_right : a.log_loss < b.log_loss;
}

// Of the ways in which the readout was tried; null when there is none.
const WayResult* best_result(const TypeProfile& type, Readout readout) {
  const WayResult* best = nullptr;
  for (const WayResult& result : type.results) {
    if (result.way.readout != readout) continue;
    if (best == nullptr || is_better(result, *best)) best = &result;
  }
  return best;
}

// The frame in which the probe found the readout best; plain where it was not tried.
FrameKind best_frame(const TypeProfile& type, Readout readout) {
  if (type.best.readout == readout) return type.best.frame;
  const WayResult* best = best_result(type, readout);
  return best == nullptr ? FrameKind::kPlain : best->way.frame;
}

// The readout for more candidates than letters bind: where some do, the leaders by their texts are
// listed, and the state is weighed under them (docs/measurements.md).
Readout of_many(const TypeProfile& type) {
  return uses_labels(type.best.readout) ? Readout::kLabelText : type.best.readout;
}

}  // namespace

std::size_t most_listed(const Backend& backend) {
  return std::min(kMostLabelOptions, backend.info().labels.size());
}

Result<Way> choose_way(const Question& question, const Backend& backend,
                       const ClassifierOptions& options, const Profile& profile) {
  const TypeProfile& type = profile.of(question.type);
  const std::size_t n = candidate_count(question);
  Way way = type.best;
  if (options.readout != Readout::kAuto) {
    way.readout = options.readout;
  } else if (n > most_listed(backend)) {
    way.readout = of_many(type);
  }
  way.frame = options.frame ? *options.frame : best_frame(type, way.readout);
  if (!has_frame(backend, way.frame)) {
    return Error{ErrorCode::kConfig,
                 std::string("the model has no ") + frame_kind_name(way.frame) + " frame", "frame"};
  }
  if (uses_labels(way.readout) && backend.info().labels.size() < std::min<std::size_t>(n, 2)) {
    return Error{ErrorCode::kConfig,
                 "the label readout finds no two labels on this model; use the text readout",
                 "questions." + question.id};
  }
  return way;
}

}  // namespace logit::pipeline
