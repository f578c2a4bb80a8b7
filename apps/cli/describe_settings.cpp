// Describes settings; entry: settings_text. Tested by tests/cli/settings_test.cpp.
#include "describe_settings.h"

#include <algorithm>
#include <utility>

#include "text.h"

namespace logit::cli {
namespace {

std::string shown(const SettingValue& value) {
  if (!value.text.empty()) return printable(value.text);
  return value.source == Source::kDefault ? "-" : "\"\"";
}

}  // namespace

Content settings_json(const Settings& settings) {
  Content::Object object;
  for (const SettingValue& value : settings.values) {
    const bool is_unset = value.source == Source::kDefault && value.text.empty();
    Content::Object setting;
    setting.emplace_back("value", is_unset ? Content() : Content(value.text));
    setting.emplace_back("source", source_name(value.source));
    setting.emplace_back("flag", "--" + std::string(value.spec->name));
    setting.emplace_back("variable", value.spec->variable);
    object.emplace_back(value.spec->name, Content(std::move(setting)));
  }
  return Content(std::move(object));
}

std::string settings_text(const Settings& settings) {
  std::size_t name_width = 0;
  std::size_t value_width = 0;
  for (const SettingValue& value : settings.values) {
    name_width = std::max(name_width, display_width(value.spec->name));
    value_width = std::max(value_width, display_width(shown(value)));
  }
  std::string text;
  for (const SettingValue& value : settings.values) {
    text += padded(value.spec->name, name_width + 2) + padded(shown(value), value_width + 2) +
            padded(source_name(value.source), 13) + value.spec->variable + "\n";
  }
  return text;
}

}  // namespace logit::cli
