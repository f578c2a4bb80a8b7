// Reads a calibration that calibration_json wrote, and trusts nothing in it: a file may be torn,
// edited or of another program. Its entry is parse_calibration. Tested by
// tests/calibration/calibration_json_test.cpp.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "logit/calibration.h"
#include "wire/calibration_file.h"
#include "wire/file_reader.h"
#include "wire/json_reader.h"
#include "wire/parse_question.h"
#include "wire/repeated_keys.h"

namespace logit {
namespace wire {
namespace {

// Far above any score in nats, and far below where sums of them overflow.
constexpr double kMostNats = 1e6;
constexpr double kMostLoss = 1e9;
constexpr std::size_t kLargestCount = std::size_t{1} << 53;

class CalibrationReader : public FileReader {
 public:
  CalibrationReader() : FileReader("calibration") {}

  Calibration calibration(const Node& root) {
    Calibration result;
    check_version(member(root, "version"), std::size_t{Calibration::kVersion});
    result.fingerprint = text(member(root, "fingerprint"));
    result.prompts = prompts(member(root, "prompts"));
    result.created = text(member(root, "created"));
    result.sets = texts(member(root, "sets"));
    for (const Node& item : items(member(root, "kinds"))) result.kinds.push_back(kind(item));
    for (const Node& item : items(member(root, "questions"))) {
      result.questions.push_back(known_question(item));
    }
    return result;
  }

  void check_checksum(const Node& node, const Calibration& calibration) {
    if (text(node) == calibration_checksum(calibration_body(calibration))) return;
    fail(node,
         "its values do not match its checksum: it is damaged or was edited by hand; "
         "calibrate again");
  }

 private:
  static constexpr auto kTypes = {QuestionType::kNoul, QuestionType::kChoice, QuestionType::kScore};

  int prompts(const Node& node) {
    const std::size_t value = counted(node, std::numeric_limits<int>::max());
    return static_cast<int>(value);
  }

  std::size_t counted(const Node& node, std::size_t most = kLargestCount) {
    const std::size_t value = count(node);
    if (value <= most) return value;
    fail(node, "the number is out of range");
    return 0;
  }

  ScoreSource source(const Node& node) {
    ScoreSource source;
    source.readout = named(member(node, "readout"), kReadouts, readout_name);
    source.frame = text(member(node, "frame"));
    source.orders = counted(member(node, "orders"));
    source.score_method = text(member(node, "score_method"));
    source.lists_none = flag(member(node, "lists_none"));
    return source;
  }

  // A list with an entry for each candidate, or an empty one.
  std::vector<double> of_candidates(const Node& node, std::size_t n) {
    std::vector<double> values = numbers(node, -kMostNats, kMostNats);
    if (!values.empty() && values.size() != n) fail(node, "one number is needed a candidate");
    return values;
  }

  ScoreMap map(const Node& node, std::size_t n_bias) {
    ScoreMap map;
    map.temperature = number(member(node, "temperature"), ScoreMap::kLeastTemperature,
                             ScoreMap::kMostTemperature);
    map.tilt = number(member(node, "tilt"), -kMostNats, kMostNats);
    map.bias = of_candidates(member(node, "bias"), n_bias);
    return map;
  }

  std::optional<AbstainMap> abstain(const Node& entry) {
    const Node node = optional(entry, "abstain");
    if (node.value == nullptr) return std::nullopt;
    AbstainMap map;
    const std::vector<double> weights = numbers(node, -kMostNats, kMostNats);
    if (weights.size() == map.weights.size()) {
      std::copy(weights.begin(), weights.end(), map.weights.begin());
    } else {
      fail(node, std::to_string(map.weights.size()) + " weights are needed");
    }
    return map;
  }

  // Nothing in files that were written before there were bins.
  std::vector<ReliabilityBin> reliability(const Node& node) {
    std::vector<ReliabilityBin> bins;
    if (node.value == nullptr) return bins;
    for (const Node& item : items(node)) {
      const std::vector<Node> parts = items(item);
      if (parts.size() != 3) {
        fail(item, "needs three numbers");
        return bins;
      }
      bins.push_back({counted(parts[0]), number(parts[1], 0, 1), number(parts[2], 0, 1)});
    }
    return bins;
  }

  std::optional<HeldOut> held_out(const Node& node) {
    if (optional(node, "log_loss_before").value == nullptr) return std::nullopt;
    HeldOut measured;
    measured.log_loss_before = number(member(node, "log_loss_before"), 0, kMostLoss);
    measured.log_loss_after = number(member(node, "log_loss_after"), 0, kMostLoss);
    measured.log_loss_se = number(member(node, "log_loss_se"), 0, kMostLoss);
    measured.ece_before = number(member(node, "ece_before"), 0, 1);
    measured.ece_after = number(member(node, "ece_after"), 0, 1);
    measured.accuracy_before = number(member(node, "accuracy_before"), 0, 1);
    measured.accuracy_after = number(member(node, "accuracy_after"), 0, 1);
    measured.majority = number(member(node, "majority"), 0, 1);
    measured.reliability_before = reliability(optional(node, "reliability_before"));
    measured.reliability_after = reliability(optional(node, "reliability_after"));
    return measured;
  }

  FitReport report(const Node& node) {
    FitReport report;
    report.n_labelled = counted(member(node, "n_labelled"));
    report.n_unlabelled = counted(member(node, "n_unlabelled"));
    report.held_out = held_out(node);
    const Node auroc = optional(node, "abstain_auroc");
    if (auroc.value != nullptr) report.abstain_auroc = number(auroc, 0, 1);
    report.notes = texts(member(node, "notes"));
    return report;
  }

  KindCalibration kind(const Node& node) {
    KindCalibration kind;
    kind.type = named(member(node, "type"), kTypes, question_type_name);
    kind.source = source(member(node, "source"));
    kind.band = counted(member(node, "band"), kBands - 1);
    kind.map = map(member(node, "map"), 0);
    kind.abstain = abstain(node);
    kind.report = report(member(node, "report"));
    return kind;
  }

  Question question(const Node& node) {
    if (node.value == nullptr) return {};
    Content fields = *node.value;
    FaultList faults;
    Question question = take_question("", fields, Place{nullptr, std::string_view()}, faults);
    if (!faults.empty()) {
      const std::vector<Fault> found = std::move(faults).take();
      fail(node, "its question is none: " + found.front().msg);
    }
    return question;
  }

  QuestionCalibration known_question(const Node& node) {
    QuestionCalibration known;
    known.question = question(node);
    const std::size_t n = candidate_count(known.question);
    known.source = source(member(node, "source"));
    known.prior = of_candidates(member(node, "prior"), n);
    known.map = map(member(node, "map"), n);
    known.abstain = abstain(node);
    for (const Node& item : items(member(node, "acceptances"))) {
      known.acceptances.push_back(acceptance(item));
    }
    for (const Node& item : items(member(node, "conformal"))) {
      known.conformal.push_back(
          {number(member(item, "coverage"), 0, 1), number(member(item, "quantile"), 0, 1)});
    }
    known.report = report(member(node, "report"));
    return known;
  }

  Acceptance acceptance(const Node& node) {
    Acceptance acceptance;
    acceptance.risk = number(member(node, "risk"), 0, 1);
    acceptance.threshold = number(member(node, "threshold"), 0, 1);
    acceptance.upper_bound = number(member(node, "upper_bound"), 0, 1);
    acceptance.n = counted(member(node, "n"));
    acceptance.n_accepted = counted(member(node, "n_accepted"), acceptance.n);
    acceptance.n_errors = counted(member(node, "n_errors"), acceptance.n_accepted);
    return acceptance;
  }
};

// Older files have zeros where nothing was measured. REQUIRES: the checksum, which is of the file
// as it stands, is checked already.
void drop_zeros(Calibration& calibration) {
  for (QuestionCalibration& known : calibration.questions) {
    if (known.report.held_out == HeldOut()) known.report.held_out.reset();
  }
}

}  // namespace

Result<Calibration> read_calibration(const Content& file) {
  CalibrationReader reader;
  Calibration calibration = reader.calibration({&file, ""});
  if (reader.error()) return *reader.error();
  return calibration;
}

}  // namespace wire

Result<Calibration> parse_calibration(std::string_view json) {
  wire::CalibrationReader reader;
  auto content = wire::read_json(json);
  if (!content) {
    reader.fail({nullptr, content.error().where}, content.error().message);
    return *reader.error();
  }
  wire::keep_last_members(*content);
  Result<Calibration> calibration = wire::read_calibration(*content);
  if (!calibration) return calibration;
  const wire::Node root{&*content, ""};
  reader.check_checksum(reader.member(root, "checksum"), *calibration);
  if (reader.error()) return *reader.error();
  wire::drop_zeros(*calibration);
  return calibration;
}

}  // namespace logit
