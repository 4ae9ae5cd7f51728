#include "writer/event_lines.hpp"

#include "writer/json_values.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ostream.h>

namespace kakehashi {
namespace {

void write_json(const EngineEvent& event, std::ostream& out) {
  Json json{{"time_us", rounded_us(event.time)},
            {"category", name_of(event_category_names, event.category)},
            {"event", event.what}};
  if (event.category == EventCategory::rounds) {
    json["until_us"] = rounded_us(event.until);
    json["times"] = event.times;
  } else {
    json.update({{"message", event.message},
                 {"from", event.from},
                 {"to", event.to},
                 {"bytes", event.size.count},
                 {"stage", event.stage},
                 {"leg", event.leg}});
  }
  out << json.dump() << '\n';
}

void write_text(const EngineEvent& event, std::ostream& out) {
  fmt::print(out, "{:14.3f} us  {:7} {:20}", in_microseconds(event.time), name_of(event_category_names, event.category),
             event.what);
  if (event.category == EventCategory::rounds)
    fmt::print(out, " until {:.3f} us, for {} times as much\n", in_microseconds(event.until), event.times);
  else
    fmt::print(out, " {:>6}  rank {} to {}, {} B{}\n", event.message, event.from, event.to, event.size.count,
               event.stage + event.leg > 0 ? fmt::format(", stage {}, leg {}", event.stage, event.leg) : "");
}

} // namespace

EngineEvents event_lines(std::span<const std::string> categories, EventForm form, std::ostream& out) {
  std::array<bool, event_category_names.size()> wanted{};
  for (const auto& name : categories)
    wanted[static_cast<std::size_t>(*from_name<EventCategory>(event_category_names, name))] = true;
  return [wanted, write = form == EventForm::json ? write_json : write_text, &out](const EngineEvent& event) {
    if (wanted[static_cast<std::size_t>(event.category)])
      write(event, out);
  };
}

} // namespace kakehashi
