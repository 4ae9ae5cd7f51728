// Why a message or a run takes its time → a page.
#include "report/draw/lanes.hpp"
#include "report/findings.hpp"
#include "report/page/curve_parts.hpp"
#include "report/page/machine_drawing.hpp"
#include "report/page/pages.hpp"
#include "report/page/time_parts.hpp"
#include "writer/number_form.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

Figure waterfall_figure(const MessageExplanation& all) {
  LaneChart chart{"The steps of the message, one after the other", "time (us)", {}, {}, AxisForm::linear, true};
  for (const auto& step : all.waterfall) {
    const double start = in_microseconds(step.start);
    const double end = in_microseconds(step.end);
    const double share = percent(step.end - step.start, all.total);
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

// The links of the route count as used.
void add_effects(std::span<const Effect> effects, Page& page) {
  if (!effects.empty())
    page.sections.push_back({"What would help", {effects_figure(effects), all_effects(effects)}});
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
  page.sections.push_back({"Where the time goes", {waterfall_figure(all)}});
  PageSection way{"Its way", {machine_figure(machine, "The route, and how busy the message keeps each link")}};
  const auto parts = report_of(all).parts();
  add_tables(parts, way);
  page.sections.push_back(std::move(way));
  add_effects(all.effects, page);
  add_remarks(parts, page);
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
      {"The machine", {machine_figure(machine, "Use of links over the whole run"), links_table(all.links)}});
  add_effects(all.effects, page);
  add_remarks(report_of(all).parts(), page);
  return page;
}

} // namespace kakehashi
