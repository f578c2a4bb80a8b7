// Everything that the symbol test must find; see tests/boundaries.cmake.
#include <cstdio>
#include <cstdlib>

void prints_and_exits() {
  std::puts(std::getenv("HOME"));
  std::exit(1);
}
