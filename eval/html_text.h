// Text inside HTML: nothing that rows or names say can become markup.
#pragma once

#include <string>
#include <string_view>

namespace logit::eval {

// For text and for attribute values in double quotes: & < > " ' and control characters.
std::string escaped(std::string_view text);

}  // namespace logit::eval
