// The ways of a run → what their costs go by, and where that is from.
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
RulesUsed rules_used(const Platform& platform, const WayTable& ways); // by the ways that were asked for

// Those of another row, too.
void add(RulesUsed more, std::optional<RulesUsed>& all);

} // namespace kakehashi
