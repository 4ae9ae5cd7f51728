// A user's mistake or a failed run as a value: what was found where, what was expected, and what may have been meant.
#pragma once

#include "base/text.hpp"

#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

namespace kakehashi {

// Exit codes 2, 2, 1, 1 and 130. `system` is a fault of this machine at this time, such as too little memory.
enum class ErrorKind { usage, input, run, system, interrupt };

struct Error {
  ErrorKind kind = ErrorKind::input;
  std::string file;       // may be empty
  std::string place;      // JSON pointer, or "line 3, column 7"; empty: the whole file
  std::string message;    // the whole statement: got "10 Gb", expected a rate such as "1 GB/s"
  std::string suggestion; // what may have been meant; may be empty
  static constexpr auto fields(auto& self) {
    auto& [kind, file, place, message, suggestion] = self;
    return std::tie(kind, file, place, message, suggestion);
  }
};

// Errors that concern a place in a file, or the whole file.
Error input_error(std::string file, std::string place, std::string message, std::string suggestion = "");
Error file_error(ErrorKind kind, std::string file, std::string message);
// Errors that concern no file.
Error usage_error(std::string message, std::string suggestion = "");
Error run_error(std::string message);
Error system_error(std::string message);

using Errors = std::vector<Error>;

// `got FOUND, expected EXPECTED`: the usual message.
std::string mismatch(std::string_view found, std::string_view expected);

// `file: place: message (did you mean "suggestion"?)`
std::string to_text(const Error& error);

int exit_code(std::span<const Error> errors);

// The candidate that is closest to a misspelt word; empty if none is close.
std::string closest(std::string_view word, std::span<const std::string> candidates);

// A value, or all the errors that prevented it, in document order.
template <class T> class Result {
public:
  Result(T value) : state_(std::move(value)) {}
  Result(Errors errors) : state_(std::move(errors)) {}
  Result(Error error) : state_(Errors{std::move(error)}) {}

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<T>(state_); }
  const T& value() const { return std::get<T>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Errors& errors() const { return std::get<Errors>(state_); }

private:
  std::variant<T, Errors> state_;
};

} // namespace kakehashi
