#include "input/platform/part_readers.hpp"

#include "base/number.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using nlohmann::json;

// Reads the value of one field. The schema has checked its form and its words.
class ValueReader {
public:
  ValueReader(const json& stated, std::string place, const Field& field, const FieldContext& context, Faults& faults)
      : json_(stated), place_(std::move(place)), field_(field), context_(context), faults_(faults) {}

  void operator()(const ValueText& value) const {
    if (value.format == form_of<Bytes>.format)
      read_size(value);
    else
      read_text(json_, place_, value);
  }
  void operator()(int* value) const { json_.get_to(*value); }
  void operator()(double* value) const { json_.get_to(*value); }
  void operator()(bool* value) const { json_.get_to(*value); }
  void operator()(const std::vector<ValueText>& list) const {
    for (std::size_t i = 0; i < list.size(); ++i)
      read_text(json_[i], pointer_to(place_, i), list[i]);
  }
  // Each kind of endpoint that the platform has needs a value.
  void operator()(const ByKind& values) const {
    if (json_.is_object() && !json_.contains("any"))
      for (const auto kind : context_.kinds)
        if (const std::string name(name_of(device_kind_names, kind)); !json_.contains(name))
          faults_.add(place_, fmt::format("the key {} is missing, and so is \"any\"; the platform has such endpoints",
                                          in_quotes(name)));
    for (std::size_t kind = 0; kind < device_kind_count; ++kind) {
      const std::string name(device_kind_names[kind]);
      if (!json_.is_object())
        read_text(json_, place_, values.texts[kind]);
      else if (const auto key = json_.contains(name) ? name : "any"; json_.contains(key))
        read_text(json_[key], pointer_to(place_, key), values.texts[kind]);
    }
  }
  void operator()(const Nested& value) const {
    if (json_.is_object())
      read_object(json_, place_, context_, faults_, value.object);
    else
      read_text(json_, place_, value.as_one.front());
  }
  void operator()(Source* value) const { *value = read_source(json_, place_, faults_); }

private:
  const json& json_;
  std::string place_;
  const Field& field_;
  const FieldContext& context_;
  Faults& faults_;

  void read_text(const json& text, const std::string& place, const ValueText& value) const {
    const auto& stated = text.get_ref<const std::string&>();
    if (!value.read(stated))
      faults_.add(place, mismatch(show(text), value.expected), near_quantity(stated, value.read));
  }
  // A size is a text, or the name of a threshold.
  void read_size(const ValueText& value) const {
    const auto size = size_of(json_, context_);
    std::vector<std::string> names;
    for (const auto& [name, threshold] : context_.thresholds)
      names.push_back(name);
    if (size)
      value.read(to_text(*size));
    else
      faults_.add(place_,
                  mismatch(show(json_), std::string(value.expected) +
                                            (names.empty() ? "" : ", or the name of a threshold of the fabric")),
                  closest(json_.get<std::string>(), names));
    if (size && size->count == 0 && field_.is_positive)
      faults_.add(place_, mismatch(show(json_), "at least 1 B"));
  }
};

} // namespace

std::optional<Bytes> size_of(const json& text, const FieldContext& context) {
  const auto named = context.thresholds.find(text.get<std::string>());
  return named != context.thresholds.end() ? named->second : parse_bytes(text.get<std::string>());
}

void read_object(const json& object, const std::string& place, const FieldContext& context, Faults& faults,
                 const Object& value) {
  for (const auto& field : value.fields)
    if (const std::string name(field.name); object.contains(name))
      std::visit(ValueReader(object[name], pointer_to(place, name), field, context, faults),
                 field.value_in(value.owner));
}

Source read_source(const json& object, const std::string& place, Faults& faults) {
  auto source = read_fields<Source>(object, place, {}, faults);
  source.claims = object.value("claims", std::vector<std::string>());
  source.curves = object.value("curves", std::vector<std::string>());
  return source;
}

namespace {

// Returns a number of at most six digits.
std::optional<std::size_t> number(std::string_view text) {
  return text.size() > 6 ? std::nullopt : number_in<std::size_t>(text);
}

// Adds the numbers of "0-3" or "8"; false if the text is no range.
bool add_numbers(std::string_view text, std::vector<std::string>& numbers) {
  const auto dash = std::min(text.find('-'), text.size());
  const auto first = number(text.substr(0, dash));
  const auto last = dash < text.size() ? number(text.substr(dash + 1)) : first;
  if (!first || !last || *first > *last)
    return false;
  for (auto each = *first; each <= *last; ++each)
    numbers.push_back(fmt::format("{:0{}}", each, dash));
  return true;
}

// Returns the texts for which a bracket stands; none if it holds no list of ranges. A single number of several digits
// is refused, since it may be a shell's choice of one digit.
std::optional<std::vector<std::string>> numbers_in(std::string_view text) {
  if (text.size() > 1 && text.find_first_of("-,") == std::string_view::npos)
    return std::nullopt;
  std::vector<std::string> numbers;
  for (;;) {
    const auto comma = std::min(text.find(','), text.size());
    if (!add_numbers(text.substr(0, comma), numbers))
      return std::nullopt;
    if (comma == text.size())
      return numbers;
    text.remove_prefix(comma + 1);
  }
}

} // namespace

std::optional<std::vector<std::string>> names_in(const std::string& text, const std::string& place, Faults& faults) {
  std::vector<std::string> names{""};
  std::string_view rest = text;
  for (auto open = rest.find('['); open != std::string_view::npos; open = rest.find('[')) {
    const auto close = rest.find(']', open);
    const auto numbers =
        close == std::string_view::npos ? std::nullopt : numbers_in(rest.substr(open + 1, close - open - 1));
    if (!numbers) {
      faults.add(place, mismatch(in_quotes(text), "ranges such as \"[0-7]\" or \"[00-15,20]\" in a name"));
      return std::nullopt;
    }
    if (names.size() * numbers->size() > most_devices) {
      faults.add(place, mismatch("more names", fmt::format("at most {}", most_devices)));
      return std::nullopt;
    }
    std::vector<std::string> longer;
    for (const auto& name : names)
      for (const auto& each : *numbers)
        longer.push_back(fmt::format("{}{}{}", name, rest.substr(0, open), each));
    names = std::move(longer);
    rest.remove_prefix(close + 1);
  }
  for (auto& name : names)
    name += rest;
  return names;
}

} // namespace kakehashi
