// Comma-separated values (RFC 4180): quoted cells may hold separators, line breaks and doubled
// quotes; lines end in LF or CRLF.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "logit/result.h"

namespace logit::eval {

struct CsvRecord {
  std::size_t line = 0;  // where it begins, from 1
  std::vector<std::string> cells;
};

// All records; a line with nothing in it is skipped. Errors: kSchema, Error::where is
// "source:line": a quote inside an unquoted cell, text behind a closing quote, a quote that is
// never closed.
Result<std::vector<CsvRecord>> parse_csv(std::string_view text, char separator,
                                         const std::string& source);

}  // namespace logit::eval
