// The ways of a run → the parameters that their costs depend on, and the sources of these.
#pragma once

#include "result/record.hpp"
#include "transport/way_table.hpp"

namespace kakehashi {

struct RulesUsed {
  std::vector<ParameterSource> sources;
  AssumedRules assumed = AssumedRules::none;
  static constexpr auto fields(auto& self) {
    auto& [sources, assumed] = self;
    return std::tie(sources, assumed);
  }
};
RulesUsed rules_used(const Platform& platform, const WayTable& ways); // considers the ways that the run asked for

// Adds the rules of another row.
void add(RulesUsed more, std::optional<RulesUsed>& all);

} // namespace kakehashi
