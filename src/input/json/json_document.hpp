// A JSON file → its values and their places, so that faults can be listed in document order.
#pragma once

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <unordered_map>

namespace kakehashi {

// A value that only includers of nlohmann/json.hpp can look into. A copy has a value of its own.
class JsonValue {
public:
  JsonValue();                              // null
  explicit JsonValue(nlohmann::json value); // braces would turn an object into a list
  JsonValue(const JsonValue& other);
  JsonValue(JsonValue&& other) noexcept = default; // `other` may only be assigned to afterwards
  JsonValue& operator=(JsonValue other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }

  nlohmann::json& operator*() { return *value_; }
  const nlohmann::json& operator*() const { return *value_; }
  nlohmann::json* operator->() { return value_.get(); }
  const nlohmann::json* operator->() const { return value_.get(); }

private:
  std::shared_ptr<nlohmann::json> value_; // shared with no other JsonValue
};

struct JsonDocument {
  std::string file; // as the user wrote it
  JsonValue root;
  std::unordered_map<std::string, std::size_t> order; // JSON pointer → position of its first mention

  // Sorts errors by place in the document and drops repeated ones.
  Errors in_document_order(Errors errors) const;
};

// Errors: the file is not readable, is no JSON (with line and column), is nested too deeply, or has a key twice in one
// object.
Result<JsonDocument> read_json(const std::string& file);
Result<JsonDocument> parse_json(const std::string& text, const std::string& file);

// The error for a text that nlohmann's parser refuses at byte `position` (from 1) for `reason`.
Error syntax_error(const std::string& text, const std::string& file, std::size_t position, std::string reason);

// Appends a step to a JSON pointer, escaped as in RFC 6901. Control characters are escaped as in JSON strings, and long
// keys are shortened, so that a place always fits into a message.
std::string pointer_to(const std::string& parent, const std::string& key);
std::string pointer_to(const std::string& parent, std::size_t index);

// Returns the index that a step of a JSON pointer is: for "0" or "12", but not for "012".
std::optional<std::size_t> index_of(std::string_view step);

// Returns the value as messages show it: shortened if it is long.
std::string show(const nlohmann::json& value);

} // namespace kakehashi
