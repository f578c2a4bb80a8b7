// Settings from flags and variables: order, sources, refusals; and exit codes.
#include "settings.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "cli/support.h"
#include "describe_settings.h"
#include "exit_code.h"

namespace logit::cli {
namespace {

using testing::environment_of;

// "where: message" of the error; empty when there is none.
std::string refusal(const FlagValues& flags, const Environment& environment = environment_of({})) {
  const Result<Settings> settings = resolve_settings(flags, environment);
  if (settings) return "";
  EXPECT_EQ(settings.error().code, ErrorCode::kConfig);
  return settings.error().where + ": " + settings.error().message;
}

TEST(Settings, DefaultsAreThoseOfTheLibrary) {
  const Result<Settings> settings = resolve_settings({}, environment_of({}));
  ASSERT_TRUE(settings);
  const ClassifierOptions library;
  EXPECT_EQ(settings->classifier.readout, library.readout);
  EXPECT_EQ(settings->classifier.frame, library.frame);
  EXPECT_EQ(settings->classifier.score_method, library.score_method);
  EXPECT_EQ(settings->classifier.temperature, library.temperature);
  EXPECT_EQ(settings->classifier.max_request_tokens, library.max_request_tokens);
  EXPECT_EQ(settings->extension_prefix, "x_");
  EXPECT_EQ(settings->n_context, 0U);
  EXPECT_EQ(settings->n_threads, 0U);
  EXPECT_EQ(settings->model, "");
}

TEST(Settings, AFlagBeatsItsVariableBeatsTheDefault) {
  const Environment environment =
      environment_of({{"LOGIT_TEMPERATURE", "3"}, {"LOGIT_THREADS", "2"}});
  const Result<Settings> settings = resolve_settings({{"temperature", "2.5"}}, environment);
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->classifier.temperature, 2.5);
  EXPECT_EQ(settings->n_threads, 2U);
  const std::string text = settings_text(*settings);
  EXPECT_NE(text.find("flag"), std::string::npos);
  EXPECT_NE(text.find("environment"), std::string::npos);
  EXPECT_NE(compact_json(settings_json(*settings)).find(R"("value":"2.5","source":"flag")"),
            std::string::npos);
}

TEST(Settings, EveryValueIsRead) {
  const Result<Settings> settings = resolve_settings({{"model", "m"},
                                                      {"models-dir", "d"},
                                                      {"cache-dir", "c"},
                                                      {"context", "512"},
                                                      {"readout", "label"},
                                                      {"frame", "chat"},
                                                      {"score-method", "independent"},
                                                      {"max-tokens", "9"},
                                                      {"extension-prefix", ""},
                                                      {"device", "cpu"}},
                                                     environment_of({}));
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->model, "m");
  EXPECT_EQ(settings->models_dir, "d");
  EXPECT_EQ(settings->cache_dir, "c");
  EXPECT_EQ(settings->n_context, 512U);
  EXPECT_EQ(settings->classifier.readout, Readout::kLabel);
  EXPECT_EQ(settings->classifier.frame, FrameKind::kChat);
  EXPECT_EQ(settings->classifier.score_method, ScoreMethod::kIndependent);
  EXPECT_EQ(settings->classifier.max_request_tokens, 9U);
  EXPECT_EQ(settings->extension_prefix, "");
}

TEST(Settings, SwitchesTakeTheirNamesOrZeroAndOne) {
  const auto with = [](const char* name, const char* value) {
    return resolve_settings({{name, value}}, environment_of({}))->classifier;
  };
  EXPECT_EQ(with("abstain", "0").abstain, Abstain::kOff);
  EXPECT_EQ(with("abstain", "1").abstain, Abstain::kChoice);
  EXPECT_EQ(with("abstain", "all").abstain, Abstain::kAll);
  EXPECT_EQ(with("prior", "0").prior, PriorSource::kNone);
  EXPECT_EQ(with("prior", "1").prior, PriorSource::kRunning);
  EXPECT_EQ(with("prior", "fitted").prior, PriorSource::kFitted);
  EXPECT_EQ(with("permutations", "3").orders, 3U);
  EXPECT_FALSE(with("permutations", "auto").orders);
  EXPECT_TRUE(with("permutations", "adaptive").more_orders_in_doubt);
  for (const Readout readout : kReadouts) {
    EXPECT_EQ(with("readout", readout_name(readout)).readout, readout);
  }
}

TEST(Settings, BadValuesAreRefusedByNameOfTheFlagAndOfTheVariable) {
  const std::pair<const char*, const char*> cases[] = {{"temperature", "abc"},
                                                       {"temperature", "-1"},
                                                       {"temperature", "0"},
                                                       {"temperature", "inf"},
                                                       {"temperature", "nan"},
                                                       {"temperature", "1e999"},
                                                       {"temperature", "2,5"},
                                                       {"temperature", "2.5 "},
                                                       {"temperature", "0x1p1"},
                                                       {"context", "0"},
                                                       {"context", "-1"},
                                                       {"context", "1.5"},
                                                       {"threads", "0"},
                                                       {"threads", "many"},
                                                       {"threads", "99999999999"},
                                                       {"readout", "mix"},
                                                       {"readout", "Label"},
                                                       {"frame", "html"},
                                                       {"score-method", "both"},
                                                       {"max-tokens", "0"},
                                                       {"extension-prefix", "\xff"},
                                                       {"device", "cuda"},
                                                       {"permutations", "0"},
                                                       {"permutations", "x"},
                                                       {"abstain", "false"},
                                                       {"abstain", "2"},
                                                       {"prior", "false"},
                                                       {"prior", "2"}};
  for (const auto& [name, value] : cases) {
    const std::string flag = std::string("--") + name;
    EXPECT_EQ(refusal({{name, value}}).substr(0, flag.size() + 2), flag + ": ") << value;
    for (const SettingSpec& spec : setting_specs()) {
      if (std::string_view(spec.name) != name) continue;
      const std::string message = refusal({}, environment_of({{spec.variable, value}}));
      EXPECT_EQ(message.find(spec.variable), 0U) << message;
    }
  }
}

TEST(Settings, APriorFileIsRefusedWhereNothingReadsItButNotItsVariable) {
  EXPECT_EQ(refusal({{"prior-file", "p"}}), "--prior-file: only --prior running reads it");
  EXPECT_EQ(refusal({{"prior-file", "p"}, {"prior", "none"}}),
            "--prior-file: only --prior running reads it");
  EXPECT_EQ(refusal({{"prior-file", "p"}, {"prior", "running"}}), "");
  EXPECT_EQ(refusal({{"prior-file", "p"}}, environment_of({{"LOGIT_PRIOR_DEBIAS", "1"}})), "");
  EXPECT_EQ(refusal({}, environment_of({{"LOGIT_PRIOR_PATH", "p"}})), "");
}

TEST(Settings, AnEmptyFlagIsAMistakeAnEmptyVariableIsNone) {
  EXPECT_NE(refusal({{"model", ""}}), "");
  EXPECT_NE(refusal({{"temperature", ""}}), "");
  const Result<Settings> settings = resolve_settings(
      {}, environment_of(
              {{"LOGIT_TEMPERATURE", ""}, {"LOGIT_MODEL_ID", ""}, {"LOGIT_EXTENSION_PREFIX", ""}}));
  ASSERT_TRUE(settings);
  EXPECT_FALSE(settings->classifier.temperature);
  EXPECT_EQ(settings->extension_prefix, "");
}

TEST(Settings, VariablesOfLaterVersionsAreRefusedNotIgnored) {
  EXPECT_EQ(refusal({}, environment_of({{"LOGIT_BATCH_BRANCHES", "1"}})),
            "LOGIT_BATCH_BRANCHES: this setting is not supported by this version");
  EXPECT_EQ(refusal({}, environment_of({{"LOGIT_DEVICE", "cuda"}})),
            "LOGIT_DEVICE: 'cuda' is not supported by this version");
  EXPECT_EQ(refusal({}, environment_of({{"LOGIT_DEVICE", "cpu"}})), "");
}

TEST(ExitCode, EveryKindOfFailureHasItsCode) {
  const std::pair<ErrorCode, int> cases[] = {{ErrorCode::kSchema, 2},
                                             {ErrorCode::kConfig, 2},
                                             {ErrorCode::kTooLong, 2},
                                             {ErrorCode::kVisionUnsupported, 2},
                                             {ErrorCode::kImage, 2},
                                             {ErrorCode::kModelLoad, 3},
                                             {ErrorCode::kLabelBoundary, 3},
                                             {ErrorCode::kBackendContract, 3},
                                             {ErrorCode::kMissingDependency, 3},
                                             {ErrorCode::kModelRun, 4},
                                             {ErrorCode::kFile, 5},
                                             {ErrorCode::kInternal, 1},
                                             {ErrorCode::kCancelled, 130}};
  for (const auto& [code, expected] : cases) EXPECT_EQ(exit_code(code), expected);
}

TEST(ExitCode, EachFaultIsALineAndNoLineCanSteerATerminal) {
  Error error{ErrorCode::kSchema, "two faults", "", {}};
  error.faults = {{"t", {"questions", "q", "criteria", std::size_t{3}}, "is null"},
                  {"t", {}, "a\033[2J\nb"}};
  EXPECT_EQ(error_lines(error), "error: questions.q.criteria.3: is null\nerror: a\\x1b[2J\\nb\n");
  EXPECT_EQ(error_lines({ErrorCode::kFile, "is gone", "f", {}}), "error: f: is gone\n");
  EXPECT_EQ(error_lines({ErrorCode::kFile, "is gone", "", {}}), "error: is gone\n");
}

}  // namespace
}  // namespace logit::cli
