#include "writer/platform_writer.hpp"

#include "base/text.hpp"
#include "writer/json_values.hpp"

namespace kakehashi {
namespace {

using IsWanted = bool (*)(const Field& field);

Json chosen_fields(const Object& object, IsWanted is_wanted);

struct ValueWriter {
  Json operator()(const ValueText& value) const { return value.write(); }
  Json operator()(const int* value) const { return *value; }
  Json operator()(const double* value) const { return rounded(*value); }
  Json operator()(const bool* value) const { return *value; }
  Json operator()(const std::vector<ValueText>& list) const {
    Json json = Json::array();
    for (const auto& value : list)
      json.push_back(value.write());
    return json;
  }
  // Returns one text if all kinds of endpoints agree, otherwise an object with the kinds that differ from the first.
  Json operator()(const ByKind& values) const {
    const auto& first = values.texts.front();
    Json by_kind{{"any", first.write()}};
    for (std::size_t k = 0; k < device_kind_count; ++k)
      if (can_run_ranks(static_cast<DeviceKind>(k)) && *values.texts[k].number != *first.number)
        by_kind[std::string(device_kind_names[k])] = values.texts[k].write();
    return by_kind.size() > 1 ? by_kind : by_kind["any"];
  }
  Json operator()(const Nested& value) const {
    return value.is_one ? Json(value.as_one.front().write()) : fields_to_json(value.object);
  }
  Json operator()(Source* value) const { return fields_to_json(object_of(*value)); }
};

// Writes the selected fields; of these, only those that differ from a field that is left out.
Json chosen_fields(const Object& object, IsWanted is_wanted) {
  Json json = Json::object();
  for (const auto& field : object.fields)
    if (is_wanted(field) && (field.is_needed || !field.is_usual_in(object.owner)))
      json[std::string(field.name)] = std::visit(ValueWriter(), field.value_in(object.owner));
  return json;
}

} // namespace

Json fields_to_json(const Object& object) {
  return chosen_fields(object, [](const Field&) { return true; });
}

Json to_json(const Source& source) {
  auto json = fields_to_json(source);
  json["from"] = shortened(source.from, longest_source); // there may be many logs
  add_if_any(json, "claims", source.claims);
  add_if_any(json, "curves", source.curves);
  return json;
}

Json source_with(const Json& object, const std::string& field, const std::string& from) {
  constexpr std::string_view between = "; ";
  const auto own = field + ": ";
  const Json old = object.value("source", Json::object());
  auto all = own + from;
  const auto text = old.value("from", "");
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find(between, begin), text.size());
    if (!text.substr(begin, end - begin).starts_with(own))
      all.append(between).append(text, begin, end - begin);
    begin = end + between.size();
  }
  return to_json(Source{SourceKind::calibrated, std::move(all), old.value("claims", std::vector<std::string>()),
                        old.value("curves", std::vector<std::string>())});
}

Json to_json(const Regime& regime) {
  auto json = fields_to_json(regime);
  json.erase("source");
  return json;
}

Json to_json(const Adjustment& adjustment) {
  auto json = fields_to_json(adjustment);
  if (amounts_of(adjustment).contains("copy_factor"))
    json["copy_factor"] = rounded(adjustment.copy_factor);
  json.erase("source"); // so that it is last
  json["source"] = to_json(adjustment.source);
  return json;
}

Json amounts_of(const Adjustment& stated) {
  auto adjustment = stated;
  auto json = chosen_fields(object_of(adjustment), [](const Field& field) { return field.better != Better::neither; });
  if (json.empty())
    json["copy_factor"] = rounded(adjustment.copy_factor);
  return json;
}

} // namespace kakehashi
