// What tests ask of a run's table.
#pragma once

#include "result/record.hpp"

namespace kakehashi {

// When each rank ends, from a table of ranks.
inline std::vector<Seconds> ends_of(const RunRecord& record) {
  std::vector<Seconds> ends;
  for (std::size_t rank = 0; rank < record.table.rows.size(); ++rank)
    ends.push_back(microseconds(std::get<double>(cell(record.table, rank, "end_us"))));
  return ends;
}

inline std::string algorithm_of(const RunRecord& record) {
  return std::get<std::string>(cell(record.table, 0, "algorithm"));
}

} // namespace kakehashi
