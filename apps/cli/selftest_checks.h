// What `selftest` finds out about a model: facts with a name, each kept or broken.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "logit/classifier.h"
#include "logit/content.h"
#include "logit/profile.h"
#include "logit/result.h"
#include "terminal.h"

namespace logit::cli {

struct Check {
  std::string name;
  bool passed = true;
  std::string detail;  // what was found, or what is wrong
};

Check check_of(std::string name, const Result<Done>& result, std::string detail);

// The same questions give the same bits asked twice, in every order, alone, beside others in one
// request and in one batch, and after other states were asked of. The classifier must not have been
// asked anything before. A question that fails is a broken check.
std::vector<Check> agreement_checks(Classifier& classifier, std::stop_token stop);

// One line a type of question. A model that only guesses breaks no check.
std::vector<Check> probe_checks(const Profile& profile);

bool all_passed(const std::vector<Check>& checks);

// A line a check and a verdict; the same as JSON.
std::string checks_text(const std::vector<Check>& checks, const Terminal& terminal);
Content checks_json(const std::string& model, const std::vector<Check>& checks);

}  // namespace logit::cli
