#include "study/score/validation.hpp"

#include "study/score/scored_line.hpp"

namespace kakehashi {

Validation validate(const Catalogue& catalogue, bool large, int jobs, const Team* team, const StudyProgress& progress) {
  auto lines = lines_of(catalogue, large);
  Runs runs;
  std::vector<Wanted> wanted;
  for (const auto& line : lines)
    wanted.push_back(line.row.now.reason.empty() ? runs.want(line, {}) : Wanted{});
  runs.run(jobs, team, progress);
  Validation validation;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto& row = lines[i].row.now;
    if (!wanted[i].empty())
      outcome_of(lines[i], runs, wanted[i], row);
    validation.rows.push_back(std::move(row));
  }
  return validation;
}

} // namespace kakehashi
