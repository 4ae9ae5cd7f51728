#include "report/report_parts.hpp"

#include "base/text.hpp"
#include "report/column.hpp"
#include "writer/json_values.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
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

namespace {

ColumnsOf<TrafficPair> pair_columns(const Traffic& traffic) {
  const auto rank = [&](std::size_t TrafficPair::*end) {
    return [&, end](const TrafficPair& pair) {
      return Datum(pair.*end * traffic.block()).shown_as(traffic.name_of(pair.*end));
    };
  };
  return {{"from", right("from rank"), {}, rank(&TrafficPair::from)},
          {"to", right("to rank"), {}, rank(&TrafficPair::to)},
          {"messages", right("messages"), {}, [](const TrafficPair& pair) { return pair.field.messages; }},
          {"bytes", right("MB"), {3, Unit::megabytes}, [](const TrafficPair& pair) { return pair.field.bytes; }}};
}

} // namespace

Json to_json(const Traffic& traffic) {
  return {{"ranks_together", traffic.block()}, {"pairs", list_of(pair_columns(traffic), traffic.pairs())}};
}

Listing all_pairs(const Traffic& traffic) {
  auto pairs = traffic.pairs();
  std::ranges::stable_sort(pairs, std::greater(), [](const TrafficPair& pair) { return pair.field.bytes; });
  return listing_of("Pairs of ranks", pair_columns(traffic), pairs);
}

} // namespace kakehashi
