// Keeps the faults of a request body and turns them into the one Error that carries them.
// Tested by tests/wire/faults_test.cpp.
#include "wire/faults.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "logit/content.h"

namespace logit::wire {
namespace {

std::vector<LocStep> loc_of(const Place* place) {
  std::vector<LocStep> loc;
  for (; place != nullptr; place = place->parent) {
    if (const auto* key = std::get_if<std::string_view>(&place->step)) {
      loc.emplace_back(std::string(*key));
    } else {
      loc.emplace_back(std::get<std::size_t>(place->step));
    }
  }
  std::reverse(loc.begin(), loc.end());
  return loc;
}

std::size_t bytes_of(const Fault& fault) {
  std::size_t n = sizeof(Fault) + fault.msg.size();
  for (const LocStep& step : fault.loc) {
    n += sizeof(LocStep);
    if (const auto* key = std::get_if<std::string>(&step)) n += key->size();
  }
  return n;
}

bool is_plain_word(std::string_view key) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return !key.empty() && key.find_first_not_of(kPlain) == std::string_view::npos;
}

}  // namespace

void FaultList::add(const char* type, const Place* place, std::string msg) {
  if (n_bytes_ > kMaxBytes) return;
  faults_.push_back({.type = type, .loc = loc_of(place), .msg = std::move(msg)});
  n_bytes_ += bytes_of(faults_.back());
  if (n_bytes_ > kMaxBytes) {
    faults_.push_back({.type = "truncated", .loc = {}, .msg = "further faults are not listed"});
  }
}

std::string loc_text(std::span<const LocStep> loc) {
  std::string out;
  for (const LocStep& step : loc) {
    if (const auto* index = std::get_if<std::size_t>(&step)) {
      out.append("[").append(std::to_string(*index)).append("]");
      continue;
    }
    if (!out.empty()) out += '.';
    const auto& key = std::get<std::string>(step);
    if (is_plain_word(key)) {
      out += key;
    } else {
      append_json_string(out, key);
    }
  }
  return out;
}

Error schema_error(std::vector<Fault> faults) {
  assert(!faults.empty());
  Error error;
  error.code = ErrorCode::kSchema;
  error.message = faults.front().msg;
  if (faults.size() > 1) {
    error.message += " (" + std::to_string(faults.size()) + " faults in all)";
  }
  error.where = loc_text(faults.front().loc);
  error.faults = std::move(faults);
  return error;
}

}  // namespace logit::wire
