// Escapes text; entry: escaped. Tested by tests/cli/html_report_test.cpp.
#include "eval/html_text.h"

namespace logit::eval {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    switch (byte) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f ? ' ' : byte;
    }
  }
  return out;
}

}  // namespace logit::eval
