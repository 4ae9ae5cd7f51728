#include "input/trace/gpu/fault_reasons.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {

void FaultReasons::add(std::string place, std::string reason) {
  constexpr std::size_t most = 20;
  const auto known = std::ranges::find(reasons_, reason, &Reason::text);
  if (known != reasons_.end())
    ++known->others;
  else if (reasons_.size() < most)
    reasons_.push_back({std::move(reason), std::move(place)});
}

Errors FaultReasons::take(const std::string& file) const {
  Errors errors;
  for (const auto& [text, place, others] : reasons_)
    errors.push_back(input_error(
        file, place, others == 0 ? text : fmt::format("{} (and at {})", text, counted(others, "more " + noun_))));
  return errors;
}

} // namespace kakehashi
