// Puts a calibration on a page; entry: calibration_page. Tested by
// tests/calibration/describe_calibration_test.cpp.
#include "calibration_page.h"

#include "describe_calibration.h"
#include "eval/html_text.h"
#include "eval/plots.h"

namespace logit::cli {
namespace {

// `text` is a title in its first line, then what to say.
std::string section(const std::string& text, const FitReport& report) {
  const std::size_t end = text.find('\n');
  std::string page = "<section><h2>" + eval::escaped(text.substr(0, end)) + "</h2>\n<pre>";
  // escaped() makes spaces of line breaks.
  for (std::size_t at = end + 1; at < text.size();) {
    const std::size_t next = text.find('\n', at);
    page += eval::escaped(text.substr(at, next - at)) + "\n";
    at = next == std::string::npos ? text.size() : next + 1;
  }
  page += "</pre>\n";
  if (report.held_out && !report.held_out->reliability_before.empty()) {
    page += "<div class=\"cards\">\n" +
            eval::figure("Before", eval::reliability_plot(report.held_out->reliability_before)) +
            eval::figure("After", eval::reliability_plot(report.held_out->reliability_after)) +
            "</div>\n<p class=\"faint\">Rows held out while fitting: a dot a bin, its 95&nbsp;% "
            "interval, and the rows below. On the dashed line, confidence is what it "
            "says.</p>\n";
  }
  return page + "</section>\n";
}

}  // namespace

std::string calibration_page(const Calibration& calibration,
                             const std::vector<std::string>& names) {
  std::string page = "<p class=\"faint\">" + eval::escaped(heading_text(calibration)) + "</p>\n";
  for (std::size_t i = 0; i < calibration.questions.size(); ++i) {
    const QuestionCalibration& known = calibration.questions[i];
    page += section(question_text(known, i < names.size() ? names[i] : ""), known.report);
  }
  for (const KindCalibration& kind : calibration.kinds) {
    page += section(kind_text(kind), kind.report);
  }
  return eval::html_page("Calibration", page);
}

}  // namespace logit::cli
