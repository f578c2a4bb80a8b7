// What `eval` is to run: which sets of rows, under which settings.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "logit/result.h"
#include "settings.h"

namespace logit::cli {

// As flags give it.
struct EvalArguments {
  std::vector<std::string> tasks;
  std::vector<std::string> rows;
  std::string data;
  std::string sets;   // "banking10,trec6"
  std::string split;  // empty: "test"
  std::string limit;
  std::string seed;
  std::vector<std::string> variants;  // "name: --flag value ..."
  std::string predictions;
  std::string html;
  bool asks_reversed = false;
  bool asks_removed = false;
  bool operator==(const EvalArguments&) const = default;
};

struct SetFiles {
  std::string task;
  std::string rows;
};

// --task and --rows in pairs, then DIR/SET.task.json with DIR/SET.SPLIT.jsonl (or .csv, .tsv: the
// first that is there). Errors: kConfig with the flag that is missing or too many.
Result<std::vector<SetFiles>> set_files(const EvalArguments& arguments);

struct Variant {
  std::string name;
  FlagValues flags;  // the command's own, and over them the variant's
};

// Any flag of a setting works inside a variant, with quotes around a value that has blanks.
// Without --variant there is one, unnamed. Errors: kConfig for a name that is empty or used twice,
// and for what is no setting's flag with its value.
Result<std::vector<Variant>> read_variants(const std::vector<std::string>& texts,
                                           const FlagValues& flags);

}  // namespace logit::cli
