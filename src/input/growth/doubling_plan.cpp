#include "input/growth/doubling_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

constexpr std::size_t longest_stage = 16; // number of calls

// Whether two stages may be on one ring. With only two ranks nothing shows the direction around the ring.
bool may_share_ring(const BitStage& one, const BitStage& other) {
  if (one.sign != 0 && other.sign != 0)
    return one.sign == other.sign && one.end == other.end;
  return one.sign == other.sign || one.end == other.end;
}

// The calls of a job from one of them on.
class CallsFrom {
public:
  CallsFrom(const CommonCalls& all, std::size_t at) : all_(all), at_(at) {}

  bool has(std::size_t count) const { return at_ + count <= all_.calls.size(); }
  const CommonCall& operator[](std::size_t i) const { return all_.calls[at_ + i]; }
  // Returns the stage of one end of a call, if all of the call's ends concern the same bit.
  std::optional<BitStage> stage(std::size_t i, std::size_t end = 0) const {
    std::optional<BitStage> found, first;
    const auto& ends = (*this)[i].ends;
    for (std::size_t each = 0; each < ends.size(); ++each) {
      const auto own = ends[each].partner ? all_.partners[*ends[each].partner].stage() : std::nullopt;
      if (!own || (first && first->bit != own->bit))
        return std::nullopt;
      if (each == 0)
        first = own;
      if (each == end)
        found = own;
    }
    return found;
  }
  // Whether a call repeats another one for the next stage: the next bit, and tags that continue in the same steps.
  bool is_next(std::size_t next, std::size_t before, int way, int tags) const {
    if (!(*this)[next].is_like((*this)[before]))
      return false;
    for (std::size_t end = 0; end < (*this)[next].ends.size(); ++end) {
      const auto own = stage(next, end), other = stage(before, end);
      if (!own || !other || own->bit != other->bit + way || !may_share_ring(*own, *other) ||
          (*this)[next].ends[end].tag != (*this)[before].ends[end].tag + tags)
        return false;
    }
    return !(*this)[next].ends.empty();
  }
  // Returns how many stages of `length` calls follow from here; at least one, if there are calls.
  std::size_t stages(std::size_t length, int way, int tags, std::size_t most) const {
    std::size_t count = 1;
    for (; count < most && has((count + 1) * length); ++count)
      for (std::size_t i = 0; i < length; ++i)
        if (!is_next(count * length + i, (count - 1) * length + i, way, tags))
          return count;
    return count;
  }

private:
  const CommonCalls& all_;
  std::size_t at_;
};

struct Stages {
  std::size_t length = 0; // number of calls in a stage
  std::size_t count = 0;
  int way = 0;  // change of the bit from one stage to the next
  int tags = 0; // change of tags from one stage to the next
};

std::optional<Stages> stages_at(const CallsFrom& calls) {
  const auto first = calls.stage(0);
  if (!first)
    return std::nullopt;
  for (std::size_t length = 1; length <= longest_stage && calls.has(2 * length); ++length) {
    const auto next = calls.stage(length);
    if (!next)
      return std::nullopt; // the next call is no stage
    if (std::abs(next->bit - first->bit) != 1 || !calls[length].is_like(calls[0]))
      continue;
    Stages stages{length, 0, next->bit - first->bit, calls[length].ends[0].tag - calls[0].ends[0].tag};
    stages.count = calls.stages(length, stages.way, stages.tags, static_cast<std::size_t>(-1));
    if (stages.count > 1)
      return stages;
  }
  return std::nullopt;
}

class Planner {
public:
  Planner(const CommonCalls& smaller, const CommonCalls& larger, int bits)
      : smaller_(smaller), larger_(larger), bits_(bits), times_((bits - larger.bits) / (larger.bits - smaller.bits)) {}

  Result<DoublingPlan> plan() {
    std::size_t at = 0, before = 0;
    while (at < larger_.calls.size()) {
      const CallsFrom calls(larger_, at), others(smaller_, before);
      const auto stages = stages_at(calls);
      const auto other_count = stages && others.has(stages->length)
                                   ? others.stages(stages->length, stages->way, stages->tags, stages->count)
                                   : 1;
      const auto length = stages ? stages->length : 1;
      if (!others.has(other_count * length))
        return refused(fmt::format("record {} of {} has no counterpart there", calls[0].line, larger_.name));
      for (std::size_t i = 0; i < length; ++i)
        if (!calls[i].is_like(others[i]))
          return refused(fmt::format("record {} of {} is another call than record {} there", calls[i].line,
                                     larger_.name, others[i].line));
      if (stages ? !add_stages(*stages, at, before, other_count) : !add(at, before))
        return refused(fmt::format("partners at record {} do not go on to {} ranks as they did from record {} there",
                                   calls[0].line, 1 << bits_, others[0].line));
      at += length * (stages ? stages->count : 1);
      before += length * other_count;
    }
    if (before < smaller_.calls.size())
      return refused(fmt::format("record {} there has no counterpart", smaller_.calls[before].line));
    return std::move(plan_);
  }

private:
  Error refused(const std::string& why) const {
    return file_error(ErrorKind::input, larger_.name,
                      fmt::format("its calls are not those of {} with more stages: {}", smaller_.name, why));
  }
  double further(double smaller, double larger) const {
    return larger + static_cast<double>(times_) * (larger - smaller);
  }
  int further(int smaller, int larger) const { return larger + times_ * (larger - smaller); }
  double size(double smaller, double larger) const {
    return smaller > 0 && larger > 0 ? std::pow(larger / smaller, times_) : 1;
  }
  unsigned rule(BitPartner partner) {
    const auto found = std::ranges::find(plan_.partners, partner);
    if (found != plan_.partners.end())
      return static_cast<unsigned>(found - plan_.partners.begin());
    plan_.partners.push_back(std::move(partner));
    return static_cast<unsigned>(plan_.partners.size() - 1);
  }

  bool add(std::size_t at, std::size_t before) {
    const auto& call = larger_.calls[at];
    const auto& other = smaller_.calls[before];
    DoublingPlan::Call grown{at, {}, size(other.bytes, call.bytes)};
    for (std::size_t end = 0; end < call.ends.size(); ++end) {
      const auto& own = call.ends[end];
      const auto& theirs = other.ends[end];
      if (own.partner.has_value() != theirs.partner.has_value())
        return false;
      std::optional<BitPartner> partner;
      if (own.partner)
        partner = beyond(smaller_.partners[*theirs.partner], larger_.partners[*own.partner], times_, bits_);
      if (own.partner && !partner)
        return false;
      grown.ends.push_back(
          {further(theirs.tag, own.tag), partner ? std::optional(rule(std::move(*partner))) : std::nullopt});
    }
    plan_.calls.push_back(std::move(grown));
    return true;
  }

  bool add_stages(const Stages& stages, std::size_t at, std::size_t before, std::size_t other_count) {
    const CallsFrom calls(larger_, at), others(smaller_, before);
    const int count = further(static_cast<int>(other_count), static_cast<int>(stages.count));
    if (count < static_cast<int>(stages.count))
      return false;
    const auto added = static_cast<std::size_t>(count) - stages.count;
    std::vector<double> bytes(stages.length, 0); // bytes of the previous stage
    for (std::size_t stage = 0; stage < static_cast<std::size_t>(count); ++stage) {
      // Added stages repeat the last but one, because the calls after the last stage are not part of it.
      const auto recorded = stage + 1 < stages.count           ? stage
                            : stage < stages.count - 1 + added ? stages.count - 2
                                                               : stages.count - 1;
      for (std::size_t i = 0; i < stages.length; ++i) {
        const auto& own = calls[recorded * stages.length + i];
        bytes[i] = bytes_of(stages, calls, others, other_count, stage, i, bytes[i]);
        DoublingPlan::Call grown{at + recorded * stages.length + i, {}, own.bytes > 0 ? bytes[i] / own.bytes : 1};
        for (std::size_t end = 0; end < own.ends.size(); ++end) {
          const auto first = first_stage(calls, stages, stages.count, i, end);
          const auto other = first_stage(others, stages, other_count, i, end);
          if (!first || !other || (other->sign != 0 && other->sign != first->sign))
            return false;
          const BitStage partner{further(other->bit, first->bit) + static_cast<int>(stage) * stages.way,
                                 first->sign != 0 ? further(other->end, first->end) : bits_, first->sign};
          if (partner.bit < 0 || partner.bit >= bits_ || partner.end > bits_ || partner.end <= partner.bit)
            return false;
          grown.ends.push_back(
              {further(others[i].ends[end].tag, calls[i].ends[end].tag) + static_cast<int>(stage) * stages.tags,
               rule(partner_at(partner, bits_))});
        }
        plan_.calls.push_back(std::move(grown));
      }
    }
    plan_.stages += added;
    plan_.longest = std::max(plan_.longest, stages.length);
    return true;
  }
  // Returns what the first stage is, with its ring if one of `count` stages shows that there is one.
  static std::optional<BitStage> first_stage(const CallsFrom& calls, const Stages& stages, std::size_t count,
                                             std::size_t i, std::size_t end) {
    auto first = calls.stage(i, end);
    for (std::size_t stage = 1; first && stage < count; ++stage) {
      const auto own = calls.stage(stage * stages.length + i, end);
      if (own && own->sign == first->sign)
        first->end = std::max(first->end, own->end);
      else if (own && own->sign != 0)
        *first = {first->bit, own->end, own->sign};
    }
    return first;
  }
  // Sizes change from stage to stage as they did. A stage that the smaller recording lacks continues from the previous
  // stage as the recorded stages do.
  double bytes_of(const Stages& stages, const CallsFrom& calls, const CallsFrom& others, std::size_t other_count,
                  std::size_t stage, std::size_t i, double before) const {
    const auto recorded = [&](std::size_t turn) { return calls[turn * stages.length + i].bytes; };
    if (stage < other_count)
      return recorded(stage) * size(others[stage * stages.length + i].bytes, recorded(stage));
    const auto last = std::min(stage, stages.count - 1);
    return recorded(last - 1) > 0 ? before * recorded(last) / recorded(last - 1) : recorded(last);
  }

  const CommonCalls& smaller_;
  const CommonCalls& larger_;
  int bits_;
  int times_; // the new job is this many times as far beyond the larger one as that is beyond the smaller one
  DoublingPlan plan_;
};

// Whether each message that is sent is received: some rule leads back, with the same tag.
bool is_matched(const DoublingPlan& plan, const CommonCalls& recorded, int bits) {
  bool any_tag = false;
  for (const auto& call : recorded.calls)
    any_tag |= std::ranges::any_of(call.ends, [](const auto& end) { return !end.sends && end.tag < 0; });
  std::map<std::vector<int>, std::size_t> known;
  const auto number_of = [&](const std::vector<int>& receivers) {
    return known.emplace(receivers, known.size()).first->second;
  };
  // For each rule of receives and of sends: the number of the list of ranks that get each rank's message.
  std::vector<std::array<std::size_t, 2>> rules;
  for (const auto& partner : plan.partners) {
    std::vector<int> to(std::size_t{1} << bits), back(to.size());
    for (int rank = 0; rank < 1 << bits; ++rank) {
      to[static_cast<std::size_t>(rank)] = partner.of(rank);
      back[static_cast<std::size_t>(partner.of(rank))] = rank;
    }
    rules.push_back({number_of(back), number_of(to)});
  }
  std::map<std::array<std::size_t, 3>, std::int64_t> open;
  for (const auto& call : plan.calls)
    for (std::size_t end = 0; end < call.ends.size(); ++end)
      if (const auto& own = recorded.calls[call.recorded]; call.ends[end].partner && !own.is_remote) {
        const bool sends = own.ends[end].sends;
        const auto tag = any_tag ? 0 : static_cast<std::size_t>(call.ends[end].tag);
        open[{rules[*call.ends[end].partner][sends], tag, own.context}] += sends ? 1 : -1;
      }
  return std::ranges::all_of(open, [](const auto& each) { return each.second == 0; });
}

} // namespace

Result<DoublingPlan> doubling_plan(const CommonCalls& smaller, const CommonCalls& larger, int bits) {
  auto plan = Planner(smaller, larger, bits).plan();
  if (plan && !is_matched(*plan, larger, bits))
    return file_error(ErrorKind::input, larger.name,
                      fmt::format("it cannot be grown: on {} ranks not all messages would be received if partners went "
                                  "on as from {} to it",
                                  1 << bits, smaller.name));
  return plan;
}

} // namespace kakehashi
