#include "input/json/json_document.hpp"

#include "base/file.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace kakehashi {
namespace {

using nlohmann::json;

constexpr std::size_t deepest = 100;
constexpr std::size_t most_values = 1000000; // each takes about a hundred bytes or more

std::string line_and_column(const std::string& text, std::size_t position) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(position, text.size()));
  const auto line = 1 + std::count(text.begin(), end, '\n');
  const auto line_start = std::find(std::make_reverse_iterator(end), text.rend(), '\n').base();
  return fmt::format("line {}, column {}", line, end - line_start + 1);
}

// Reads the text once before values are built, and notes the order of places, repeated keys and syntax errors.
class PlaceRecorder : public nlohmann::json_sax<json> {
public:
  PlaceRecorder(const std::string& text, const std::string& file) : text_(text), file_(file) { note(""); }

  Errors errors;
  std::unordered_map<std::string, std::size_t> order;

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return open(false); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    auto& level = levels_.back();
    level.child = pointer_to(level.pointer, name);
    if (!level.keys.insert(name).second)
      errors.push_back(
          input_error(file_, level.child, mismatch("the key " + in_quotes(name) + " twice", "each only once")));
    note(level.child);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& what) override {
    errors.push_back(syntax_error(text_, file_, position, what.what()));
    return false;
  }

private:
  struct Level {
    std::string pointer;
    bool is_array = false;
    std::size_t next = 0;
    std::string child;
    std::set<std::string> keys;
  };

  const std::string& text_;
  const std::string& file_;
  std::vector<Level> levels_;
  std::size_t values_ = 0;

  void note(const std::string& pointer) { order.emplace(pointer, order.size()); }

  std::string enter() {
    if (levels_.empty())
      return "";
    auto& level = levels_.back();
    if (level.is_array) {
      level.child = pointer_to(level.pointer, level.next++);
      note(level.child);
    }
    return level.child;
  }
  // Counts a value; false if there are too many.
  bool count(const std::string& pointer) {
    if (++values_ <= most_values)
      return true;
    errors.push_back(
        input_error(file_, pointer,
                    fmt::format("this is value {}, expected at most {} in a file; patterns, ranges and networks say "
                                "much in a few",
                                values_, most_values)));
    return false;
  }
  bool value() { return count(enter()); }
  bool open(bool is_array) {
    auto pointer = enter();
    if (!count(pointer))
      return false;
    if (levels_.size() >= deepest) {
      errors.push_back(
          input_error(file_, pointer, mismatch("deeper nesting", fmt::format("at most {} levels", deepest))));
      return false;
    }
    levels_.push_back({std::move(pointer), is_array, 0, "", {}});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }
};

} // namespace

Error syntax_error(const std::string& text, const std::string& file, std::size_t position, std::string reason) {
  if (const auto at = reason.find("syntax error"); at != std::string::npos)
    reason = reason.substr(at);
  else if (const auto bracket = reason.rfind("] "); bracket != std::string::npos)
    reason = reason.substr(bracket + 2);
  // The parser's message repeats the last token, however long; the line and column suffice.
  const auto token = reason.find("; last read: ");
  const auto rest = reason.rfind("; expected ");
  if (token != std::string::npos)
    reason.erase(token, rest != std::string::npos && rest > token ? rest - token : std::string::npos);
  return input_error(file, line_and_column(text, position == 0 ? 0 : position - 1),
                     "not JSON: " + shortened(reason, 200));
}

JsonValue::JsonValue() : JsonValue(json()) {}
JsonValue::JsonValue(json value) : value_(std::make_shared<json>(std::move(value))) {}
JsonValue::JsonValue(const JsonValue& other) : JsonValue(*other) {}

Errors JsonDocument::in_document_order(Errors errors) const {
  const auto rank = [this](std::string place) {
    for (;;) {
      if (const auto found = order.find(place); found != order.end())
        return found->second;
      const auto slash = place.rfind('/');
      if (slash == std::string::npos)
        return order.size(); // the place of a syntax error; nothing is read after it
      place.resize(slash);
    }
  };
  std::stable_sort(errors.begin(), errors.end(),
                   [&](const Error& a, const Error& b) { return rank(a.place) < rank(b.place); });
  const auto same = [](const Error& a, const Error& b) {
    return a.file == b.file && a.place == b.place && a.message == b.message;
  };
  errors.erase(std::unique(errors.begin(), errors.end(), same), errors.end());
  return errors;
}

Result<JsonDocument> parse_json(const std::string& text, const std::string& file) {
  if (const auto nul = text.find('\0'); nul != std::string::npos) // the parser would take it for the end
    return input_error(file, line_and_column(text, nul), "not JSON: a NUL character");
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) // versions of the parser report this differently
    return file_error(ErrorKind::input, file, "empty, expected JSON");
  PlaceRecorder places(text, file);
  const bool whole = json::sax_parse(text, &places);
  JsonDocument document{file, {}, std::move(places.order)};
  if (!whole || !places.errors.empty())
    return document.in_document_order(std::move(places.errors));
  *document.root = json::parse(text);
  return document;
}

Result<JsonDocument> read_json(const std::string& file) {
  const auto text = read_text(file);
  if (!text)
    return text.errors();
  return parse_json(*text, file);
}

std::string pointer_to(const std::string& parent, const std::string& key) {
  std::string pointer = parent + '/';
  for (const char c : shortened(key, 120))
    if (is_control(c))
      pointer += fmt::format("\\u{:04x}", static_cast<int>(c));
    else if (c == '~')
      pointer += "~0";
    else if (c == '/')
      pointer += "~1";
    else
      pointer += c;
  return pointer;
}

std::string pointer_to(const std::string& parent, std::size_t index) {
  return parent + '/' + std::to_string(index);
}

std::optional<std::size_t> index_of(std::string_view step) {
  return step.size() > 1 && step.front() == '0' ? std::nullopt : number_in<std::size_t>(step);
}

std::string show(const json& value) {
  if (value.is_object())
    return "an object";
  if (value.is_array())
    return "an array";
  return shortened(value.dump(-1, ' ', false, json::error_handler_t::replace), 60);
}

} // namespace kakehashi
