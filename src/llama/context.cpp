// Makes, sizes, clears and refills the context of a Session.
//
// Entry: Session::open(). Tests: tests/llama/session_test.cpp.
#include <algorithm>
#include <array>
#include <string>

#include "llama/engine_log.h"
#include "llama/limits.h"
#include "llama/session.h"

namespace logit {
namespace {

std::size_t vocabulary_size(const llama_model& model) {
  return static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(&model)));
}

// llama.cpp reserves a row of output for each sequence id, so there are no more of them than rows.
LayoutLimits limits_for(const llama_model& model) {
  LayoutLimits limits;
  const bool has_states = llama_model_is_recurrent(&model) || llama_model_is_hybrid(&model);
  if (has_states) limits.memory = MemoryKind::kStates;
  limits.n_rows = kMaxRows;
  limits.n_outputs = outputs_per_call(vocabulary_size(model));
  const std::size_t n_ids =
      has_states ? kMaxStates : std::min(limits.n_outputs, llama_max_parallel_sequences());
  limits.n_leaves = n_ids - 2;
  return limits;
}

llama_context_params context_params(std::size_t n_cells, const LayoutLimits& limits,
                                    std::size_t n_threads) {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = static_cast<std::uint32_t>(n_cells);
  params.n_batch = kMaxRows;
  params.n_ubatch = kMaxRows;  // one call is one graph: no cuts but the layout's
  params.n_seq_max = static_cast<std::uint32_t>(limits.n_ids());
  params.n_outputs_max = static_cast<std::uint32_t>(limits.n_outputs);
  params.n_threads = static_cast<std::int32_t>(n_threads);
  params.n_threads_batch = params.n_threads;
  params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_ENABLED;
  params.type_k = GGML_TYPE_F16;
  params.type_v = GGML_TYPE_F16;
  params.kv_unified = true;  // ids share cells: attaching a leaf to a root copies nothing
  params.swa_full = true;    // a smaller window cache never frees cells that leaves share
  params.no_perf = true;
  return params;
}

}  // namespace

Session::Session(llama_model& model, const SessionOptions& options)
    : model_(model),
      options_(options),
      n_vocab_(vocabulary_size(model)),
      limits_(limits_for(model)),
      cache_(options.cache_bytes) {}

Result<std::unique_ptr<Session>> Session::open(llama_model& model, const SessionOptions& options) {
  std::unique_ptr<Session> session(new Session(model, options));
  if (Result<Done> made = session->resize(kFirstCells); !made) return std::move(made).error();
  if (Result<Done> warm = session->warm_up(); !warm) return std::move(warm).error();
  return session;
}

// Attaching and removing ids walk over all cells, so a context starts small and grows on demand;
// its size changes no bits.
Result<Done> Session::resize(std::size_t n_cells) {
  const std::size_t rounded = (n_cells + kCellStep - 1) / kCellStep * kCellStep;
  save_resident();
  resident_.reset();
  context_.reset();
  n_cells_ = 0;
  const EngineComplaints complaints;
  context_.reset(
      llama_init_from_model(&model_, context_params(rounded, limits_, options_.n_threads)));
  if (context_ == nullptr) {
    return Error{ErrorCode::kModelRun, "no context of " + std::to_string(rounded) +
                                           " tokens could be made: " + complaints.text()};
  }
  n_cells_ = rounded;
  return Done{};
}

void Session::clear() {
  resident_.reset();
  if (context_ != nullptr) llama_memory_clear(llama_get_memory(context_.get()), false);
}

// Keeps the root's state before something else takes its place.
void Session::save_resident() {
  if (!resident_ || options_.cache_bytes == 0 || cache_.has(resident_->root)) return;
  // A state of layers with a window lacks what the window has left behind: restored, its cells
  // would lie elsewhere and give other bits.
  const auto n_window = static_cast<std::size_t>(std::max(llama_model_n_swa(&model_), 0));
  if (n_window > 0 && resident_->root.size() > n_window) return;
  const std::size_t size = llama_state_seq_get_size(context_.get(), 0);
  if (size == 0 || size > options_.cache_bytes) return;
  cache_.make_room(size);
  std::vector<std::uint8_t> state(size);
  if (llama_state_seq_get_data(context_.get(), state.data(), size, 0) == size) {
    cache_.store(resident_->root, std::move(state));
  }
}

// False when there is no state of this root; the context is empty then.
bool Session::restore(const Tokens& root) {
  const std::span<const std::uint8_t> state = cache_.find(root);
  if (state.empty()) return false;
  if (llama_state_seq_set_data(context_.get(), state.data(), state.size(), 0) == state.size()) {
    return true;
  }
  cache_.forget(root);
  clear();
  return false;
}

// Ids stay attached as long as the root stays: the next subtree uses them again.
void Session::attach(std::uint32_t n_ids) {
  llama_memory_t memory = llama_get_memory(context_.get());
  for (; resident_->n_attached < n_ids; ++resident_->n_attached) {
    llama_memory_seq_cp(memory, 0, static_cast<llama_seq_id>(resident_->n_attached + 1), -1, -1);
  }
}

void Session::copy(const LayoutCall& call) {
  llama_memory_t memory = llama_get_memory(context_.get());
  for (int id = call.copies.first; id <= call.copies.last; ++id) {
    llama_memory_seq_cp(memory, call.copy_of, id, -1, -1);
  }
}

// A memory that refuses is an error: what it kept would be seen by the next question.
Result<Done> Session::take_away(const LayoutCall& call) {
  llama_memory_t memory = llama_get_memory(context_.get());
  const bool has_filler = call.filler_id != 0;
  bool done = !has_filler || llama_memory_seq_rm(memory, call.filler_id, -1, -1);
  for (int id = call.dropped.first; id <= call.dropped.last; ++id) {
    done = llama_memory_seq_rm(memory, id, -1, -1) && done;
  }
  if (call.keep != LayoutCall::kKeepAll) {
    done = llama_memory_seq_rm(memory, -1, static_cast<llama_pos>(call.keep), -1) && done;
  }
  if (done) return Done{};
  return Error{ErrorCode::kModelRun, "the engine could not forget a branch"};
}

// The first call pays for page faults and lazy set-up; better now than in the first request.
Result<Done> Session::warm_up() {
  std::array<llama_token, 2> tokens{0, 0};
  const int rc = llama_decode(context_.get(), llama_batch_get_one(tokens.data(), 2));
  clear();
  if (rc == 0) return Done{};
  return Error{ErrorCode::kModelRun,
               "the model failed on a first try (llama_decode: " + std::to_string(rc) + ")"};
}

}  // namespace logit
