#include "result/table.hpp"

#include <algorithm>
#include <cassert>

namespace kakehashi {

const Cell& cell(const Table& table, std::size_t row, std::string_view column) {
  const auto found = std::ranges::find(table.columns, column, &Column::name);
  assert(found != table.columns.end() && row < table.rows.size());
  return table.rows[row][static_cast<std::size_t>(found - table.columns.begin())];
}

Seconds total_cost(const Table& table) {
  Seconds total;
  for (const auto& each : table.figures)
    total += each.cost;
  return total;
}

Table table_of_ends(std::string title, const std::vector<std::string>& devices, const std::vector<Seconds>& ends) {
  assert(devices.size() == ends.size());
  Table table;
  table.title = std::move(title);
  table.columns = {{"rank", "", "the rank's number"},
                   {"device", "", "the device that it is on"},
                   {"end_us", "us", "when the rank ends"}};
  table.list = "rank_ends_us";
  table.text = {{}, {{"Rank", 0, 8, 0, true}, {"Device", 1, 24, 0, true}, {"Ends at (us)", 2, 16, 3}}};
  Figures whole;
  for (std::size_t rank = 0; rank < ends.size(); ++rank) {
    table.rows.push_back({std::uint64_t{rank}, devices[rank], in_microseconds(ends[rank])});
    whole.t_max = std::max(whole.t_max, ends[rank]);
  }
  whole.t_min = whole.t_avg = whole.cost = whole.t_max;
  table.figures = {whole};
  return table;
}

} // namespace kakehashi
