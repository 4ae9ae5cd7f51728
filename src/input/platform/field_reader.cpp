#include "input/platform/field_reader.hpp"

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
  return source;
}

} // namespace kakehashi
