// A smooth function's minimum.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace logit::calibration {

// Returns the value at `x` and fills `gradient`, both of one size.
using Objective = std::function<double(std::span<const double> x, std::span<double> gradient)>;

// L-BFGS (Nocedal 1980; Nocedal and Wright, Numerical Optimization, algorithm 7.4) with
// backtracking. For convex functions; ends where no step along the search direction helps.
std::vector<double> minimise(const Objective& f, std::vector<double> start);

// Golden-section search for the minimum of a function with one valley in [low, high].
double minimise_between(double low, double high, const std::function<double(double)>& f);

}  // namespace logit::calibration
