// Why a message or a run takes its time → a page.
#include "report/draw/lanes.hpp"
#include "report/findings.hpp"
#include "report/page/curve_parts.hpp"
#include "report/page/machine_drawing.hpp"
#include "report/page/pages.hpp"
#include "report/page/time_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

double share_of(const MessageExplanation& all, const WaterfallStep& step) {
  return all.total.value > 0 ? (step.end - step.start) / all.total : 0;
}

Figure waterfall_figure(const MessageExplanation& all) {
  LaneChart chart{"The steps of the message, one after the other", "time (us)", {}, {}, AxisForm::linear, true};
  for (const auto& step : all.waterfall) {
    const double start = in_microseconds(step.start);
    const double end = in_microseconds(step.end);
    const double share = 100 * share_of(all, step);
    const bool is_longest = step.what == all.bottleneck;
    chart.lanes.push_back(
        {step.what,
         {{start, end, is_longest ? Paint::series_1 : Paint::series_0,
           fmt::format("{}: {:.3f} us from {:.3f} us on, {:.1f} %", step.what, end - start, start, share), false}},
         {},
         fmt::format("{:.3f} us", end - start)});
  }
  return figure_of("Waterfall",
                   fmt::format("{:.3f} us in all; the longest step has another colour.", in_microseconds(all.total)),
                   chart);
}

PageTable waterfall_table(const MessageExplanation& all) {
  PageTable table{"Steps", "", {"step", "start_us", "end_us", "time (us)", "share"}, {}};
  for (const auto& step : all.waterfall)
    table.rows.push_back({step.what, number_cell(in_microseconds(step.start), 3),
                          number_cell(in_microseconds(step.end), 3),
                          number_cell(in_microseconds(step.end - step.start), 3), percent_cell(share_of(all, step))});
  return table;
}

PageTable stages_table(const MessageExplanation& all) {
  PageTable table{"Rules and regimes",
                  "",
                  {"from", "to", "fabric", "rule", "because", "regime", "protocol", "values", "trip_us"},
                  {}};
  for (const auto& stage : all.stages) {
    const auto& regime = stage.regime;
    table.rows.push_back(
        {stage.from, stage.to, stage.fabric, stage.rule,
         stage.because.empty() ? "fits every path" : fmt::format("{}", fmt::join(stage.because, ", ")),
         fmt::format("{} to {}", to_text(regime.from), regime.to ? "below " + to_text(*regime.to) : "any size"),
         fmt::format("{}, {}", name_of(protocol_names, regime.protocol()),
                     counted(static_cast<std::size_t>(regime.trips), "trip")),
         fmt::format("{} {}", name_of(source_kind_names, regime.source.kind), regime.source.from),
         number_cell(in_microseconds(stage.trip), 3)});
  }
  return table;
}

PageTable hops_table(const MessageExplanation& all) {
  PageTable table{"Route", "", {"from", "to", "kind", "latency_us", "mbytes_per_s"}, {}};
  for (const auto& stage : all.stages)
    for (const auto& hop : stage.hops)
      table.rows.push_back({hop.from, hop.to.empty() ? empty_cell : hop.to, hop.kind,
                            number_cell(in_microseconds(hop.latency), 3), number_cell(hop.capacity.value / 1e6, 1)});
  return table;
}

// The links of the route count as used.
void add_effects(std::span<const Effect> effects, Page& page) {
  if (!effects.empty())
    page.sections.push_back({"What would help", {effects_figure(effects), effects_table(effects)}});
}

} // namespace

Page page_of(const MessageExplanation& all, const Machine& machine) {
  Page page{fmt::format("{} from {} to {}", to_text(all.size), all.from, all.to),
            fmt::format("{:.3f} us in all. Bottleneck: {}.", in_microseconds(all.total), all.bottleneck),
            {},
            {}};
  page.facts = {{"platform", all.platform}, {"fabric", all.fabric}, {"platform file", name_of_file(all.platform_file)}};
  if (all.piece < all.size)
    page.facts.push_back({"in pieces of", to_text(all.piece)});
  page.sections.push_back({"Where the time goes", {waterfall_figure(all), waterfall_table(all)}});
  PageSection way{"Its way",
                  {machine_figure(machine, "The route, and how busy the message keeps each link"), stages_table(all)}};
  if (auto hops = hops_table(all); !hops.rows.empty())
    way.parts.push_back(std::move(hops));
  page.sections.push_back(std::move(way));
  add_effects(all.effects, page);
  add_remarks(report_of(all).parts(), page);
  return page;
}

Page page_of(const RunExplanation& all, const Machine& machine) {
  Page page{all.scenario,
            fmt::format("Most of the {}: {}.",
                        all.sizes > 1 ? fmt::format("critical path over all {} sizes", all.sizes)
                                      : fmt::format("{:.3f} us", in_microseconds(all.total)),
                        to_text(all.reason)),
            {{"platform", all.platform}, {"fabric", all.fabric}, {"messages", std::to_string(all.messages)}},
            {}};
  page.sections.push_back(
      {"The machine", {machine_figure(machine, "Use of links over the whole run"), channel_table(all.links)}});
  add_effects(all.effects, page);
  if (!all.without_effect.empty()) {
    PageTable table{"Never mattered", "A tenth of these changes nothing.", {"parameter", "place"}, {}};
    for (const auto& effect : all.without_effect)
      table.rows.push_back({effect.what, effect.place});
    page.sections.back().parts.push_back(std::move(table));
  }
  add_remarks(report_of(all).parts(), page);
  return page;
}

} // namespace kakehashi
