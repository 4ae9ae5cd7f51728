#include "report/check_report.hpp"

#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

std::string figures_text(const WayFigures& way) {
  return fmt::format("{} ({:.3f} us, {:.1f} MB/s)", way.links, in_microseconds(way.latency), way.rate.value / 1e6);
}

} // namespace

std::string choice_text(std::span<const WayFigures> ways) {
  std::string text;
  if (ways.size() > 1)
    text = figures_text(ways.front());
  for (std::size_t i = 1; i < ways.size(); ++i)
    text += (i == 1 ? " rather than " : " or ") + figures_text(ways[i]);
  if (ways.size() > 1)
    text += fmt::format(": {:.3f} us for {}, not {:.3f} us", in_microseconds(ways[0].time), to_text(ways[0].size),
                        in_microseconds(ways[1].time));
  if (!ways.empty() && ways.front().equals > 1)
    text += fmt::format("{}one of {} equal ways, {}", text.empty() ? "" : "; ", ways.front().equals,
                        ways.front().is_spread ? "which the destination chooses" : "which all take");
  return text;
}

ReportParts parts_of(std::span<const RouteChoices> choices) {
  struct Alike {
    const RouteChoices* first;
    std::size_t pairs = 0;
  };
  std::map<std::pair<std::string, std::string>, Alike> by_text; // by fabric
  for (const auto& each : choices)
    by_text.try_emplace({each.fabric, choice_text(each.ways)}, Alike{&each}).first->second.pairs += each.more_pairs + 1;
  ReportParts parts;
  for (const auto& [text, alike] : by_text)
    parts.push_back(
        Note{fmt::format("routes of {} as from {} to {}{}: {}", text.first, alike.first->from, alike.first->to,
                         alike.pairs == 1 ? "" : fmt::format(", {} pairs in all", alike.pairs), text.second)});
  return parts;
}

} // namespace kakehashi
