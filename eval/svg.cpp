// Spells shapes; entry: svg_image. Tested by tests/cli/html_report_test.cpp.
#include "eval/svg.h"

#include <algorithm>

#include "eval/html_text.h"
#include "eval/spell.h"

namespace logit::eval {
namespace {

constexpr int kGridLines = 5;

std::string place(double value) { return fixed_text(value, 1); }

std::string attribute(std::string_view name, std::string_view value) {
  std::string text = " ";
  text.append(name).append("=\"").append(escaped(value)).append("\"");
  return text;
}

std::string with_title(std::string shape, std::string_view element, std::string_view title) {
  if (title.empty()) return shape + "/>";
  shape.append("><title>").append(escaped(title)).append("</title></");
  return shape.append(element).append(">");
}

const char* anchor_name(Anchor anchor) {
  if (anchor == Anchor::kStart) return "start";
  return anchor == Anchor::kMiddle ? "middle" : "end";
}

}  // namespace

std::string svg_line(Point from, Point to, std::string_view css_class) {
  return "<line" + attribute("class", css_class) + attribute("x1", place(from.x)) +
         attribute("y1", place(from.y)) + attribute("x2", place(to.x)) +
         attribute("y2", place(to.y)) + "/>";
}

std::string svg_path(const std::vector<Point>& points, std::string_view css_class) {
  std::string corners;
  for (const Point& point : points) {
    corners += (corners.empty() ? "" : " ") + place(point.x) + "," + place(point.y);
  }
  return "<polyline" + attribute("class", css_class) + attribute("points", corners) + "/>";
}

std::string svg_box(Point corner, double width, double height, std::string_view css_class,
                    std::string_view title) {
  return with_title("<rect" + attribute("class", css_class) + attribute("x", place(corner.x)) +
                        attribute("y", place(corner.y)) +
                        attribute("width", place(std::max(width, 0.0))) +
                        attribute("height", place(std::max(height, 0.0))),
                    "rect", title);
}

std::string svg_dot(Point centre, double radius, std::string_view css_class,
                    std::string_view title) {
  return with_title("<circle" + attribute("class", css_class) + attribute("cx", place(centre.x)) +
                        attribute("cy", place(centre.y)) + attribute("r", place(radius)),
                    "circle", title);
}

std::string svg_text(Point at, Anchor anchor, std::string_view text) {
  return "<text" + attribute("x", place(at.x)) + attribute("y", place(at.y)) +
         attribute("text-anchor", anchor_name(anchor)) + ">" + escaped(text) + "</text>";
}

Point Frame2d::at(double x, double y) const {
  return {left + x * (right - left), lower - y / top * (lower - upper)};
}

std::string Frame2d::drawn(std::string_view x_title, std::string_view y_title) const {
  std::string text;
  for (int i = 0; i <= kGridLines; ++i) {
    const double share = static_cast<double>(i) / kGridLines;
    const Point across = at(0, share * top);
    const Point up = at(share, 0);
    text += svg_line(across, at(1, share * top), "grid");
    text += svg_text({left - 6, across.y + 3.5}, Anchor::kEnd, fixed_text(share * top, 2));
    text += svg_text({up.x, lower + 14}, Anchor::kMiddle, fixed_text(share, 1));
  }
  text += svg_text({right, lower + 28}, Anchor::kEnd, x_title);
  // Turned, beside the y axis.
  text += "<g transform=\"translate(10 " + place(upper) + ") rotate(-90)\">" +
          svg_text({0, 0}, Anchor::kEnd, y_title) + "</g>";
  return text;
}

std::string svg_image(double height, std::string_view name, std::string_view content) {
  std::string text = "<svg" + attribute("viewBox", "0 0 360 " + place(height)) +
                     attribute("role", "img") + attribute("aria-label", name) + ">";
  return text.append(content).append("</svg>\n");
}

}  // namespace logit::eval
