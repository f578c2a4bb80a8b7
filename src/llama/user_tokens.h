// UserTokens: the tokens that a GGUF calls user-defined, found in text.
//
// llama.cpp matches them in any text, before everything else and whatever it is asked to parse.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "logit/token_tree.h"

namespace logit {

class UserTokens {
 public:
  struct Match {
    Token id = -1;
    std::size_t size = 0;  // bytes
  };

  void add(const std::string& text, Token id);

  // The longest of them that the text has at byte `at`.
  std::optional<Match> match(std::string_view text, std::size_t at) const;

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::unordered_map<std::string, Token, Hash, std::equal_to<>> ids_;
  std::array<std::vector<std::size_t>, 256> sizes_;  // by first byte, longest first
};

}  // namespace logit
