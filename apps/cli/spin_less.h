// Threads that share a busy machine.
#pragma once

namespace logit::cli {

// llama.cpp's threads meet hundreds of times in one evaluation and spin while they wait. On a
// machine with other work the one that is waited for is often not running, and each meeting costs
// a time slice: 22 s instead of 9 s were measured (docs/measurements.md). A short spin costs
// nothing on an idle machine. The OpenMP runtime reads its settings before main() begins, so the
// program starts itself again with GOMP_SPINCOUNT set, unless the caller has set it or
// OMP_WAIT_POLICY. Returns when nothing is to be done or it cannot be done. REQUIRES: no other
// thread runs.
void spin_less(char** argv);

}  // namespace logit::cli
