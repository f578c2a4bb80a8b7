// Content as a JSON value to read from and to build: reports and row files need no JSON library.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logit/content.h"

namespace logit::eval {

// Null when `value` is no object or has no such key.
const Content* find_member(const Content& value, std::string_view key);

// No value when `value` is no number.
std::optional<double> number_of(const Content& value);

Content json_number(double value);  // null when not finite
Content json_number(const std::optional<double>& value);
Content json_count(std::size_t value);
Content json_numbers(std::span<const double> values);
Content json_texts(const std::vector<std::string>& texts);

}  // namespace logit::eval
