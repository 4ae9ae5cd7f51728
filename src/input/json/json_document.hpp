// A JSON file → its values, and where each stands, so that faults can be listed in the order of the document.
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

// A value whose type only those know who include nlohmann/json.hpp. A copy has a value of its own.
class JsonValue {
public:
  JsonValue();                              // null
  explicit JsonValue(nlohmann::json value); // braces would make a list of an object
  JsonValue(const JsonValue& other);
  JsonValue(JsonValue&& other) noexcept = default; // nothing but assignment may follow for the other
  JsonValue& operator=(JsonValue other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }

  nlohmann::json& operator*() { return *value_; }
  const nlohmann::json& operator*() const { return *value_; }
  nlohmann::json* operator->() { return value_.get(); }
  const nlohmann::json* operator->() const { return value_.get(); }

private:
  std::shared_ptr<nlohmann::json> value_; // of this one alone
};

struct JsonDocument {
  std::string file; // as the user wrote it
  JsonValue root;
  std::unordered_map<std::string, std::size_t> order; // JSON pointer → rank of its first mention

  // Sorts errors by place in the document and drops repeated ones.
  Errors in_document_order(Errors errors) const;
};

// Errors: not readable, not JSON (line and column), nested too deeply, or a key twice in one object.
Result<JsonDocument> read_json(const std::string& file);
Result<JsonDocument> parse_json(const std::string& text, const std::string& file);

// Of a text that nlohmann's parser refuses at that byte (from 1 on) for that reason.
Error syntax_error(const std::string& text, const std::string& file, std::size_t position, std::string reason);

// One step down a JSON pointer, escaped as RFC 6901 says. Control characters are escaped as in JSON strings, and long
// keys shortened, so that a place always fits into a message.
std::string pointer_to(const std::string& parent, const std::string& key);
std::string pointer_to(const std::string& parent, std::size_t index);

// The index that a step of a JSON pointer is: "0" or "12", but not "012".
std::optional<std::size_t> index_of(std::string_view step);

// A value as messages show it: shortened when long.
std::string show(const nlohmann::json& value);

} // namespace kakehashi
