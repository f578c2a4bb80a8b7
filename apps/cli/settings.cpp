// Reads and checks settings; entry: resolve_settings. Tested by tests/cli/settings_test.cpp.
#include "settings.h"

#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "text.h"

namespace logit::cli {
namespace {

constexpr std::size_t kLargestCount = 0x7fffffff;  // what an engine's int takes

constexpr SettingSpec kSpecs[] = {
    {"model", "LOGIT_MODEL_ID", "", "a GGUF file, or an id found in a models folder",
     "Model to ask; without it the embedded default"},
    {"models-dir", "LOGIT_MODELS_DIR", "", "a folder", "Folder where ids are looked up first"},
    {"cache-dir", "LOGIT_CACHE_DIR", "", "a folder",
     "Folder for profiles; without it the user's cache folder"},
    {"context", "LOGIT_CONTEXT", "auto", "auto or a number of tokens",
     "Longest prompt; auto is the model's own limit, at most 8192"},
    {"threads", "LOGIT_THREADS", "auto", "auto or a number",
     "Threads; auto is the cores this process may use"},
    {"device", "LOGIT_DEVICE", "cpu", "cpu", "Where the model runs"},
    {"readout", "LOGIT_READOUT", "auto", "auto, label, text, channel, text+channel or label+text",
     "How answers are read"},
    {"frame", "LOGIT_FRAME", "auto", "auto, plain or chat", "How the model is spoken to"},
    {"permutations", "LOGIT_PERMUTATIONS", "auto", "auto, adaptive or a number above 0",
     "Orders in which labels list the options, averaged; auto is 2, adaptive up to 4 where 2 "
     "disagree"},
    {"abstain", "LOGIT_ABSTAIN", "choice", "off, choice or all (0 and 1: off and choice)",
     "Questions that say how likely it is that no answer is right; all: also yes or no"},
    {"calibration", "LOGIT_CALIBRATION_PATH", "", "a file made by calibrate",
     "What labelled rows taught about this model's scores"},
    {"prior", "LOGIT_PRIOR_DEBIAS", "fitted", "none, fitted or running (0 and 1: none and running)",
     "What is subtracted from scores; running learns from the traffic"},
    {"prior-file", "LOGIT_PRIOR_PATH", "", "a file", "Where a running prior is kept between runs"},
    {"temperature", "LOGIT_TEMPERATURE", "auto", "auto or a number above 0",
     "Divides scores before they become probabilities"},
    {"score-method", "LOGIT_SCORE_METHOD", "joint", "joint or independent",
     "Levels of a score compete, or are judged one by one"},
    {"max-tokens", "LOGIT_MAX_TOKENS", "196608", "a number above 0",
     "Most tokens one request may cost"},
    {"extension-prefix", "LOGIT_EXTENSION_PREFIX", "x_", "text, may be empty",
     "Stands before reply fields beyond the wire format"},
};

constexpr const char* kLaterVariables[] = {"LOGIT_BATCH_BRANCHES"};

bool may_be_empty(const SettingSpec& spec) {
  return std::string_view(spec.name) == "extension-prefix";
}

Error refused(const SettingValue& value) {
  return {
      ErrorCode::kConfig, "'" + value.text + "' is not " + value.spec->values, place_of(value), {}};
}

bool set_temperature(std::optional<double>& target, const std::string& text) {
  if (text == "auto") return true;
  target = parse_number(text);
  return target && std::isfinite(*target) && *target > 0;
}

bool set_readout(Readout& target, const std::string& text) {
  target = Readout::kAuto;
  if (text == readout_name(target)) return true;
  for (const Readout readout : kReadouts) {
    target = readout;
    if (text == readout_name(readout)) return true;
  }
  return false;
}

bool set_orders(ClassifierOptions& target, const std::string& text) {
  target.more_orders_in_doubt = text == "adaptive";
  if (text == "auto" || text == "adaptive") return true;
  return set_count(target.orders.emplace(), text);
}

bool set_abstain(Abstain& target, const std::string& text) {
  if (text == "off" || text == "0") {
    target = Abstain::kOff;
  } else if (text == "choice" || text == "1") {
    target = Abstain::kChoice;
  } else {
    target = Abstain::kAll;
  }
  return target != Abstain::kAll || text == "all";
}

bool set_prior(PriorSource& target, const std::string& text) {
  if (text == "none" || text == "0") {
    target = PriorSource::kNone;
  } else if (text == "running" || text == "1") {
    target = PriorSource::kRunning;
  } else {
    target = PriorSource::kFitted;
  }
  return target != PriorSource::kFitted || text == "fitted";
}

bool set_frame(std::optional<FrameKind>& target, const std::string& text) {
  if (text == "auto") return true;
  for (const FrameKind kind : {FrameKind::kPlain, FrameKind::kChat}) {
    target = kind;
    if (text == frame_kind_name(kind)) return true;
  }
  return false;
}

bool set_method(ScoreMethod& target, const std::string& text) {
  target = text == "joint" ? ScoreMethod::kJoint : ScoreMethod::kIndependent;
  return text == "joint" || text == "independent";
}

// A path or an id given as a flag is meant, so an empty one is a mistake.
bool set_path(std::string& target, const SettingValue& value) {
  target = value.text;
  return value.source == Source::kDefault || !value.text.empty();
}

bool set_prefix(std::string& target, const std::string& text) {
  target = text;
  return is_utf8(text);
}

bool apply(Settings& settings, const SettingValue& value) {
  const std::string_view name = value.spec->name;
  const std::string& text = value.text;
  ClassifierOptions& options = settings.classifier;
  if (name == "model") return set_path(settings.model, value);
  if (name == "models-dir") return set_path(settings.models_dir, value);
  if (name == "cache-dir") return set_path(settings.cache_dir, value);
  if (name == "context") return text == "auto" || set_count(settings.n_context, text);
  if (name == "threads") return text == "auto" || set_count(settings.n_threads, text);
  if (name == "device") return text == "cpu";
  if (name == "readout") return set_readout(options.readout, text);
  if (name == "frame") return set_frame(options.frame, text);
  if (name == "permutations") return set_orders(options, text);
  if (name == "abstain") return set_abstain(options.abstain, text);
  if (name == "calibration") return set_path(settings.calibration, value);
  if (name == "prior") return set_prior(options.prior, text);
  if (name == "prior-file") {
    options.prior_path = text;
    return value.source == Source::kDefault || !text.empty();
  }
  if (name == "temperature") return set_temperature(options.temperature, text);
  if (name == "score-method") return set_method(options.score_method, text);
  if (name == "max-tokens") return set_count(options.max_request_tokens, text);
  return set_prefix(settings.extension_prefix, text);
}

Error not_supported(const std::string& where, const std::string& what) {
  return {ErrorCode::kConfig, what + " is not supported by this version", where, {}};
}

}  // namespace

std::span<const SettingSpec> setting_specs() { return kSpecs; }

const char* source_name(Source source) {
  switch (source) {
    case Source::kDefault:
      return "default";
    case Source::kEnvironment:
      return "environment";
    case Source::kFlag:
      break;
  }
  return "flag";
}

SettingValue setting_value(const SettingSpec& spec, const FlagValues& flags,
                           const Environment& environment) {
  if (const auto flag = flags.find(spec.name); flag != flags.end()) {
    return {&spec, flag->second, Source::kFlag};
  }
  const std::optional<std::string> variable = environment(spec.variable);
  if (variable && (!variable->empty() || may_be_empty(spec))) {
    return {&spec, *variable, Source::kEnvironment};
  }
  return {&spec, spec.fallback, Source::kDefault};
}

Result<Settings> resolve_settings(const FlagValues& flags, const Environment& environment) {
  for (const char* variable : kLaterVariables) {
    if (environment(variable)) return not_supported(variable, "this setting");
  }
  Settings settings;
  for (const SettingSpec& spec : kSpecs) {
    SettingValue value = setting_value(spec, flags, environment);
    if (!apply(settings, value)) {
      Error error = refused(value);
      if (std::string_view(spec.name) == "device") {
        error = not_supported(error.where, "'" + value.text + "'");
      }
      return error;
    }
    settings.values.push_back(std::move(value));
  }
  if (settings.classifier.prior != PriorSource::kRunning && flags.contains("prior-file")) {
    return Error{ErrorCode::kConfig, "only --prior running reads it", "--prior-file", {}};
  }
  return settings;
}

std::string place_of(const SettingValue& value) {
  return value.source == Source::kFlag ? std::string("--").append(value.spec->name)
                                       : std::string(value.spec->variable);
}

bool set_count(std::size_t& target, const std::string& text) {
  const std::optional<std::size_t> count = parse_count(text);
  if (!count || *count == 0) return false;
  target = *count;
  return true;
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::size_t> parse_count(std::string_view text) {
  std::size_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value > kLargestCount) return std::nullopt;
  return value;
}

}  // namespace logit::cli
