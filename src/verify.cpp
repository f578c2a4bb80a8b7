// Checks that a Backend keeps the promises of backend.h.
//
// Entry: verify_backend(), verify_encoding(), verify_label_ids(). Tests:
// tests/llama/verify_test.cpp.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <utility>

#include "logit/backend.h"

namespace logit {
namespace {

Error broken(const std::string& promise) {
  return Error{ErrorCode::kBackendContract, "the engine broke a promise: " + promise, "backend"};
}

Error bad_label(const Label& label, const std::string& fault) {
  return Error{ErrorCode::kLabelBoundary, "label '" + label.text + "' " + fault, label.text};
}

// encode(before + label) must be encode(before) and the label's id.
Result<Done> check_behind(const Backend& backend, const Label& label, const std::string& before) {
  Result<Tokens> expected = backend.encode(before);
  if (!expected) return std::move(expected).error();
  const Result<Tokens> tokens = backend.encode(before + label.text);
  if (!tokens) return tokens.error();
  expected->push_back(label.id);
  if (*tokens != *expected) return bad_label(label, "is not one own token behind '" + before + "'");
  return Done{};
}

Result<Done> check_label(const Backend& backend, const Label& label) {
  const Result<Tokens> alone = backend.encode(label.text);
  if (!alone) return alone.error();
  if (*alone != Tokens{label.id}) return bad_label(label, "is not one token");
  for (const char* before : {"\n", "Answer: ("}) {
    if (Result<Done> ok = check_behind(backend, label, before); !ok) return ok;
  }
  const Result<Tokens> line = backend.encode("\n" + label.text + ") ");
  if (!line) return line.error();
  if (std::ranges::find(*line, label.id) == line->end()) {
    return bad_label(label, "is not one own token in a list");
  }
  return Done{};
}

// Where a prompt joins two texts that are tokenised apart. A state that ends in punctuation may
// join the quote behind it in some vocabularies; it is always cut there, so that changes nothing.
Result<Done> check_borders(const Backend& backend) {
  struct Border {
    const char* before;
    const char* after;
  };
  constexpr std::array<Border, 5> kBorders = {
      {{"Question: Which team?\n\nText: \"", "The bill is wrong"},
       {"The bill is wrong", "\"\n\nQuestion: Which team?\nAnswer:"},
       {"Which team?\nAnswer:", " billing"},
       {"Which team?\nAnswer:", " 17"},
       {"\n\nAnswer: (", "B"}}};
  for (const Border& border : kBorders) {
    Result<Tokens> joined = backend.encode(border.before);
    const Result<Tokens> after = backend.encode(border.after);
    const Result<Tokens> whole =
        backend.encode(std::string(border.before) + std::string(border.after));
    if (!joined) return std::move(joined).error();
    if (!after) return after.error();
    if (!whole) return whole.error();
    joined->insert(joined->end(), after->begin(), after->end());
    if (*joined != *whole) {
      return broken("tokens change where '" + std::string(border.before) + "' meets '" +
                    border.after + "'");
    }
  }
  return Done{};
}

// Marks of many templates, and what callers might write around them.
constexpr std::array<std::string_view, 14> kMarkers = {
    "<|im_start|>",    "<|im_end|>",    "<s>",        "</s>",
    "[INST]",          "[/INST]",       "<bos>",      "<eos>",
    "<start_of_turn>", "<end_of_turn>", "<|eot_id|>", "<|endoftext|>",
    "<|end|>",         "<think>"};

// The frames' tokens that no ordinary text explains: their markup. Some templates mark turns with
// ordinary text; no part of a marker can become a token that stands for all of it.
Result<std::set<Token>> markup_of(const Backend& backend) {
  std::set<Token> markup;
  for (const Frame& frame : backend.frames()) {
    markup.insert(frame.open.begin(), frame.open.end());
    markup.insert(frame.close.begin(), frame.close.end());
  }
  std::vector<std::string> ordinary = {"user\n", "assistant\n", "system\n", "model\n",
                                       "hi x y", " x ",         "\n\n",     " "};
  for (const std::string_view marker : kMarkers) {
    for (const char* before : {"", " ", "\n"}) {
      ordinary.push_back(before + std::string(marker.substr(0, marker.size() - 1)));
      ordinary.push_back(before + std::string(marker.substr(1)));
    }
  }
  for (const std::string& text : ordinary) {
    const Result<Tokens> tokens = backend.encode(text);
    if (!tokens) return tokens.error();
    for (const Token token : *tokens) markup.erase(token);
  }
  return markup;
}

Result<Done> check_markup(const Backend& backend) {
  const Result<std::set<Token>> markup = markup_of(backend);
  if (!markup) return markup.error();
  for (const std::string_view marker : kMarkers) {
    for (const auto& [before, after] : {std::pair{"", ""}, {"hi", "\n"}, {" x ", " y"}}) {
      const Result<Tokens> tokens = backend.encode(before + std::string(marker) + after);
      if (!tokens) return tokens.error();
      const bool forged =
          std::ranges::any_of(*tokens, [&](Token token) { return markup->contains(token); });
      if (forged) return broken("a text that spells template markup becomes that markup");
    }
  }
  return Done{};
}

struct Sample {
  Tokens root;
  std::array<Tokens, 2> branches;
  Tokens ids;
};

Result<Sample> make_sample(const Backend& backend) {
  Sample sample;
  const Result<Tokens> root = backend.encode("Text: The bill is wrong.\n");
  const Result<Tokens> first = backend.encode("Is it about money?\nAnswer:");
  const Result<Tokens> second = backend.encode("Which team should read it?\nAnswer:");
  if (!root) return root.error();
  if (!first) return first.error();
  if (!second) return second.error();
  sample.root = backend.frames().front().open;
  sample.root.insert(sample.root.end(), root->begin(), root->end());
  sample.branches = {*first, *second};
  sample.ids = {first->front(), second->front(), root->back()};
  return sample;
}

// The numbers behind the branches, in the order in which the branches are named.
Result<std::vector<double>> read_branches(Backend& backend, const Sample& sample,
                                          std::initializer_list<std::size_t> branches) {
  TokenTree tree;
  const std::uint32_t root = tree.add_node(TokenTree::kNoParent, sample.root);
  for (const std::size_t b : branches) {
    const Tokens& tokens = sample.branches.at(b);
    const std::uint32_t node = tree.add_node(root, tokens);
    tree.add_read(node, static_cast<std::uint32_t>(tokens.size() - 1), sample.ids);
  }
  std::vector<double> out(tree.n_outputs());
  const Result<EvaluateStats> stats = backend.evaluate(tree, out, {});
  if (!stats) return stats.error();
  const bool sane = std::ranges::all_of(out, [](double x) { return std::isfinite(x) && x <= 0; });
  if (!sane) return broken("a log-probability is not a finite number up to 0");
  return out;
}

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

Result<Done> check_evaluation(Backend& backend) {
  const Result<Sample> sample = make_sample(backend);
  if (!sample) return sample.error();
  const Result<std::vector<double>> both = read_branches(backend, *sample, {0, 1});
  if (!both) return both.error();
  const Result<std::vector<double>> again = read_branches(backend, *sample, {0, 1});
  if (!again) return again.error();
  if (!same_bits(*both, *again)) return broken("the same evaluation gives other numbers");
  const Result<std::vector<double>> turned = read_branches(backend, *sample, {1, 0});
  if (!turned) return turned.error();
  const Result<std::vector<double>> alone = read_branches(backend, *sample, {1});
  if (!alone) return alone.error();
  const std::size_t n = sample->ids.size();
  const auto first = std::span(*both).first(n);
  const auto second = std::span(*both).last(n);
  if (!same_bits(second, *alone)) return broken("a branch sees the branch beside it");
  if (!same_bits(second, std::span(*turned).first(n)) ||
      !same_bits(first, std::span(*turned).last(n))) {
    return broken("the order of branches matters");
  }
  return Done{};
}

}  // namespace

Result<Done> verify_label_ids(const Backend& backend) {
  std::set<Token> taken;
  for (const Label& label : backend.info().labels) {
    if (Result<Done> ok = check_label(backend, label); !ok) return ok;
    if (!taken.insert(label.id).second) return bad_label(label, "shares its token with another");
  }
  return Done{};
}

Result<Done> verify_encoding(const Backend& backend) {
  if (Result<Done> ok = check_borders(backend); !ok) return ok;
  if (Result<Done> ok = verify_label_ids(backend); !ok) return ok;
  return check_markup(backend);
}

Result<Done> verify_backend(Backend& backend) {
  if (backend.info().id.empty()) return broken("the model has no id");
  if (backend.frames().empty() || backend.frames().front().kind != FrameKind::kPlain) {
    return broken("the first frame is not the plain one");
  }
  if (Result<Done> ok = verify_encoding(backend); !ok) return ok;
  return check_evaluation(backend);
}

}  // namespace logit
