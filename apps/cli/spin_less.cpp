// Restarts the program with a shorter spin. Entry: spin_less. Tested by tests/cli/program_test.sh.
#include "spin_less.h"

#include <unistd.h>

#include <cstdlib>

namespace logit::cli {

void spin_less(char** argv) {
  if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  if (setenv("GOMP_SPINCOUNT", "10000", 1) != 0) return;
  execv("/proc/self/exe", argv);
}

}  // namespace logit::cli
