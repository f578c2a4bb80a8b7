// Minimises by L-BFGS and by golden section; entries: minimise, minimise_between. Tested by
// tests/calibration/minimise_test.cpp.
#include "calibration/minimise.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <utility>

namespace logit::calibration {
namespace {

constexpr std::size_t kMemory = 10;
constexpr int kSteps = 300;
constexpr double kFlat = 1e-7;     // of the gradient's length over that of x
constexpr double kNoGain = 1e-13;  // of a step, over the value

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add(Vector& a, double scale, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += scale * b[i];
}

struct Pair {
  Vector step;    // of x
  Vector change;  // of the gradient
  double product = 0;
};

// Minus the gradient, times what the last steps say of the inverse Hessian.
Vector direction(const std::deque<Pair>& pairs, const Vector& gradient) {
  Vector d = gradient;
  Vector shares(pairs.size());
  for (std::size_t i = pairs.size(); i-- > 0;) {
    shares[i] = dot(pairs[i].step, d) / pairs[i].product;
    add(d, -shares[i], pairs[i].change);
  }
  if (!pairs.empty()) {
    const Pair& last = pairs.back();
    const double scale = last.product / dot(last.change, last.change);
    for (double& value : d) value *= scale;
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    add(d, shares[i] - dot(pairs[i].change, d) / pairs[i].product, pairs[i].step);
  }
  for (double& value : d) value = -value;
  return d;
}

}  // namespace

std::vector<double> minimise(const Objective& f, std::vector<double> x) {
  Vector gradient(x.size());
  double value = f(x, gradient);
  std::deque<Pair> pairs;
  for (int step = 0; step < kSteps; ++step) {
    const double length = std::sqrt(dot(gradient, gradient));
    if (length <= kFlat * (1 + std::sqrt(dot(x, x)))) break;
    Vector d = direction(pairs, gradient);
    double slope = dot(d, gradient);
    double size = pairs.empty() ? std::min(1.0, 1 / length) : 1;
    Vector next;
    Vector next_gradient(x.size());
    const double last_value = value;
    bool is_lower = false;
    for (int halving = 0; halving < 50 && !is_lower; ++halving, size /= 2) {
      next = x;
      add(next, size, d);
      const double next_value = f(next, next_gradient);
      is_lower = next_value <= value + 1e-4 * size * slope && next_value < value;
      if (is_lower) value = next_value;
    }
    if (!is_lower) break;
    Pair pair{next, next_gradient, 0};
    add(pair.step, -1, x);
    add(pair.change, -1, gradient);
    pair.product = dot(pair.step, pair.change);
    if (pair.product > 0) pairs.push_back(std::move(pair));
    if (pairs.size() > kMemory) pairs.pop_front();
    x = std::move(next);
    gradient = std::move(next_gradient);
    if (last_value - value < kNoGain * (1 + std::abs(value))) break;
  }
  return x;
}

double minimise_between(double low, double high, const std::function<double(double)>& f) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double a = high - ratio * (high - low);
  double b = low + ratio * (high - low);
  double at_a = f(a);
  double at_b = f(b);
  while (high - low > 1e-7) {
    if (at_a <= at_b) {
      high = std::exchange(b, a);
      at_b = at_a;
      a = high - ratio * (high - low);
      at_a = f(a);
    } else {
      low = std::exchange(a, b);
      at_a = at_b;
      b = low + ratio * (high - low);
      at_b = f(b);
    }
  }
  return (low + high) / 2;
}

}  // namespace logit::calibration
