// Pages, and text inside them: nothing that rows or names say can become markup.
#pragma once

#include <string>
#include <string_view>

namespace logit::eval {

// For text and for attribute values in double quotes: & < > " ' and control characters.
std::string escaped(std::string_view text);

// A whole page in the project's style, without a script: `title` is text, `body` is HTML.
std::string html_page(std::string_view title, std::string_view body);

// A captioned card; all but the title are HTML. No caption: nothing below the image.
std::string figure(std::string_view title, std::string_view image, std::string_view caption = {});

}  // namespace logit::eval
