// Reads a profile that profile_json wrote, and trusts nothing in it: a file may be torn or edited.
// Its entry is parse_profile. Tested by tests/wire/profile_test.cpp.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "logit/profile.h"
#include "wire/json_reader.h"
#include "wire/repeated_keys.h"

namespace logit {
namespace {

Error file_error(std::string message, std::string where) {
  Error error;
  error.code = ErrorCode::kFile;
  error.message = "not a usable profile: " + std::move(message);
  error.where = std::move(where);
  return error;
}

// A value of the file and its place, or null where there is none.
struct Node {
  const Content* value = nullptr;
  std::string place;
};

// Keeps the first thing that is wrong. After it reads go on with defaults, so that only the end
// has to look.
class ProfileReader {
 public:
  Profile profile(const Node& root) {
    Profile profile;
    check_version(member(root, "version"));
    profile.fingerprint = text(member(root, "fingerprint"));
    const Node types = member(root, "types");
    for (const Node& item : items(types)) profile.types.push_back(type_profile(item));
    for (const auto type : kTypes) check_once(profile, type, types);
    for (const Node& item : items(member(root, "notes"))) profile.notes.push_back(text(item));
    return profile;
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  static constexpr auto kTypes = {QuestionType::kNoul, QuestionType::kChoice, QuestionType::kScore};
  static constexpr auto kReadouts = {Readout::kLabel, Readout::kText, Readout::kChannel,
                                     Readout::kMix};
  static constexpr auto kFrames = {FrameKind::kPlain, FrameKind::kChat};

  void check_version(const Node& node) {
    const std::size_t version = count(node);
    if (version > std::size_t{Profile::kVersion}) {
      fail(node, "it was written by a newer version");
    } else if (version < std::size_t{Profile::kVersion}) {
      fail(node, "it was written by an older version");
    }
  }

  void check_once(const Profile& profile, QuestionType type, const Node& types) {
    const auto n = std::count_if(profile.types.begin(), profile.types.end(),
                                 [&](const TypeProfile& entry) { return entry.type == type; });
    if (n != 1) fail(types, std::string("one entry is needed for ") + question_type_name(type));
  }

  TypeProfile type_profile(const Node& node) {
    TypeProfile entry;
    entry.type = named(member(node, "type"), kTypes, question_type_name);
    entry.best = way(member(node, "best"));
    entry.chance = number(member(node, "chance"), 0, 1);
    entry.at_chance = flag(member(node, "at_chance"));
    for (const Node& item : items(member(node, "results"))) entry.results.push_back(result(item));
    return entry;
  }

  WayResult result(const Node& node) {
    WayResult result;
    result.way = way(node);
    result.n = count(member(node, "n"));
    result.n_right = count(member(node, "n_right"));
    if (result.n_right > result.n) fail(member(node, "n_right"), "more than n");
    result.log_loss = number(member(node, "log_loss"), 0, std::numeric_limits<double>::max());
    result.label_mass = number(member(node, "label_mass"), 0, 1);
    return result;
  }

  Way way(const Node& node) {
    return {named(member(node, "readout"), kReadouts, readout_name),
            named(member(node, "frame"), kFrames, frame_kind_name)};
  }

  Node member(const Node& node, std::string_view key) {
    Node found{nullptr,
               node.place.empty() ? std::string(key) : node.place + "." + std::string(key)};
    const auto* members = get<Content::Object>(node);
    if (members == nullptr) {
      fail(node, "an object is needed");
      return found;
    }
    for (const auto& [name, value] : *members) {
      if (name == key) found.value = &value;
    }
    if (found.value == nullptr) fail(found, "it is missing");
    return found;
  }

  std::vector<Node> items(const Node& node) {
    std::vector<Node> nodes;
    const auto* values = get<Content::Array>(node);
    if (values == nullptr) {
      fail(node, "a list is needed");
      return nodes;
    }
    for (std::size_t i = 0; i < values->size(); ++i) {
      nodes.push_back({&(*values)[i], node.place + "[" + std::to_string(i) + "]"});
    }
    return nodes;
  }

  std::string text(const Node& node) {
    const auto* value = get<std::string>(node);
    if (value != nullptr) return *value;
    fail(node, "a string is needed");
    return {};
  }

  bool flag(const Node& node) {
    const auto* value = get<bool>(node);
    if (value != nullptr) return *value;
    fail(node, "true or false is needed");
    return false;
  }

  double number(const Node& node, double least, double most) {
    const auto value = parsed<double>(node);
    if (value && *value >= least && *value <= most) return *value;
    fail(node, value ? "the number is out of range" : "a number is needed");
    return least;
  }

  std::size_t count(const Node& node) {
    const auto value = parsed<std::size_t>(node);
    if (value) return *value;
    fail(node, "a whole number is needed");
    return 0;
  }

  template <class Enum>
  Enum named(const Node& node, std::initializer_list<Enum> all, const char* (*name_of)(Enum)) {
    const std::string name = text(node);
    for (const Enum each : all) {
      if (name == name_of(each)) return each;
    }
    fail(node, "an unknown name");
    return *all.begin();
  }

  template <class T>
  static const T* get(const Node& node) {
    return node.value == nullptr ? nullptr : std::get_if<T>(&node.value->value);
  }

  // from_chars and not strtod, which reads the locale.
  template <class T>
  static std::optional<T> parsed(const Node& node) {
    const auto* number = get<Content::Number>(node);
    if (number == nullptr) return std::nullopt;
    const char* begin = number->spelling.data();
    const char* end = begin + number->spelling.size();
    T value{};
    const auto [stop, failure] = std::from_chars(begin, end, value);
    if (failure != std::errc() || stop != end) return std::nullopt;
    return value;
  }

  void fail(const Node& node, std::string message) {
    if (!error_) error_ = file_error(std::move(message), node.place);
  }

  std::optional<Error> error_;
};

}  // namespace

Result<Profile> parse_profile(std::string_view json) {
  auto content = wire::read_json(json);
  if (!content) return file_error(content.error().message, content.error().where);
  wire::keep_last_members(*content);
  ProfileReader reader;
  Profile profile = reader.profile({&*content, ""});
  if (reader.error()) return *reader.error();
  return profile;
}

}  // namespace logit
