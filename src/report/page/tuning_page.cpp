// The result of tuning a library → a page.
#include "base/text.hpp"
#include "report/draw/lanes.hpp"
#include "report/findings.hpp"
#include "report/page/pages.hpp"
#include "writer/number_form.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using ShownRange = std::pair<const TunedOperation*, TunedRange>;

// Returns the ranges of the proposed placement in which the choice changes.
std::vector<ShownRange> changed_ranges(const Tuning& all) {
  std::vector<ShownRange> found;
  for (const auto& operation : all.operations)
    for (const auto& range : ranges_of(operation))
      if (operation.placement == all.placement && range.first->is_changed)
        found.push_back({&operation, range});
  return found;
}

std::string range_text(const ShownRange& each) {
  const auto& [operation, range] = each;
  const auto from = operation->collective == Collective::barrier ? "" : ", from " + to_text(Bytes{range.first->size});
  return fmt::format("{}{} of {} ranks: {}", row_of(operation->collective).name, from, operation->ranks,
                     range.first->chosen.name);
}

Figure gains_figure(std::span<const ShownRange> ranges) {
  constexpr std::size_t most = 64;
  LaneChart chart{"Gain of each proposed choice over the library's own", "gain (%)", {}, {}, AxisForm::linear, true};
  for (const auto& each : ranges.first(std::min(most, ranges.size()))) {
    const auto& range = each.second;
    const auto text = range_text(each);
    const auto says = fmt::format("{}, {} to {}", text, signed_percent(range.least), signed_percent(range.most));
    const auto sure = range.is_measured
                          ? "measured"
                          : fmt::format("{:.0f} % sure", 100 * certainty(each.first->collective, range.least));
    chart.lanes.push_back({text,
                           {{0, 100 * range.least, Paint::good, says, false},
                            {100 * range.least, 100 * range.most, Paint::good, says, true}},
                           {},
                           sure});
  }
  return figure_of("Gains", "The thick bar is the least gain of a range of sizes, the thin one the greatest.", chart);
}

std::string summary_of(const Tuning& all, std::span<const ShownRange> ranges) {
  std::size_t sizes = 0, changed = 0;
  for (const auto& operation : all.operations)
    if (operation.placement == all.placement)
      for (const auto& each : operation.sizes) {
        ++sizes;
        changed += each.is_changed ? 1 : 0;
      }
  if (ranges.empty())
    return fmt::format("The library's own choice stays at all of {}.", counted(sizes, "size"));
  const auto best = std::ranges::max_element(ranges, {}, [](const ShownRange& each) { return each.second.most; });
  return fmt::format("Another algorithm is proposed at {} of {}; the most is gained by {}, {}.", changed,
                     counted(sizes, "size"), range_text(*best), signed_percent(best->second.most));
}

} // namespace

Page page_of(const Tuning& all) {
  const auto library = selector_names[static_cast<std::size_t>(all.library)];
  const auto ranges = changed_ranges(all);
  Page page{fmt::format("{} on {}", library, all.platform),
            summary_of(all, ranges),
            {{"library", std::string(library)},
             {"platform", all.platform},
             {"fabric", all.fabric},
             {"ranks", std::to_string(all.ranks)},
             {"placement", all.placements[all.placement].name},
             {"runs", std::to_string(all.runs)}},
            {}};
  PageSection section{"Choices", {}};
  if (!ranges.empty())
    section.parts.push_back(gains_figure(ranges));
  const auto parts = report_of(all).parts();
  add_tables(parts, section);
  page.sections.push_back(std::move(section));
  page.sections.push_back({"Table", {table_of("All sizes", report_of(all).sheet())}});
  add_remarks(parts, page);
  return page;
}

} // namespace kakehashi
