// Backend: the port to an engine. Everything above it is arithmetic on plain values.
//
// Contracts, checked by verify_backend() at load and by tests on every backend:
//  - encode(a) + encode(b) = encode(a + b) at every border that prompts use;
//  - each label is one token of its own, the same in a list and in an answer;
//  - encode() of any text never yields a control, end-of-turn or template token;
//  - an evaluation leaves no trace: the same tree again gives the same bits;
//  - siblings do not see each other, and their order does not matter;
//  - what a node reads depends on the weights, its root and its root's child above it, only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "logit/result.h"
#include "logit/token_tree.h"

namespace logit {

// A label is shown before an option and read as the answer: "A", "B", ..., "AA", ...
struct Label {
  std::string text;
  Token id = -1;
};

enum class FrameKind : unsigned char { kPlain, kChat };
const char* frame_kind_name(FrameKind kind);  // "plain", "chat"

// Literal tokens around what a prompt says: [open] user text [close] answer.
struct Frame {
  FrameKind kind = FrameKind::kPlain;
  Tokens open;   // beginning of text, and the head of the user's turn
  Tokens close;  // end of the user's turn and head of the answer's; empty in a plain frame
};

struct ModelInfo {
  std::string id;            // what replies call the model
  std::string name;          // what its maker calls it; may be empty
  std::string path;          // where it came from; never part of its identity
  std::string fingerprint;   // hash of the model's content: equal for equal files only
  std::string architecture;  // "llama", "qwen2", ...
  std::string kind;          // "dense", "hybrid", "mixture of 8 experts (2 used)", ... for people
  std::string description;   // size and weight type for people
  std::uint64_t n_parameters = 0;
  std::uint64_t file_bytes = 0;
  std::size_t n_context = 0;  // tokens that a root and one path below it may have together
  std::size_t n_trained = 0;  // tokens of the longest text that the model was trained on
  std::size_t n_vocab = 0;
  std::size_t n_threads = 0;
  std::vector<Label> labels;       // in the order they are given out
  std::vector<std::string> notes;  // what a person should know about this model, one line each
};

struct EvaluateStats {
  std::size_t evaluated_tokens = 0;
  std::size_t reused_tokens = 0;
  std::size_t passes = 0;
};

// Evaluated roots that a backend keeps beside its context, for later trees.
struct PrefixMemory {
  std::size_t n_entries = 0;
  std::size_t n_bytes = 0;
};

// Not thread-safe: one thread at a time, any thread.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual const ModelInfo& info() const = 0;

  // The frames the model can be spoken to in; the first is the plain one.
  virtual std::span<const Frame> frames() const = 0;

  // Tokens of text that a caller wrote. Never adds a beginning-of-text token.
  virtual Result<Tokens> encode(std::string_view text) const = 0;

  // Fills out[i] with the natural log-probability, under the full vocabulary, of tree.ids[i].
  // REQUIRES: out.size() == tree.n_outputs(), tree_fault(tree) is empty.
  // Errors: kTooLong before any work when a path exceeds info().n_context, kCancelled, kModelRun
  // (a non-finite number from the engine included). After an error `out` is unspecified and the
  // next evaluation is as good as a first one.
  virtual Result<EvaluateStats> evaluate(const TokenTree& tree, std::span<double> out,
                                         std::stop_token stop) = 0;

  virtual PrefixMemory prefix_memory() const { return {}; }
};

// Runs the contracts that need a model to be seen: border, labels, control tokens, repeatability,
// sibling independence. kBackendContract with the broken promise's name; kLabelBoundary from the
// label check. Costs a few hundred tokens.
Result<Done> verify_backend(Backend& backend);

// The part of verify_backend() that evaluates nothing: borders, labels, markup. Same errors.
Result<Done> verify_encoding(const Backend& backend);

// Every label is one distinct token, alone, in a list ("\nA) ") and after the opening "(".
// Costs no evaluation.
Result<Done> verify_label_ids(const Backend& backend);

}  // namespace logit
