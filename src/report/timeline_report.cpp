#include "report/timeline_report.hpp"

#include <fmt/format.h>

namespace kakehashi {

std::string limits_text(const Timeline& timeline) {
  std::string text;
  const auto tell = [&](Timeline::Coverage coverage, std::string_view what) {
    if (coverage.shown < coverage.all)
      text += fmt::format("{} {} busiest of {} {}", text.empty() ? "" : ",", coverage.shown, coverage.all, what);
  };
  tell(timeline.rank_coverage(), "ranks");
  tell(timeline.link_coverage(), "links");
  if (!text.empty())
    text = "only the" + text;
  if (const auto end = timeline.details_end())
    text +=
        fmt::format("{}{}", text.empty() ? "" : "; ", fmt::format("nothing after {:.3f} us", in_microseconds(*end)));
  if (!text.empty())
    text = fmt::format("more than {} events: {}; totals are of all", timeline.most_events(), text);
  return text;
}

} // namespace kakehashi
