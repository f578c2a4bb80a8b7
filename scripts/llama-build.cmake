# Read by llama-cpp-python's build right after its project() line (scripts/setup asks for that):
# llama.cpp's "common" library, a quarter of the compile time, is nothing this project links. A
# plain variable wins over the cache entry that the package's own CMakeLists.txt forces on.
set(LLAMA_BUILD_COMMON OFF)
