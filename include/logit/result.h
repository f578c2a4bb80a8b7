// Result<T> holds a T, or the Error that explains why there is none.
//
// It has the part of std::expected's interface that this project uses, so that
// a later move to C++23 is one alias. (g++ 12 has no std::expected in C++20
// mode, and no and_then() in C++23 mode; clang++ 14 has neither.)
#pragma once

#include <cassert>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace logit {

// What a caller may want to tell apart. Details for people go in the message.
// The numbers are not part of any format; the names (error_code_name) are.
enum class ErrorCode : unsigned char {
  kSchema,             // the request breaks the wire format; Error::faults lists every fault
  kConfig,             // a setting or flag is missing, unknown or out of range
  kLabelBoundary,      // a label is not one own token where the prompt puts it
  kBackendContract,    // an engine broke a promise of backend.h
  kVisionUnsupported,  // the request has a picture and the model cannot see
  kImage,              // a picture cannot be decoded
  kMissingDependency,  // something the build left out is needed
  kTooLong,            // the prompt exceeds the context or the token budget
  kBusy,               // the queue is full; retry later
  kCancelled,          // the caller asked to stop
  kModelLoad,          // the model file is missing or unusable
  kModelRun,           // the model failed on a valid prompt
  kFile,               // a file cannot be read or written
  kInternal,           // a bug in this library
};

// "schema", "config", "label_boundary", ...: stable, lower case, for programs.
const char* error_code_name(ErrorCode code);

// One step of a place inside a JSON document: a key or an array index.
using LocStep = std::variant<std::string, std::size_t>;

// One fault of a request body. `loc` starts below the body: {"questions", "q", "criteria", 3}.
struct Fault {
  std::string type;  // stable name, e.g. "missing", "wrong_type", "too_many"
  std::vector<LocStep> loc;
  std::string msg;  // one sentence for people
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;          // one sentence, no trailing newline
  std::string where{};          // the place: a field path, "file:line", a flag; may be empty
  std::vector<Fault> faults{};  // kSchema only: all of them, in document order
};

// The value of a Result that carries none.
struct Done {};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const noexcept { return state_.index() == 0; }

  // REQUIRES: *this holds a value.
  T& operator*() & { return *value(); }
  const T& operator*() const& { return *value(); }
  T&& operator*() && { return std::move(*value()); }
  T* operator->() { return value(); }
  const T* operator->() const { return value(); }

  // REQUIRES: *this holds an error.
  const Error& error() const& {
    assert(state_.index() == 1);
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    assert(state_.index() == 1);
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  T* value() {
    assert(state_.index() == 0);
    return std::get_if<0>(&state_);
  }
  const T* value() const {
    assert(state_.index() == 0);
    return std::get_if<0>(&state_);
  }

  std::variant<T, Error> state_;
};

}  // namespace logit
