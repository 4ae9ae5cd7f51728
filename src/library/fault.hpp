// Errors as values → the exception that the library throws.
#pragma once

#include "base/error.hpp"
#include "kakehashi/error.hpp"

namespace kakehashi::api {

[[noreturn]] inline void throw_faults(const kakehashi::Errors& errors) {
  std::vector<std::string> faults;
  for (const auto& error : errors)
    faults.push_back(to_text(error));
  throw Error(std::move(faults));
}

template <class T> T value_or_throw(kakehashi::Result<T> result) {
  if (!result)
    throw_faults(result.errors());
  return std::move(*result);
}

} // namespace kakehashi::api
