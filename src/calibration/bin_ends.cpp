// Where the bins of a reliability diagram end. Entry: bin_ends of calibration.h. Tested by
// tests/calibration/measure_test.cpp.
#include <algorithm>

#include "logit/calibration.h"

namespace logit {

std::vector<std::size_t> bin_ends(std::span<const double> sorted, std::size_t n_bins) {
  const std::size_t n = sorted.size();
  std::vector<std::size_t> ends;
  std::size_t begin = 0;
  for (std::size_t bin = 1; bin <= n_bins && begin < n; ++bin) {
    std::size_t end = std::max(begin, bin * n / n_bins);
    while (end > begin && end < n && sorted[end] == sorted[end - 1]) ++end;
    if (end > begin) ends.push_back(end);
    begin = end;
  }
  return ends;
}

}  // namespace logit
