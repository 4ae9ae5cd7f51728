#include "study/sweep/evaluation.hpp"

#include "workload/workload.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <unordered_set>

namespace kakehashi {
namespace {

constexpr std::size_t most_turned = 1024;       // a limit for ranks, since each rotation is compared with the others
constexpr std::size_t most_enumerated = 4096;   // a limit for ranks
constexpr std::size_t most_visited = 200000000; // a limit for the sum of ranks over all orders

// Returns how many ranks each device is offered to. Devices of ranks that stay get numbers that make them equal to no
// other.
std::vector<int> offers(const Scenario& scenario, const Placement& placement) {
  constexpr int staying = 1 << 16;
  std::vector<int> offered(scenario.platform->devices.size());
  for (const auto slot : placement.slots)
    ++offered[slot];
  for (std::size_t rank = 0; rank < scenario.ranks.size(); ++rank)
    if (!std::binary_search(placement.ranks.begin(), placement.ranks.end(), rank))
      offered[scenario.ranks[rank]] += staying;
  return offered;
}

// The orders in which ranks, one after the other, take one of the remaining devices.
class Orders {
public:
  Orders(const Placement& placement, const Scenario& scenario, const Symmetry& symmetry, bool is_turnable,
         const CandidateSpace::Visitor& visitor)
      : placement_(placement), symmetry_(symmetry), visitor_(visitor), devices_(scenario.ranks),
        keeps_first_(is_turnable && placement.slots.size() == scenario.ranks.size()) {
    for (const auto slot : placement.slots)
      ++left_[slot];
    // A rank that stays distinguishes otherwise equal devices.
    for (std::size_t rank = 0; rank < devices_.size(); ++rank)
      if (!std::binary_search(placement.ranks.begin(), placement.ranks.end(), rank))
        prefix_.push_back(devices_[rank]);
  }

  // Walks down to a complete order and back without recursion, since there may be thousands of ranks.
  bool visit() {
    std::vector<Level> levels{{left_.begin(), {}}};
    while (!levels.empty()) {
      if (levels.size() > placement_.ranks.size()) {
        if (!visitor_(devices_))
          return false;
        levels.pop_back();
      } else if (auto& level = levels.back(); take_next(level, levels.size() - 1)) {
        levels.push_back({left_.begin(), {}});
        continue;
      } else {
        levels.pop_back();
      }
      if (!levels.empty())
        give_back(levels.back());
    }
    return true;
  }

private:
  using Left = std::map<std::size_t, int>;
  struct Level { // the level of one rank
    Left::iterator next;
    std::vector<std::size_t> seen; // images of the devices that were tried
  };

  // Takes the next device for the rank that is not equal to an earlier one; false if there is none.
  bool take_next(Level& level, std::size_t position) {
    if (position == 0 && keeps_first_ && !level.seen.empty())
      return false; // every ring can be rotated so that it begins with the first device
    for (; level.next != left_.end(); ++level.next) {
      auto& [device, count] = *level.next;
      if (count == 0)
        continue;
      prefix_.push_back(device);
      const auto image = symmetry_.canonical(prefix_).back();
      if (std::find(level.seen.begin(), level.seen.end(), image) == level.seen.end()) {
        level.seen.push_back(image);
        --count;
        devices_[placement_.ranks[position]] = device;
        return true;
      }
      prefix_.pop_back();
    }
    return false;
  }
  void give_back(Level& level) {
    ++level.next->second;
    ++level.next;
    prefix_.pop_back();
  }

  const Placement& placement_;
  const Symmetry& symmetry_;
  const CandidateSpace::Visitor& visitor_;
  std::vector<std::size_t> devices_;
  bool keeps_first_;
  Left left_;
  std::vector<std::size_t> prefix_;
};

// Visits all choices of `choose` slots, in their order.
bool visit_choices(const Placement& placement, const Scenario& scenario, const CandidateSpace::Visitor& visitor) {
  std::vector<bool> is_chosen(placement.slots.size());
  std::fill_n(is_chosen.begin(), placement.choose, true);
  const auto each = placement.ranks.size() / placement.choose;
  do {
    auto devices = scenario.ranks;
    std::size_t rank = 0;
    for (std::size_t slot = 0; slot < is_chosen.size(); ++slot)
      for (std::size_t i = 0; is_chosen[slot] && i < each; ++i)
        devices[placement.ranks[rank++]] = placement.slots[slot];
    if (!visitor(devices))
      return false;
  } while (std::prev_permutation(is_chosen.begin(), is_chosen.end()));
  return true;
}

} // namespace

CandidateSpace::CandidateSpace(const Sweep& sweep) : sweep_(sweep) {
  std::map<std::pair<const Platform*, std::string>, std::size_t> known;
  for (const auto& variant : sweep.variants) {
    const auto& scenario = variant.scenario;
    const auto [at, is_new] = known.try_emplace({scenario.platform.get(), scenario.fabric}, symmetries_.size());
    symmetry_of_variant_.push_back(at->second);
    if (!is_new)
      continue;
    if (!sweep.placement) {
      symmetries_.emplace_back(*scenario.platform);
      continue;
    }
    topologies_.push_back(std::make_unique<Topology>(*scenario.platform));
    symmetries_.emplace_back(*scenario.platform, *find_fabric(*scenario.platform, scenario.fabric), *topologies_.back(),
                             offers(scenario, *sweep.placement));
  }
}

Candidate CandidateSpace::candidate(std::size_t variant, std::vector<std::size_t> devices) const {
  const auto& symmetry = symmetries_[symmetry_of_variant_[variant]];
  auto least = symmetry.canonical(devices);
  if (devices.size() <= most_turned && is_turnable(sweep_.variants[variant].scenario.workload)) {
    auto turned = devices;
    for (std::size_t i = 1; i < devices.size(); ++i) {
      std::rotate(turned.begin(), turned.begin() + 1, turned.end());
      least = std::min(least, symmetry.canonical(turned));
    }
  }
  auto key = fmt::format("{}:{}", variant, fmt::join(least, ","));
  return {variant, std::move(devices), std::move(key)};
}

Candidate CandidateSpace::default_candidate() const {
  return candidate(0, sweep_.variants.front().scenario.ranks);
}

bool CandidateSpace::visit(std::size_t variant, const Visitor& visitor) const {
  const auto& scenario = sweep_.variants[variant].scenario;
  if (!sweep_.placement)
    return visitor(scenario.ranks);
  if (!sweep_.placement->is_ordered)
    return visit_choices(*sweep_.placement, scenario, visitor);
  return Orders(*sweep_.placement, scenario, symmetries_[symmetry_of_variant_[variant]], is_turnable(scenario.workload),
                visitor)
      .visit();
}

std::optional<std::vector<Candidate>> CandidateSpace::all(std::size_t most,
                                                          const std::function<bool()>& goes_on) const {
  const auto ranks = sweep_.variants.front().scenario.ranks.size();
  if (ranks > most_enumerated && count() > static_cast<double>(most))
    return std::nullopt;
  // Equal ones that the visit does not recognise count, too.
  const auto most_seen = std::min(100 * most, most_visited / std::max<std::size_t>(1, ranks));
  std::size_t seen = 0;
  std::vector<Candidate> found{default_candidate()};
  std::unordered_set<std::string> keys{found.front().key};
  for (std::size_t variant = 0; variant < sweep_.variants.size(); ++variant) {
    const bool is_whole = visit(variant, [&](const std::vector<std::size_t>& devices) {
      auto next = candidate(variant, devices);
      if (keys.insert(next.key).second)
        found.push_back(std::move(next));
      return found.size() <= most && ++seen <= most_seen && (!goes_on || goes_on());
    });
    if (!is_whole)
      return std::nullopt;
  }
  return found;
}

double CandidateSpace::count() const {
  const auto variants = static_cast<double>(sweep_.variants.size());
  if (!sweep_.placement)
    return variants;
  const auto slots = static_cast<double>(sweep_.placement->slots.size());
  const auto chosen = static_cast<double>(sweep_.placement->choose);
  double logarithm = std::lgamma(slots + 1) - std::lgamma(slots - chosen + 1);
  if (sweep_.placement->is_ordered) { // divide by the orders of equal slots
    std::map<std::size_t, int> copies;
    for (const auto slot : sweep_.placement->slots)
      logarithm -= std::log(++copies[slot]);
  } else {
    logarithm -= std::lgamma(chosen + 1);
  }
  return std::round(variants * std::exp(logarithm));
}

} // namespace kakehashi
