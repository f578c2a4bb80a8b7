// Writes HTML; entries: escaped, html_page, figure. Tested by tests/cli/html_report_test.cpp.
#include "eval/html_text.h"

#include "eval/html_style.h"

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

std::string html_page(std::string_view title, std::string_view body) {
  const std::string name = escaped(title);
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>";
  page += name + "</title><style>" + kHtmlStyle + "</style></head><body>\n<h1>" + name + "</h1>\n";
  page += body;
  return page + "</body></html>\n";
}

std::string figure(std::string_view title, std::string_view image, std::string_view caption) {
  std::string text = "<figure><h3>" + escaped(title) + "</h3>";
  text += image;
  if (!caption.empty()) text += "<figcaption>" + std::string(caption) + "</figcaption>";
  return text + "</figure>\n";
}

}  // namespace logit::eval
