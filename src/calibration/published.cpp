// Temperatures that others measured. Entry: published_label_temperature of calibration.h.
// Tested by tests/calibration/published_test.cpp.
#include <string>

#include "logit/calibration.h"

namespace logit {
namespace {

struct Published {
  std::string_view name;  // in lower case, with dashes; a part of the model's name
  double temperature;
};

constexpr Published kPublished[] = {{"qwen3-vl-4b", 1.25}, {"qwen3-4b-instruct-2507", 6.0}};

// "Qwen3 4B_Instruct" and "qwen3-4b-instruct" are one name.
std::string dashed(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == ' ' || c == '_') {
      text += '-';
    } else {
      text += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
  }
  return text;
}

}  // namespace

std::optional<double> published_label_temperature(std::string_view model_name) {
  const std::string name = dashed(model_name);
  for (const Published& published : kPublished) {
    if (name.find(published.name) != name.npos) return published.temperature;
  }
  return std::nullopt;
}

}  // namespace logit
