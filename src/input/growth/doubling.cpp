#include "input/growth/doubling.hpp"

#include "input/growth/doubling_plan.hpp"
#include "input/growth/parts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

GrownJob job_of(const std::vector<CommonCalls>& sizes, const CommonCalls& smaller, const CommonCalls& larger,
                DoublingPlan plan, int bits) {
  std::vector<NumberOfRanks> points;
  for (const auto& size : sizes)
    points.push_back({1.0 * size.ranks(), size.work});
  const double power = power_through(points);
  const double work = std::pow(2.0, (bits - larger.bits) * power);
  const auto text = fmt::format("{} ranks from {} ({}) and {} ({})", 1 << bits, larger.name, larger.ranks(),
                                smaller.name, smaller.ranks());
  std::vector<std::string> texts{
      fmt::format("{}: each makes the calls that all make there; partners go on by the bits of a rank's number, and "
                  "{} in {} are added",
                  text, counted(plan.stages, "stage"), larger.name),
      fmt::format("work of a rank is assumed to be {:.3g} times that in {}, by the power {:.2g} of the number of ranks",
                  work, larger.name, power)};
  for (const auto* size : {&larger, &smaller})
    std::ranges::copy(size->source->warnings(), std::back_inserter(texts));
  return {doubled_source(larger, std::move(plan), bits, work, std::move(texts)), text, false};
}

} // namespace

Result<GrownJob> grow_by_doubling(const std::vector<RecordedSize>& recordings, int ranks) {
  Errors errors;
  std::vector<CommonCalls> sizes;
  for (const auto& recording : recordings)
    if (auto size = common_calls_of(recording))
      sizes.push_back(std::move(*size));
    else
      errors.push_back(size.errors().front());
  if (sizes.size() < 2 && !errors.empty())
    return errors.front();
  errors.clear();
  std::ranges::sort(sizes, std::greater{}, &CommonCalls::bits);
  const int bits = std::countr_zero(static_cast<unsigned>(ranks));
  // Grids of ranks that double along one axis after the other have the same shape only at every second or third
  // doubling.
  for (const auto& larger : sizes)
    for (const auto& smaller : sizes) {
      const int step = larger.bits - smaller.bits;
      if (step <= 0 || bits <= larger.bits || (bits - larger.bits) % step != 0)
        continue;
      auto plan = doubling_plan(smaller, larger, bits);
      if (plan)
        return job_of(sizes, smaller, larger, std::move(*plan), bits);
      errors.push_back(plan.errors().front());
    }
  if (errors.empty())
    errors.push_back(
        file_error(ErrorKind::input, recordings.front().name,
                   fmt::format("no two recordings that fit are as many doublings apart as the larger is from {}",
                               counted(static_cast<std::size_t>(ranks), "rank"))));
  return errors.front();
}

} // namespace kakehashi
