#include "input/growth/doubling_plan.hpp"

#include "input/growth/growth_parts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

std::optional<std::vector<BitRange>> ranges_beyond(const std::vector<BitRange>& smaller,
                                                   const std::vector<BitRange>& larger, int times) {
  if (smaller.size() != larger.size())
    return std::nullopt;
  std::vector<BitRange> ranges;
  for (std::size_t i = 0; i < larger.size(); ++i) {
    const auto further = [&](int BitRange::*number) {
      return larger[i].*number + times * (larger[i].*number - smaller[i].*number);
    };
    ranges.push_back({further(&BitRange::from), further(&BitRange::to), further(&BitRange::count)});
  }
  return ranges;
}

void add_bit(std::vector<BitRange>& ranges, int from, int to) {
  if (!ranges.empty() && ranges.back().from + ranges.back().count == from &&
      ranges.back().to + ranges.back().count == to)
    ++ranges.back().count;
  else
    ranges.push_back({from, to, 1});
}

// Whether each bit moves to a place of its own.
bool keeps_bits(const BitPartner& partner, int bits) {
  unsigned from = 0, to = 0;
  for (const auto& ranges : {partner.moved, partner.inverted})
    for (const auto& range : ranges)
      if (range.count < 1 || range.from < 0 || range.to < 0 || range.from + range.count > bits ||
          range.to + range.count > bits)
        return false;
  for (const auto& range : partner.moved)
    for (int i = 0; i < range.count; ++i) {
      from ^= 1u << (range.from + i);
      to ^= 1u << (range.to + i);
    }
  return from == (1u << bits) - 1 && to == from;
}

bool is_rule(const BitPartner& partner, const std::vector<int>& partners) {
  for (std::size_t rank = 0; rank < partners.size(); ++rank)
    if (partner.of(static_cast<int>(rank)) != partners[rank])
      return false;
  return true;
}

std::optional<BitPartner> ring_of(const std::vector<int>& partners) {
  if (partners[0] <= 0)
    return std::nullopt;
  const int bits = std::countr_zero(partners.size());
  const int bit = std::countr_zero(static_cast<unsigned>(partners[0]));
  for (int end = bit + 2; end <= bits; ++end)
    for (const int sign : {1, -1})
      if (const auto partner = partner_at({bit, end, sign}, bits); is_rule(partner, partners))
        return partner;
  return std::nullopt;
}

} // namespace

int BitPartner::of(int rank) const {
  if (ring) {
    const int mask = (1 << (ring->end - ring->bit)) - 1;
    return (rank & ~(mask << ring->bit)) | (((rank >> ring->bit) + ring->sign) & mask) << ring->bit;
  }
  int partner = 0;
  for (const auto& [from, to, count] : moved)
    partner |= (rank >> from & ((1 << count) - 1)) << to;
  for (const auto& range : inverted)
    partner ^= ((1 << range.count) - 1) << range.to;
  return partner;
}

std::optional<BitStage> BitPartner::stage() const {
  if (ring)
    return ring;
  const bool stay = moved.size() == 1 && moved[0].from == moved[0].to;
  if (!stay || inverted.size() != 1 || inverted[0].count != 1)
    return std::nullopt;
  return BitStage{inverted[0].to, inverted[0].to + 1, 0};
}

std::optional<BitPartner> bit_partner_of(const std::vector<int>& partners) {
  const int bits = std::countr_zero(partners.size());
  BitPartner partner;
  for (int bit = 0; bit < bits; ++bit) {
    if (partners[0] >> bit & 1)
      add_bit(partner.inverted, bit, bit);
    const auto moved = static_cast<unsigned>(partners[std::size_t{1} << bit] ^ partners[0]);
    if (!std::has_single_bit(moved))
      return ring_of(partners);
    add_bit(partner.moved, bit, std::countr_zero(moved));
  }
  return is_rule(partner, partners) ? std::optional(std::move(partner)) : ring_of(partners);
}

BitPartner partner_at(BitStage stage, int bits) {
  if (stage.sign != 0 && stage.end > stage.bit + 1)
    return {{}, {}, stage};
  return {{{0, 0, bits}}, {{stage.bit, stage.bit, 1}}, {}};
}

std::optional<BitPartner> beyond(const BitPartner& smaller, const BitPartner& larger, int times, int bits) {
  if (larger.ring) {
    const auto from = smaller.stage();
    if (!from || (from->sign != 0 && from->sign != larger.ring->sign))
      return std::nullopt;
    const BitStage stage{larger.ring->bit + times * (larger.ring->bit - from->bit),
                         larger.ring->end + times * (larger.ring->end - from->end), larger.ring->sign};
    return stage.bit >= 0 && stage.end > stage.bit && stage.end <= bits ? std::optional(partner_at(stage, bits))
                                                                        : std::nullopt;
  }
  auto moved = ranges_beyond(smaller.moved, larger.moved, times);
  auto inverted = ranges_beyond(smaller.inverted, larger.inverted, times);
  if (!moved || !inverted)
    return std::nullopt;
  BitPartner partner{std::move(*moved), std::move(*inverted), {}};
  return keeps_bits(partner, bits) ? std::optional(std::move(partner)) : std::nullopt;
}

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
