#include "writer/step_timeline.hpp"

#include "writer/json_values.hpp"

#include <fmt/format.h>
#include <set>

namespace kakehashi {

void write_step_trace(const StepTimes& times, std::ostream& out) {
  auto events = Json::array();
  std::set<int> stages;
  for (const auto& event : times.events) {
    if (stages.insert(event.stage).second)
      events.push_back({{"name", "process_name"},
                        {"ph", "M"},
                        {"pid", event.stage},
                        {"args", {{"name", fmt::format("stage {}", event.stage)}}}});
    events.push_back({{"name", event.name},
                      {"ph", "X"},
                      {"pid", event.stage},
                      {"tid", event.stream},
                      {"ts", rounded_us(event.from)},
                      {"dur", rounded_us(event.to - event.from)}});
  }
  out << Json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}}.dump(1) << '\n';
}

} // namespace kakehashi
