// Shapes as SVG text and a frame with axes from 0 to 1.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace logit::eval {

struct Point {
  double x = 0;
  double y = 0;
};

std::string svg_line(Point from, Point to, std::string_view css_class);
std::string svg_path(const std::vector<Point>& points, std::string_view css_class);
std::string svg_box(Point corner, double width, double height, std::string_view css_class,
                    std::string_view title = {});
std::string svg_dot(Point centre, double radius, std::string_view css_class,
                    std::string_view title);

enum class Anchor : unsigned char { kStart, kMiddle, kEnd };
std::string svg_text(Point at, Anchor anchor, std::string_view text);

// Axes over a box of the drawing; x from 0 to 1, y from 0 to `top`.
struct Frame2d {
  double left = 44;
  double right = 348;
  double upper = 12;
  double lower = 212;
  double top = 1;

  Point at(double x, double y) const;
  // Grid, numbers at the axes, and what the axes mean.
  std::string drawn(std::string_view x_title, std::string_view y_title) const;
};

// <svg> of 360 by `height` around `content`, with an accessible name.
std::string svg_image(double height, std::string_view name, std::string_view content);

}  // namespace logit::eval
