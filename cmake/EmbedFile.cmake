# Script half of Embed.cmake.
file(READ "${INPUT}" hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE "${OUTPUT}" "#include <string_view>
static constexpr unsigned char bytes[] = {${bytes}0};
namespace ${NAMESPACE} {
extern const std::string_view ${SYMBOL};
const std::string_view ${SYMBOL}(reinterpret_cast<const char*>(bytes), sizeof bytes - 1);
}
")
