// FNV-1a (Fowler, Noll, Vo), 64 bits: tells texts and rows apart, no defence against an attacker.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace logit {

inline constexpr std::uint64_t kHashStart = 0xcbf29ce484222325;

constexpr std::uint64_t hash_text(std::string_view text, std::uint64_t hash = kHashStart) {
  for (const char byte : text) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  return hash;
}

// Of the bit patterns. FNV's low bits are weak for short inputs, so the result is mixed once more.
inline std::uint64_t hash_numbers(std::span<const double> values, std::uint64_t seed) {
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  std::uint64_t hash = hash_text(bytes, kHashStart ^ seed);
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

}  // namespace logit
