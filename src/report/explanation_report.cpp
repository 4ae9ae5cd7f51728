#include "report/explanation_report.hpp"

#include "report/number_form.hpp"
#include "report/route_report.hpp"
#include "report/summary_report.hpp"

#include <algorithm>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_effects = 2;

double mb_per_s(BytesPerSecond rate) {
  return rate.value / 1e6;
}

std::string sizes_text(const Regime& regime) {
  return fmt::format("{} to {}", to_text(regime.from), regime.to ? "below " + to_text(*regime.to) : "any size");
}

std::string effect_text(const Effect& effect) {
  return fmt::format("{:+7.2f} %  {} of {}{}", 100 * effect.change, effect.what, effect.place,
                     effect.is_assumed ? " (assumed)" : "");
}

// The prediction hangs on a guess.
void write_guess(const std::vector<Effect>& effects, std::ostream& out) {
  if (!effects.empty() && effects.front().is_assumed)
    fmt::print(out, "# what matters most is assumed; `kakehashi calibrate` puts what logs show in its place\n");
}

void write_crossings(const std::vector<Crossing>& crossings, std::ostream& out) {
  for (const auto& each : crossings)
    fmt::print(out, "# {} is on {}, {} on {}: the {} crosses {}, at {:.0f} MB/s{}\n", each.from, each.from_socket,
               each.to, each.to_socket, name_of(memory_access_names, each.access), name_of(each.crosses),
               mb_per_s(each.rate),
               each.nearer.empty() ? "" : fmt::format("; not that of {}", fmt::join(each.nearer, ", ")));
}

void write_stage(const MessageExplanation& all, const ExplainedStage& stage, std::ostream& out) {
  if (all.stages.size() > 1)
    fmt::print(out, "# stage {} to {}, fabric {}\n", stage.from, stage.to, stage.fabric);
  fmt::print(out, "# rule {}: {}{}\n", stage.rule,
             stage.because.empty() ? "fits every path" : fmt::format("{}", fmt::join(stage.because, ", ")),
             stage.rules_before > 0 ? fmt::format("; the {} before it do not fit", stage.rules_before) : "");
  const auto& regime = stage.regime;
  fmt::print(out, "# regime {}: {}, {}{}\n", sizes_text(regime), name_of(protocol_names, regime.protocol()),
             regime.trips == 1 ? "1 trip" : fmt::format("{} trips", regime.trips),
             regime.provider.empty() ? "" : ", provider " + regime.provider);
  fmt::print(out, "#   its values: {}{}\n", name_of(source_kind_names, regime.source.kind),
             regime.source.from.empty() ? "" : " (" + regime.source.from + ")");
  if (stage.hops.empty())
    fmt::print(out, "# route: inside the device, no links\n");
  else
    fmt::print(out, "{:<58} {:>12} {:>12}\n", "# route", "latency (us)", "MB/s");
  for (const auto& hop : stage.hops)
    fmt::print(out, "  {:<56} {:>12} {:>12.1f}\n",
               hop.to.empty() ? fmt::format("limited leg {} ({})", hop.from, hop.kind)
                              : fmt::format("{} -> {} ({})", hop.from, hop.to, hop.kind),
               hop.to.empty() ? "" : fmt::format("{:.3f}", in_microseconds(hop.latency)), mb_per_s(hop.capacity));
  if (const auto text = choice_text(stage.ways); !text.empty())
    fmt::print(out, "# route: {}\n", text);
  for (const auto& adjustment : stage.adjustments)
    fmt::print(out, "# adjustment {}\n", adjustment);
  fmt::print(out, "# a trip takes {:.3f} us\n", in_microseconds(stage.trip));
}

} // namespace

void write_table(const MessageExplanation& all, std::ostream& out) {
  fmt::print(out, "# {} from {} to {} over {} of {}\n", to_text(all.size), all.from, all.to, all.fabric, all.platform);
  for (const auto& stage : all.stages)
    write_stage(all, stage, out);
  if (all.piece < all.size)
    fmt::print(out, "# in pieces of {}; the steps that decide the time:\n", to_text(all.piece));
  fmt::print(out, "{:>12} {:>12} {:>7}  {}\n", "# start (us)", "time (us)", "share", "step");
  for (const auto& step : all.waterfall)
    fmt::print(out, "{:>12.3f} {:>12.3f} {:>5.1f} %  {}\n", in_microseconds(step.start),
               in_microseconds(step.end - step.start), 100 * ((step.end - step.start) / all.total), step.what);
  fmt::print(out, "{:>12} {:>12.3f} {:>5.1f} %  total\n", "", in_microseconds(all.total), 100.0);
  fmt::print(out, "# bottleneck: {}\n", all.bottleneck);
  write_crossings(all.crossings, out);
  if (all.effects.empty())
    fmt::print(out, "# no single parameter changes this time\n");
  else
    fmt::print(out, "# what would help most, each a tenth better:\n");
  for (std::size_t i = 0; i < std::min(most_effects, all.effects.size()); ++i)
    fmt::print(out, "  {}\n", effect_text(all.effects[i]));
  write_guess(all.effects, out);
}

namespace {

Json to_json(const std::vector<Effect>& effects) {
  Json list = Json::array();
  for (const auto& effect : effects)
    list.push_back({{"place", effect.place},
                    {"parameter", effect.what},
                    {"change", rounded(effect.change)},
                    {"assumed", effect.is_assumed}});
  return list;
}

Json to_json(const std::vector<Crossing>& crossings) {
  Json list = Json::array();
  for (const auto& each : crossings)
    list.push_back({{"from", each.from},
                    {"from_socket", each.from_socket},
                    {"to", each.to},
                    {"to_socket", each.to_socket},
                    {"access", name_of(memory_access_names, each.access)},
                    {"crosses", name_of(each.crosses)},
                    {"mbytes_per_s", rounded(mb_per_s(each.rate))},
                    {"nearer", each.nearer}});
  return list;
}

Json to_json(const ExplainedStage& stage) {
  Json hops = Json::array();
  for (const auto& hop : stage.hops) {
    Json json{{"from", hop.from}};
    if (!hop.to.empty())
      json["to"] = hop.to;
    json.update({{"kind", hop.kind},
                 {"latency_us", rounded(in_microseconds(hop.latency))},
                 {"mbytes_per_s", rounded(mb_per_s(hop.capacity))}});
    hops.push_back(std::move(json));
  }
  const auto& regime = stage.regime;
  Json json{{"fabric", stage.fabric}, {"from", stage.from},       {"to", stage.to},
            {"rule", stage.rule},     {"because", stage.because}, {"from_bytes", regime.from.count}};
  if (regime.to)
    json["to_bytes"] = regime.to->count;
  json.update({{"protocol", name_of(protocol_names, regime.protocol())}, {"trips", regime.trips}});
  if (!regime.provider.empty())
    json["provider"] = regime.provider;
  json.update({{"source", {{"kind", name_of(source_kind_names, regime.source.kind)}, {"from", regime.source.from}}},
               {"trip_us", rounded(in_microseconds(stage.trip))},
               {"adjustments", stage.adjustments},
               {"hops", hops}});
  for (const auto& way : stage.ways)
    json["ways"].push_back({{"links", way.links},
                            {"latency_us", rounded(in_microseconds(way.latency))},
                            {"mbytes_per_s", rounded(mb_per_s(way.rate))},
                            {"equals", way.equals},
                            {"time_us", rounded(in_microseconds(way.time))}});
  return json;
}

} // namespace

void write_json(const MessageExplanation& all, std::ostream& out) {
  Json json{{"schema_version", 1},
            {"platform", all.platform},
            {"platform_file", all.platform_file},
            {"fabric", all.fabric},
            {"from", all.from},
            {"to", all.to},
            {"bytes", all.size.count},
            {"piece_bytes", all.piece.count}};
  json["stages"] = Json::array();
  for (const auto& stage : all.stages)
    json["stages"].push_back(to_json(stage));
  json["waterfall"] = Json::array();
  for (const auto& step : all.waterfall)
    json["waterfall"].push_back({{"step", step.what},
                                 {"start_us", rounded(in_microseconds(step.start))},
                                 {"end_us", rounded(in_microseconds(step.end))}});
  json["total_us"] = rounded(in_microseconds(all.total));
  json["bottleneck"] = all.bottleneck;
  json["crossings"] = to_json(all.crossings);
  json["effects_of_a_tenth"] = to_json(all.effects);
  out << json.dump(2) << '\n';
}

void write_table(const RunExplanation& all, std::ostream& out) {
  fmt::print(out, "# {} on {}, fabric {}: {:.3f} us, {} messages\n", all.scenario, all.platform, all.fabric,
             in_microseconds(all.total), all.messages);
  fmt::print(out, "# most of the time: {}\n", to_text(all.reason));
  write_links(all.links, out);
  write_crossings(all.crossings, out);
  if (!all.effects.empty())
    fmt::print(out, "# what would help most, each a tenth better:\n");
  for (std::size_t i = 0; i < std::min(2 * most_effects, all.effects.size()); ++i)
    fmt::print(out, "  {}\n", effect_text(all.effects[i]));
  write_guess(all.effects, out);
  if (!all.without_effect.empty())
    fmt::print(out, "# never mattered (a tenth changes nothing):\n");
  for (const auto& effect : all.without_effect)
    fmt::print(out, "  {} of {}\n", effect.what, effect.place);
}

void write_json(const RunExplanation& all, std::ostream& out) {
  Json json{{"schema_version", 1},
            {"scenario", all.scenario},
            {"platform", all.platform},
            {"fabric", all.fabric},
            {"total_us", rounded(in_microseconds(all.total))},
            {"messages", all.messages},
            {"reason", all.reason.what},
            {"reason_share", rounded(all.reason.share)},
            {"links", to_json(all.links)},
            {"crossings", to_json(all.crossings)}};
  json["effects_of_a_tenth"] = to_json(all.effects);
  json["never_mattered"] = to_json(all.without_effect);
  out << json.dump(2) << '\n';
}

} // namespace kakehashi
