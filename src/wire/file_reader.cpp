// Reads values and says where one is wrong; entry: FileReader. Tested by
// tests/wire/profile_test.cpp and tests/calibration/calibration_json_test.cpp.
#include "wire/file_reader.h"

namespace logit::wire {
namespace {

template <class T>
const T* get(const Node& node) {
  return node.value == nullptr ? nullptr : std::get_if<T>(&node.value->value);
}

template <class T>
std::optional<T> parsed(const Node& node) {
  return node.value == nullptr ? std::nullopt : parsed_number<T>(*node.value);
}

}  // namespace

void FileReader::fail(const Node& node, std::string message) {
  if (error_) return;
  error_.emplace();
  error_->code = ErrorCode::kFile;
  error_->message = "not a usable " + what_ + ": " + std::move(message);
  error_->where = node.place;
}

void FileReader::check_version(const Node& node, std::size_t ours) {
  const std::size_t version = count(node);
  if (version > ours) {
    fail(node, "it was written by a newer version");
  } else if (version < ours) {
    fail(node, "it was written by an older version");
  }
}

Node FileReader::optional(const Node& node, std::string_view key) {
  Node found{nullptr, node.place.empty() ? std::string(key) : node.place + "." + std::string(key)};
  const auto* members = get<Content::Object>(node);
  if (members == nullptr) {
    fail(node, "an object is needed");
    return found;
  }
  for (const auto& [name, value] : *members) {
    if (name == key) found.value = &value;
  }
  return found;
}

Node FileReader::member(const Node& node, std::string_view key) {
  Node found = optional(node, key);
  if (found.value == nullptr) fail(found, "it is missing");
  return found;
}

std::vector<Node> FileReader::items(const Node& node) {
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

std::string FileReader::text(const Node& node) {
  const auto* value = get<std::string>(node);
  if (value != nullptr) return *value;
  fail(node, "a string is needed");
  return {};
}

std::vector<std::string> FileReader::texts(const Node& node) {
  std::vector<std::string> values;
  for (const Node& item : items(node)) values.push_back(text(item));
  return values;
}

bool FileReader::flag(const Node& node) {
  const auto* value = get<bool>(node);
  if (value != nullptr) return *value;
  fail(node, "true or false is needed");
  return false;
}

double FileReader::number(const Node& node, double least, double most) {
  const auto value = parsed<double>(node);
  if (value && *value >= least && *value <= most) return *value;
  fail(node, value ? "the number is out of range" : "a number is needed");
  return least;
}

std::vector<double> FileReader::numbers(const Node& node, double least, double most) {
  std::vector<double> values;
  for (const Node& item : items(node)) values.push_back(number(item, least, most));
  return values;
}

std::size_t FileReader::count(const Node& node) {
  const auto value = parsed<std::size_t>(node);
  if (value) return *value;
  fail(node, "a whole number is needed");
  return 0;
}

}  // namespace logit::wire
