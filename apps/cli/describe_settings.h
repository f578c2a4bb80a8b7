// Settings with their sources, for machines and for people.
#pragma once

#include <string>

#include "logit/content.h"
#include "settings.h"

namespace logit::cli {

// {"temperature": {"value": "2.5", "source": "flag", "variable": "LOGIT_TEMPERATURE"}, ...}
Content settings_json(const Settings& settings);

// One aligned line a setting.
std::string settings_text(const Settings& settings);

}  // namespace logit::cli
