// Runs the calls of a Layout and turns rows of logits into log-probabilities.
//
// Entry: Session::evaluate(). Tests: tests/llama/contract_test.cpp, session_test.cpp.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "llama/limits.h"
#include "llama/log_softmax.h"
#include "llama/session.h"

namespace logit {
namespace {

Error run_error(const std::string& what) { return Error{ErrorCode::kModelRun, what}; }

Error cancelled() { return Error{ErrorCode::kCancelled, "the evaluation was cancelled"}; }

std::size_t longest_path(const TokenTree& tree) {
  std::vector<std::size_t> lengths(tree.nodes.size());
  std::size_t longest = 0;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const TokenTree::Node& node = tree.nodes[i];
    const std::size_t above = node.parent == TokenTree::kNoParent ? 0 : lengths[node.parent];
    lengths[i] = above + node.n_tokens;
    longest = std::max(longest, lengths[i]);
  }
  return longest;
}

bool stop_requested(void* stop) { return static_cast<std::stop_token*>(stop)->stop_requested(); }

// Lets a stop end the call that is running, not only the ones after it.
class AbortScope {
 public:
  AbortScope(llama_context* context, std::stop_token& stop) : context_(context) {
    if (stop.stop_possible()) llama_set_abort_callback(context_, stop_requested, &stop);
  }
  ~AbortScope() { llama_set_abort_callback(context_, nullptr, nullptr); }
  AbortScope(const AbortScope&) = delete;
  AbortScope& operator=(const AbortScope&) = delete;

 private:
  llama_context* context_;
};

// The arrays of one llama_batch. The ids of a row are consecutive numbers, so every row points
// into the same list.
class Batch {
 public:
  Batch() { std::iota(ids_.begin(), ids_.end(), 0); }

  void fill(std::span<const LayoutRow> rows) {
    clear();
    for (const LayoutRow& row : rows) add(row);
  }

  void add(const LayoutRow& row) {
    tokens_.push_back(row.token);
    positions_.push_back(static_cast<llama_pos>(row.position));
    n_ids_.push_back(row.last_id - row.first_id + 1);
    first_ids_.push_back(&ids_[row.first_id]);
    is_output_.push_back(row.n_reads > 0 ? 1 : 0);
  }

  // Valid until the next change.
  llama_batch view() {
    return {static_cast<std::int32_t>(tokens_.size()),
            tokens_.data(),
            nullptr,
            positions_.data(),
            n_ids_.data(),
            first_ids_.data(),
            is_output_.data()};
  }

 private:
  void clear() {
    tokens_.clear();
    positions_.clear();
    n_ids_.clear();
    first_ids_.clear();
    is_output_.clear();
  }

  std::array<llama_seq_id, 256> ids_{};
  std::vector<llama_token> tokens_;
  std::vector<llama_pos> positions_;
  std::vector<std::int32_t> n_ids_;
  std::vector<llama_seq_id*> first_ids_;
  std::vector<std::int8_t> is_output_;
};

LayoutRow filler_of(LayoutRow row, std::uint16_t id) {
  row.first_id = row.last_id = id;
  row.n_reads = 0;
  return row;
}

}  // namespace

struct Session::Run {
  const TokenTree& tree;
  const Layout& layout;
  std::span<double> out;
  std::stop_token& stop;
  EvaluateStats stats;
  Batch batch;
};

Result<EvaluateStats> Session::evaluate(const TokenTree& tree, std::span<double> out,
                                        std::stop_token stop) {
  if (const std::size_t n = longest_path(tree); n > options_.n_context) {
    return Error{ErrorCode::kTooLong, "the prompt needs " + std::to_string(n) +
                                          " tokens and the context has " +
                                          std::to_string(options_.n_context)};
  }
  const Layout layout = lay_out(tree, limits_);
  if (layout.n_cells > n_cells_) {
    const std::size_t most = options_.n_context + kSpareCells;
    const std::size_t wanted = std::max(layout.n_cells, std::min(2 * n_cells_, most));
    if (Result<Done> grown = resize(wanted); !grown) return std::move(grown).error();
  }
  const AbortScope abort(context_.get(), stop);
  Run run{tree, layout, out, stop, {}, {}};
  for (const LayoutJob& job : layout.jobs) {
    if (Result<Done> done = run_job(run, job); !done) {
      clear();
      return std::move(done).error();
    }
  }
  return run.stats;
}

Result<Done> Session::run_job(Run& run, const LayoutJob& job) {
  const std::span<const Token> tokens = run.tree.tokens_of(job.root);
  const Tokens root(tokens.begin(), tokens.end());
  const std::span calls = std::span(run.layout.calls).subspan(job.first_call, job.n_calls);
  if (job.root_is_read || !resident_ || resident_->root != root) {
    save_resident();
    clear();
    if (job.root_is_read || !restore(root)) {
      for (const LayoutCall& call : calls.first(job.n_root_calls)) {
        if (Result<Done> done = run_call(run, call); !done) return done;
      }
    } else {
      run.stats.reused_tokens += root.size();
    }
    resident_ = Resident{root, 0};
  } else {
    run.stats.reused_tokens += root.size();
  }
  for (const LayoutCall& call : calls.subspan(job.n_root_calls)) {
    attach(call.n_ids);
    if (Result<Done> done = run_call(run, call); !done) return done;
  }
  return Done{};
}

Result<Done> Session::run_call(Run& run, const LayoutCall& call) {
  if (run.stop.stop_requested()) return cancelled();
  copy(call);
  if (Result<Done> done = decode(run, call); !done) return done;
  if (Result<Done> done = read_outputs(run, call); !done) return done;
  return take_away(call);
}

Result<Done> Session::decode(Run& run, const LayoutCall& call) {
  const auto rows = std::span(run.layout.rows).subspan(call.first_row, call.n_rows);
  run.batch.fill(rows);
  if (call.filler_id != 0) run.batch.add(filler_of(rows.front(), call.filler_id));
  const int rc = llama_decode(context_.get(), run.batch.view());
  if (rc != 0 && run.stop.stop_requested()) return cancelled();
  if (rc != 0) return run_error("the engine failed (llama_decode: " + std::to_string(rc) + ")");
  ++run.stats.passes;
  run.stats.evaluated_tokens += rows.size();
  return Done{};
}

Result<Done> Session::read_outputs(Run& run, const LayoutCall& call) {
  for (std::uint32_t i = 0; i < call.n_rows; ++i) {
    const LayoutRow& row = run.layout.rows[call.first_row + i];
    if (row.n_reads == 0) continue;
    const float* logits = llama_get_logits_ith(context_.get(), static_cast<std::int32_t>(i));
    if (logits == nullptr) return run_error("the engine gave no logits for a row");
    const double denominator = log_sum_exp({logits, n_vocab_});
    if (!std::isfinite(denominator)) return run_error("the model gave a number that is not finite");
    for (std::uint32_t r = row.first_read; r < row.first_read + row.n_reads; ++r) {
      const TokenTree::Read& read = run.tree.reads[run.layout.reads[r]];
      for (std::size_t k = read.first_id; k < read.first_id + read.n_ids; ++k) {
        run.out[k] = double{logits[run.tree.ids[k]]} - denominator;
      }
    }
  }
  return Done{};
}

}  // namespace logit
