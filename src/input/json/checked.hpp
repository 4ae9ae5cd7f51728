// A JSON value that no schema has checked → its contents. The value knows its place. A request for contents that it
// does not have throws a Misfit, which the reader of the file turns into its Error.
#pragma once

#include "base/error.hpp"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

struct Misfit {
  std::string place;
  std::string message;

  Error in(const std::string& file) const { return input_error(file, place, message); }
};

class Checked {
public:
  // The value must outlive it.
  Checked(const nlohmann::json& value, std::string place) : value_(&value), place_(std::move(place)) {}

  std::string text() const;
  double number() const;
  std::uint64_t count() const; // a whole number from 0
  bool flag() const;

  // These need a value that is an array.
  std::vector<Checked> elements() const;
  std::vector<Checked> elements(std::size_t count) const; // the array must have this many
  std::vector<std::string> texts() const;

  // These need a value that is an object.
  Checked at(const std::string& key) const;
  std::optional<Checked> find(const std::string& key) const;
  bool has(const std::string& key) const { return find(key).has_value(); }
  std::vector<std::pair<std::string, Checked>> members() const;

  bool is_null() const;
  bool is_text() const;

  [[noreturn]] void refuse(std::string_view expected) const; // throws a Misfit that states what the value is

private:
  const nlohmann::json* value_;
  std::string place_;
};

} // namespace kakehashi
