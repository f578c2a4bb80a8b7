// Reads a whole file, or standard input.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "logit/result.h"

namespace logit::eval {

inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;

// "-" is standard input. Errors: kFile with the reason; kTooLong above `max_bytes`.
Result<std::string> read_file(const std::string& path, std::size_t max_bytes = kMaxFileBytes);

// `text` without a UTF-8 byte-order mark at its start.
std::string_view without_byte_order_mark(std::string_view text);

}  // namespace logit::eval
