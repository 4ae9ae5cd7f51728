// Small valid documents and one change to each, for tables of what the readers accept and refuse.
#pragma once

#include "base/error.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace kakehashi {

// A change to a document, and the whole text of the errors that it leads to.
struct Reject {
  std::string place; // JSON pointer; "/-" at its end adds to a list
  std::string value; // JSON text; empty: the place is removed
  std::string errors;
};

// A change that is accepted.
struct Accept {
  std::string place;
  std::string value;
};

inline nlohmann::json patched(nlohmann::json document, const std::string& place, const std::string& value) {
  const nlohmann::json::json_pointer pointer(place);
  if (value.empty())
    document.at(pointer.parent_pointer()).erase(pointer.back());
  else if (place.ends_with("/-"))
    document.at(pointer.parent_pointer()).push_back(nlohmann::json::parse(value));
  else
    document[pointer] = nlohmann::json::parse(value);
  return document;
}

inline std::string lines_of(const Errors& errors) {
  std::string text;
  for (const auto& error : errors)
    text += (text.empty() ? "" : "\n") + to_text(error);
  return text;
}

template <class T> std::string errors_of(const Result<T>& result) {
  return result ? "no errors" : lines_of(result.errors());
}

} // namespace kakehashi
