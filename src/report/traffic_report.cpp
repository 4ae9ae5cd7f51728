#include "report/run_report.hpp"

#include "base/text.hpp"
#include "report/tree.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace kakehashi {
namespace {

constexpr std::size_t most_columns = 16;

struct Scale {
  std::string_view unit;
  double bytes;
};

// Returns the scale in which the largest field has one to three digits before the point.
Scale scale_of(const std::vector<TrafficPair>& pairs) {
  constexpr std::array scales{Scale{"GB", 1e9}, Scale{"MB", 1e6}, Scale{"kB", 1e3}};
  const auto most = std::ranges::max(pairs, {}, [](const TrafficPair& pair) { return pair.field.bytes; }).field.bytes;
  const auto fitting = std::ranges::find_if(scales, [&](const Scale& scale) { return most >= scale.bytes; });
  return fitting == scales.end() ? Scale{"B", 1} : *fitting;
}

} // namespace

void add_traffic(const Traffic& traffic, ReportParts& parts) {
  const auto shown = traffic.coarser(most_columns);
  const auto pairs = shown.pairs();
  if (pairs.empty())
    return;
  std::uint64_t messages = 0;
  for (const auto& pair : pairs)
    messages += pair.field.messages;
  const auto scale = scale_of(pairs);
  std::size_t width = 7;
  for (std::size_t i = 0; i < shown.blocks(); ++i)
    width = std::max(width, shown.name_of(i).size());
  Listing matrix{fmt::format("who sends to whom: {} from the rank at the left to the one above, {} in all", scale.unit,
                             counted(messages, "message")),
                 {left("", width)},
                 {}};
  for (std::size_t from = 0; from < shown.blocks(); ++from) {
    matrix.heads.push_back(right(shown.name_of(from), width));
    auto& cells = matrix.rows.emplace_back(ListedRow{fmt::format("{:>{}}", shown.name_of(from), width)});
    for (std::size_t to = 0; to < shown.blocks(); ++to) {
      const auto& field = shown.at(from, to);
      cells.push_back(field.messages == 0 ? "." : fmt::format("{:.3g}", field.bytes / scale.bytes));
    }
  }
  parts.push_back(std::move(matrix));
}

Json to_json(const Traffic& traffic) {
  return {{"ranks_together", traffic.block()}, {"pairs", json_list(traffic.pairs(), [&](const TrafficPair& pair) {
                                                  return Json{{"from", pair.from * traffic.block()},
                                                              {"to", pair.to * traffic.block()},
                                                              {"messages", pair.field.messages},
                                                              {"bytes", rounded(pair.field.bytes)}};
                                                })}};
}

} // namespace kakehashi
