// A JSON value that no schema has checked → what it holds. The value knows its place; to ask it for what it does not
// hold throws a Misfit, which the reader of the file turns into its Error.
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
  std::uint64_t count() const; // a whole number from 0 on
  bool flag() const;

  // The value is an array.
  std::vector<Checked> elements() const;
  std::vector<Checked> elements(std::size_t count) const; // exactly so many
  std::vector<std::string> texts() const;

  // The value is an object.
  Checked at(const std::string& key) const;
  std::optional<Checked> find(const std::string& key) const;
  bool has(const std::string& key) const { return find(key).has_value(); }
  std::vector<std::pair<std::string, Checked>> members() const;

  bool is_null() const;
  bool is_text() const;

  [[noreturn]] void refuse(std::string_view expected) const; // with what it is

private:
  const nlohmann::json* value_;
  std::string place_;
};

} // namespace kakehashi
