// Reads which sets and variants to run; entries: set_files, read_variants. Tested by
// tests/cli/eval_plan_test.cpp.
#include "eval_plan.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "text.h"

namespace logit::cli {
namespace {

namespace fs = std::filesystem;

Error bad_use(const std::string& where, const std::string& message) {
  return {ErrorCode::kConfig, message, where, {}};
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    items.emplace_back(trimmed(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
  return items;
}

Result<SetFiles> files_of(const std::string& data, const std::string& set,
                          const std::string& split) {
  const std::string stem = (fs::path(data) / set).string();
  for (const char* ending : {".jsonl", ".csv", ".tsv"}) {
    const std::string rows = stem + "." + split + ending;
    std::error_code fault;
    if (fs::exists(rows, fault)) return SetFiles{stem + ".task.json", rows};
  }
  return bad_use("--set", "no rows of '" + set + "': there is no " + stem + "." + split +
                              ".jsonl, .csv or .tsv");
}

Result<std::vector<std::string>> split_words(const std::string& variant, std::string_view text) {
  std::vector<std::string> words;
  bool is_inside = false;  // of a word
  char quote = 0;
  for (const char byte : text) {
    if (quote != 0) {
      if (byte == quote) {
        quote = 0;
      } else {
        words.back() += byte;
      }
      continue;
    }
    const bool is_blank = byte == ' ' || byte == '\t';
    if (!is_blank && !is_inside) words.emplace_back();
    is_inside = !is_blank;
    if (byte == '"' || byte == '\'') {
      quote = byte;
    } else if (!is_blank) {
      words.back() += byte;
    }
  }
  if (quote != 0) return bad_use("--variant", "'" + variant + "': a quote is never closed");
  return words;
}

bool is_setting(std::string_view name) {
  const auto specs = setting_specs();
  return std::any_of(specs.begin(), specs.end(),
                     [&](const SettingSpec& spec) { return name == spec.name; });
}

Result<Done> add_flags(const std::string& variant, const std::vector<std::string>& words,
                       FlagValues& flags) {
  std::vector<std::string> given;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::size_t equals = word.find('=');
    const std::string name =
        word.starts_with("--") ? word.substr(2, equals == word.npos ? equals : equals - 2) : "";
    if (!is_setting(name)) {
      return bad_use("--variant", "'" + variant + "': '" + word + "' is no setting's flag");
    }
    if (equals == word.npos && i + 1 == words.size()) {
      return bad_use("--variant", "'" + variant + "': --" + name + " has no value");
    }
    if (std::find(given.begin(), given.end(), name) != given.end()) {
      return bad_use("--variant", "'" + variant + "': --" + name + " is given twice");
    }
    given.push_back(name);
    flags[name] = equals == word.npos ? words[++i] : word.substr(equals + 1);
  }
  return Done{};
}

Result<Variant> read_variant(const std::string& text, const FlagValues& flags) {
  const std::size_t colon = text.find(':');
  const std::string name(trimmed(std::string_view(text).substr(0, colon)));
  if (colon == text.npos || name.empty() || name.starts_with("-")) {
    return bad_use("--variant", "'" + text + "' is not \"name: --flag value ...\"");
  }
  Result<std::vector<std::string>> words =
      split_words(name, std::string_view(text).substr(colon + 1));
  if (!words) return std::move(words).error();
  Variant variant{name, flags};
  Result<Done> added = add_flags(name, *words, variant.flags);
  if (!added) return std::move(added).error();
  return variant;
}

}  // namespace

Result<std::vector<SetFiles>> set_files(const EvalArguments& arguments) {
  std::vector<SetFiles> files;
  if (arguments.tasks.size() > arguments.rows.size()) {
    return bad_use("--rows", "give the file of labelled rows for each --task");
  }
  if (arguments.tasks.size() < arguments.rows.size()) {
    return bad_use("--task", "give the task file for each --rows");
  }
  for (std::size_t i = 0; i < arguments.tasks.size(); ++i) {
    files.push_back({arguments.tasks[i], arguments.rows[i]});
  }
  if (arguments.data.empty() != arguments.sets.empty()) {
    return arguments.data.empty()
               ? bad_use("--data", "give the folder of the sets")
               : bad_use("--set", "give the names of sets, e.g. banking10,trec6");
  }
  if (arguments.data.empty() && !arguments.split.empty()) {
    return bad_use("--split", "is of the sets of --data; --rows names its file");
  }
  if (!arguments.data.empty()) {
    const std::string split = arguments.split.empty() ? "test" : arguments.split;
    for (const std::string& set : split_list(arguments.sets)) {
      Result<SetFiles> found = files_of(arguments.data, set, split);
      if (!found) return std::move(found).error();
      files.push_back(*std::move(found));
    }
  }
  if (files.empty())
    return bad_use("--task", "give the task file, with --rows; or --data and --set");
  return files;
}

Result<std::vector<Variant>> read_variants(const std::vector<std::string>& texts,
                                           const FlagValues& flags) {
  if (texts.empty()) return std::vector<Variant>{{"", flags}};
  std::vector<Variant> variants;
  for (const std::string& text : texts) {
    Result<Variant> variant = read_variant(text, flags);
    if (!variant) return std::move(variant).error();
    for (const Variant& earlier : variants) {
      if (earlier.name == variant->name) {
        return bad_use("--variant", "the name '" + variant->name + "' is used twice");
      }
    }
    variants.push_back(*std::move(variant));
  }
  return variants;
}

}  // namespace logit::cli
