// Why a message or a run takes its time → a report.
#include "report/check_report.hpp"
#include "report/findings.hpp"
#include "report/run_report.hpp"
#include "report/tree.hpp"
#include "result/explanation.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

constexpr std::size_t most_effects = 2;

double mb_per_s(BytesPerSecond rate) {
  return rate.value / 1e6;
}

std::string sizes_text(const Regime& regime) {
  return fmt::format("{} to {}", to_text(regime.from), regime.to ? "below " + to_text(*regime.to) : "any size");
}

// Adds the first `most` effects, and whether the prediction depends on a guess.
void add_effects(const std::vector<Effect>& effects, std::size_t most, ReportParts& parts) {
  if (!effects.empty())
    parts.push_back(Note{"what would help most, each a tenth better:"});
  for (std::size_t i = 0; i < std::min(most, effects.size()); ++i)
    parts.push_back(Item{fmt::format("{:+7.2f} %  {} of {}{}", 100 * effects[i].change, effects[i].what,
                                     effects[i].place, effects[i].is_assumed ? " (assumed)" : "")});
  if (!effects.empty() && effects.front().is_assumed)
    parts.push_back(Note{"what matters most is assumed; `kakehashi calibrate` replaces it by what logs show"});
}

void add_crossings(const std::vector<Crossing>& crossings, ReportParts& parts) {
  for (const auto& each : crossings)
    parts.push_back(Note{fmt::format(
        "{} is on {}, {} on {}: the {} crosses {}, at {:.0f} MB/s{}", each.from, each.from_socket, each.to,
        each.to_socket, name_of(memory_access_names, each.access), name_of(each.crosses), mb_per_s(each.rate),
        each.nearer.empty() ? "" : fmt::format("; not that of {}", fmt::join(each.nearer, ", ")))});
}

Listing hops_of(const ExplainedStage& stage) {
  Listing listing{"", {left("route", 58), right("latency (us)", 12), right("MB/s", 12)}, {}};
  for (const auto& hop : stage.hops)
    listing.rows.push_back({hop.to.empty() ? fmt::format("  limited leg {} ({})", hop.from, hop.kind)
                                           : fmt::format("  {} -> {} ({})", hop.from, hop.to, hop.kind),
                            hop.to.empty() ? "" : us_text(hop.latency), fmt::format("{:.1f}", mb_per_s(hop.capacity))});
  return listing;
}

void add_stage(const MessageExplanation& all, const ExplainedStage& stage, ReportParts& parts) {
  if (all.stages.size() > 1)
    parts.push_back(Note{fmt::format("stage {} to {}, fabric {}", stage.from, stage.to, stage.fabric)});
  const auto before = stage.rules_before > 0 ? fmt::format("; the {} before it do not fit", stage.rules_before) : "";
  parts.push_back(Note{fmt::format(
      "rule {}: {}{}", stage.rule,
      stage.because.empty() ? "fits every path" : fmt::format("{}", fmt::join(stage.because, ", ")), before)});
  const auto& regime = stage.regime;
  parts.push_back(
      Note{fmt::format("regime {}: {}, {}{}", sizes_text(regime), name_of(protocol_names, regime.protocol()),
                       regime.trips == 1 ? "1 trip" : fmt::format("{} trips", regime.trips),
                       regime.provider.empty() ? "" : ", provider " + regime.provider)});
  parts.push_back(Note{fmt::format("its values: {}{}", name_of(source_kind_names, regime.source.kind),
                                   regime.source.from.empty() ? "" : " (" + regime.source.from + ")"),
                       1});
  if (stage.hops.empty())
    parts.push_back(Note{"route: inside the device, no links"});
  else
    parts.push_back(hops_of(stage));
  if (const auto text = choice_text(stage.ways); !text.empty())
    parts.push_back(Note{"route: " + text});
  for (const auto& adjustment : stage.adjustments)
    parts.push_back(Note{"adjustment " + adjustment});
  parts.push_back(Note{fmt::format("a trip takes {:.3f} us", in_microseconds(stage.trip))});
}

Listing steps_of(const MessageExplanation& all) {
  Listing listing{"", {right("start (us)", 12), right("time (us)", 12), right("share", 7), left("step", 0, 2)}, {}};
  for (const auto& step : all.waterfall) {
    const auto time = step.end - step.start;
    listing.rows.push_back({us_text(step.start), us_text(time), percent_text(time, all.total), step.what});
  }
  listing.rows.push_back({"", us_text(all.total), "100.0 %", "total"});
  return listing;
}

ReportParts parts_of(const MessageExplanation& all) {
  ReportParts parts{Note{
      fmt::format("{} from {} to {} over {} of {}", to_text(all.size), all.from, all.to, all.fabric, all.platform)}};
  for (const auto& stage : all.stages)
    add_stage(all, stage, parts);
  if (all.piece < all.size)
    parts.push_back(Note{fmt::format("in pieces of {}; the steps that decide the time:", to_text(all.piece))});
  parts.push_back(steps_of(all));
  parts.push_back(Note{"bottleneck: " + all.bottleneck});
  add_crossings(all.crossings, parts);
  if (all.effects.empty())
    parts.push_back(Note{"no single parameter changes this time"});
  add_effects(all.effects, most_effects, parts);
  return parts;
}

ReportParts parts_of(const RunExplanation& all) {
  ReportParts parts{Note{fmt::format("{} on {}, fabric {}: {:.3f} us, {} messages", all.scenario, all.platform,
                                     all.fabric, in_microseconds(all.total), all.messages)},
                    Note{"most of the time: " + to_text(all.reason)}, listing_of(all.links)};
  add_crossings(all.crossings, parts);
  add_effects(all.effects, 2 * most_effects, parts);
  if (!all.without_effect.empty())
    parts.push_back(Note{"never mattered (a tenth changes nothing):"});
  for (const auto& effect : all.without_effect)
    parts.push_back(Item{effect.what + " of " + effect.place});
  return parts;
}

Json tree_of(const std::vector<Effect>& effects) {
  return json_list(effects, [](const Effect& effect) {
    return Json{{"place", effect.place},
                {"parameter", effect.what},
                {"change", rounded(effect.change)},
                {"assumed", effect.is_assumed}};
  });
}

Json tree_of(const std::vector<Crossing>& crossings) {
  return json_list(crossings, [](const Crossing& each) {
    return Json{{"from", each.from},
                {"from_socket", each.from_socket},
                {"to", each.to},
                {"to_socket", each.to_socket},
                {"access", name_of(memory_access_names, each.access)},
                {"crosses", name_of(each.crosses)},
                {"mbytes_per_s", rounded(mb_per_s(each.rate))},
                {"nearer", each.nearer}};
  });
}

Json tree_of(const ExplainedStage& stage) {
  Json hops = Json::array();
  for (const auto& hop : stage.hops) {
    Json json{{"from", hop.from}};
    add_if_any(json, "to", hop.to);
    json.update({{"kind", hop.kind},
                 {"latency_us", rounded_us(hop.latency)},
                 {"mbytes_per_s", rounded(mb_per_s(hop.capacity))}});
    hops.push_back(std::move(json));
  }
  const auto& regime = stage.regime;
  Json json{{"fabric", stage.fabric}, {"from", stage.from},       {"to", stage.to},
            {"rule", stage.rule},     {"because", stage.because}, {"from_bytes", regime.from.count}};
  if (regime.to)
    json["to_bytes"] = regime.to->count;
  json.update({{"protocol", name_of(protocol_names, regime.protocol())}, {"trips", regime.trips}});
  add_if_any(json, "provider", regime.provider);
  json.update({{"source", {{"kind", name_of(source_kind_names, regime.source.kind)}, {"from", regime.source.from}}},
               {"trip_us", rounded_us(stage.trip)},
               {"adjustments", stage.adjustments},
               {"hops", hops}});
  for (const auto& way : stage.ways)
    json["ways"].push_back({{"links", way.links},
                            {"latency_us", rounded_us(way.latency)},
                            {"mbytes_per_s", rounded(mb_per_s(way.rate))},
                            {"equals", way.equals},
                            {"time_us", rounded_us(way.time)}});
  return json;
}

Json tree_of(const MessageExplanation& all) {
  Json json{{"schema_version", 1},
            {"platform", all.platform},
            {"platform_file", all.platform_file},
            {"fabric", all.fabric},
            {"from", all.from},
            {"to", all.to},
            {"bytes", all.size.count},
            {"piece_bytes", all.piece.count}};
  json["stages"] = json_list(all.stages, [](const ExplainedStage& stage) { return tree_of(stage); });
  json["waterfall"] = json_list(all.waterfall, [](const auto& step) {
    return Json{{"step", step.what}, {"start_us", rounded_us(step.start)}, {"end_us", rounded_us(step.end)}};
  });
  json["total_us"] = rounded_us(all.total);
  json["bottleneck"] = all.bottleneck;
  json["crossings"] = tree_of(all.crossings);
  json["effects_of_a_tenth"] = tree_of(all.effects);
  return json;
}

Json tree_of(const RunExplanation& all) {
  return {{"schema_version", 1},
          {"scenario", all.scenario},
          {"platform", all.platform},
          {"fabric", all.fabric},
          {"total_us", rounded_us(all.total)},
          {"messages", all.messages},
          {"reason", all.reason.what},
          {"reason_share", rounded(all.reason.share)},
          {"links", to_json(all.links)},
          {"crossings", tree_of(all.crossings)},
          {"effects_of_a_tenth", tree_of(all.effects)},
          {"never_mattered", tree_of(all.without_effect)}};
}

} // namespace

Report report_of(const MessageExplanation& all) {
  return {[&] { return parts_of(all); }, nullptr, [&] { return tree_of(all); }};
}
Report report_of(const RunExplanation& all) {
  return {[&] { return parts_of(all); }, nullptr, [&] { return tree_of(all); }};
}

} // namespace kakehashi
