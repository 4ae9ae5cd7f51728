// Why a message or a run takes its time → a report.
#include "report/column.hpp"
#include "report/findings.hpp"
#include "report/report_parts.hpp"
#include "result/explanation.hpp"
#include "writer/json_values.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <span>

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

void add_crossings(const std::vector<Crossing>& crossings, RateUnit unit, ReportParts& parts) {
  for (const auto& each : crossings)
    parts.push_back(Note{fmt::format(
        "{} is on {}, {} on {}: the {} crosses {}, at {:.0f} {}{}", each.from, each.from_socket, each.to,
        each.to_socket, name_of(memory_access_names, each.access), name_of(each.crosses), unit.of(each.rate),
        unit.name(), each.nearer.empty() ? "" : fmt::format("; not that of {}", fmt::join(each.nearer, ", ")))});
}

ColumnsOf<ExplainedHop> hop_columns(RateUnit unit = {}) {
  using Hop = const ExplainedHop&;
  return {{"from", {}, {}, &ExplainedHop::from},
          {"to", {}, {}, [](Hop hop) { return some(hop.to); }},
          {"kind", {}, {}, &ExplainedHop::kind},
          {"",
           left("route", 58),
           {},
           [](Hop hop) {
             return Datum(hop.to.empty() ? fmt::format("  limited leg {} ({})", hop.from, hop.kind)
                                         : fmt::format("  {} -> {} ({})", hop.from, hop.to, hop.kind));
           }},
          {"latency_us",
           right("latency (us)", 12),
           {3},
           [](Hop hop) { return hop.to.empty() ? Datum(hop.latency).shown_as("") : Datum(hop.latency); }},
          {"mbytes_per_s", right(std::string(unit.name()), 12), form_of_rate(unit), &ExplainedHop::capacity}};
}

Listing hops_of(const ExplainedStage& stage, RateUnit unit) {
  auto listing = listing_of("", picked(hop_columns(unit), {"route", "latency_us", "mbytes_per_s"}), stage.hops);
  listing.name = fmt::format("Route from {} to {}", stage.from, stage.to);
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
    parts.push_back(hops_of(stage, all.unit));
  if (const auto text = choice_text(stage.ways); !text.empty())
    parts.push_back(Note{"route: " + text});
  if (!stage.engines.empty())
    parts.push_back(Note{stage.engines});
  for (const auto& adjustment : stage.adjustments)
    parts.push_back(Note{"adjustment " + adjustment});
  parts.push_back(Note{fmt::format("a trip takes {:.3f} us", in_microseconds(stage.trip))});
}

ColumnsOf<WaterfallStep> step_columns(Seconds total) {
  using Step = const WaterfallStep&;
  return {{"step", left("step", 0, 2), {}, &WaterfallStep::what},
          {"start_us", right("start (us)", 12), {3}, &WaterfallStep::start},
          {"end_us", right("end (us)", 12), {3}, &WaterfallStep::end},
          {"", right("time (us)", 12), {3}, [](Step step) { return step.end - step.start; }},
          {"", right("share", 7), {1, Unit::share}, [=](Step step) {
             return total.value > 0 ? (step.end - step.start) / total : 0;
           }}};
}

Listing steps_of(const MessageExplanation& all) {
  auto listing =
      listing_of("", picked(step_columns(all.total), {"start_us", "time (us)", "share", "step"}), all.waterfall);
  listing.name = "Steps";
  listing.rows.push_back({"", us_text(all.total), "100.0 %", "total"});
  return listing;
}

ColumnsOf<Effect> effect_columns() {
  return {{"place", left("place"), {}, &Effect::place},
          {"parameter", left("parameter"), {}, &Effect::what},
          {"change", right("change"), {2, Unit::share}, &Effect::change},
          {"assumed", left("assumed"), {}, &Effect::is_assumed}};
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
  add_crossings(all.crossings, all.unit, parts);
  if (all.effects.empty())
    parts.push_back(Note{"no single parameter changes this time"});
  add_effects(all.effects, most_effects, parts);
  return parts;
}

ReportParts parts_of(const RunExplanation& all, std::size_t idle) {
  ReportParts parts{Note{fmt::format("{} on {}, fabric {}: {:.3f} us, {} messages", all.scenario, all.platform,
                                     all.fabric, in_microseconds(all.total), all.messages)},
                    Note{"most of the time: " + to_text(all.reason)}, listing_of(all.links, all.unit)};
  add_crossings(all.crossings, all.unit, parts);
  add_effects(all.effects, 2 * most_effects, parts);
  if (!all.without_effect.empty())
    parts.push_back(Note{"never mattered (a tenth changes nothing):"});
  const auto listed = std::min(idle, all.without_effect.size());
  for (const auto& effect : std::span(all.without_effect).first(listed))
    parts.push_back(Item{effect.what + " of " + effect.place});
  if (const auto more = all.without_effect.size() - listed; more > 0)
    parts.push_back(Note{fmt::format("and {} more, which --all lists", more)});
  return parts;
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
  const auto& regime = stage.regime;
  Json json{{"fabric", stage.fabric}, {"from", stage.from},       {"to", stage.to},
            {"rule", stage.rule},     {"because", stage.because}, {"from_bytes", regime.from.count}};
  if (regime.to)
    json["to_bytes"] = regime.to->count;
  json.update({{"protocol", name_of(protocol_names, regime.protocol())}, {"trips", regime.trips}});
  add_if_any(json, "provider", regime.provider);
  json.update(
      {{"source", {{"kind", name_of(source_kind_names, regime.source.kind)}, {"from", regime.source.from}}},
       {"trip_us", rounded_us(stage.trip)},
       {"adjustments", stage.adjustments},
       {"hops", list_of(picked(hop_columns(), {"from", "to", "kind", "latency_us", "mbytes_per_s"}), stage.hops)}});
  add_if_any(json, "engines", stage.engines);
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
  json["waterfall"] = list_of(picked(step_columns(all.total), {"step", "start_us", "end_us"}), all.waterfall);
  json["total_us"] = rounded_us(all.total);
  json["bottleneck"] = all.bottleneck;
  json["crossings"] = tree_of(all.crossings);
  json["effects_of_a_tenth"] = list_of(effect_columns(), all.effects);
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
          {"effects_of_a_tenth", list_of(effect_columns(), all.effects)},
          {"never_mattered", list_of(effect_columns(), all.without_effect)}};
}

} // namespace

Listing all_effects(std::span<const Effect> effects) {
  return listing_of("Effects of a tenth", effect_columns(), effects);
}

Report report_of(const MessageExplanation& all) {
  return {[&] { return parts_of(all); }, nullptr, [&] { return tree_of(all); }};
}
Report report_of(const RunExplanation& all, std::size_t idle) {
  return {[&all, idle] { return parts_of(all, idle); }, nullptr, [&] { return tree_of(all); }};
}

} // namespace kakehashi
