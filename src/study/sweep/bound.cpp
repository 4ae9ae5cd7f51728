#include "study/sweep/evaluation.hpp"

#include "topology/spanning.hpp"
#include "transport/cost.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace kakehashi {
namespace {

constexpr std::size_t most_devices = 4096; // a limit, since there is a number for each pair
constexpr std::size_t deepest = 4096;      // a limit for ranks, each of which is a level of the search
constexpr double infinite = std::numeric_limits<double>::infinity();

// Returns the least time that this message makes an iteration last.
double least_time(const Way& way, Bytes size, const std::deque<Channel>& channels) {
  if (way.stages.size() != 1)
    return 0;
  const auto& path = way.stages.front();
  const auto cost = cost_of(path.terms, size);
  double flow = 0;
  for (std::size_t leg = 0; cost.flows && leg < path.route.legs(); ++leg)
    if (const auto rate = lone_rate(path, cost, leg, channels))
      flow += (stripe_of(path.terms, size) / *rate).value;
  const auto cores = std::max(cost.sender_core.value, cost.receiver_core.value);
  return std::max(cores, cost.protocol == Protocol::rendezvous ? flow : 0.0);
}

} // namespace

Bound::Bound(const Scenario& scenario, const std::optional<Placement>& placement, Objective objective,
             const std::function<bool()>& goes_on)
    : edges_(edges_of(scenario.workload, scenario.ranks.size())), devices_(scenario.platform->devices.size()) {
  if (devices_ > most_devices)
    edges_.clear();
  if (edges_.empty())
    return;
  auto sizes = sizes_of(scenario.workload);
  if (objective == Objective::bandwidth)
    sizes = {sizes.back()};
  std::set<std::size_t> used(scenario.ranks.begin(), scenario.ranks.end());
  if (placement)
    used.insert(placement->slots.begin(), placement->slots.end());
  Topology topology(*scenario.platform);
  const auto& fabric = *find_fabric(*scenario.platform, scenario.fabric);
  times_.resize(devices_ * devices_);
  for (const auto from : used) {
    if (goes_on && !goes_on()) {
      edges_.clear();
      return;
    }
    for (const auto to : used)
      for (const auto size : sizes)
        if (const auto way = make_way(*scenario.platform, topology, fabric, from, to, Side::sender, Bytes{size}))
          times_[from * devices_ + to] += least_time(*way, Bytes{size}, topology.channels());
  }
}

double Bound::of_message(std::size_t from, std::size_t to) const {
  return times_[from * devices_ + to];
}

double Bound::of(std::span<const std::size_t> devices) const {
  double most = 0;
  for (const auto& [from, to] : edges_)
    most = std::max(most, of_message(devices[from], devices[to]));
  return most;
}

namespace {

// Ranks in their order take the device with the shortest messages to earlier ranks. A branch ends where it can no
// longer be better than the best known placement.
class Branches {
public:
  Branches(const Bound& bound, const Scenario& scenario, const Placement& placement, std::size_t most_steps,
           const std::function<bool()>& goes_on)
      : bound_(bound), placement_(placement), goes_on_(goes_on), devices_(scenario.ranks),
        is_placed_(scenario.ranks.size(), true), steps_left_(most_steps) {
    for (const auto rank : placement.ranks)
      is_placed_[rank] = false;
    for (const auto slot : placement.slots)
      ++left_[slot];
    edges_of_rank_.resize(devices_.size());
    for (const auto& edge : bound.edges()) {
      edges_of_rank_[edge[0]].push_back(edge);
      edges_of_rank_[edge[1]].push_back(edge);
    }
  }

  LeastBound search() {
    best_.value = infinite;
    best_.is_exact = visit(0, 0);
    return std::move(best_);
  }

private:
  double with(std::size_t rank) const {
    double most = 0;
    for (const auto& [from, to] : edges_of_rank_[rank])
      if (is_placed_[from] && is_placed_[to])
        most = std::max(most, bound_.of_message(devices_[from], devices_[to]));
    return most;
  }

  // Returns false once there are no more steps.
  bool visit(std::size_t position, double so_far) {
    if (position == placement_.ranks.size()) {
      const auto value = bound_.of(devices_);
      if (value < best_.value)
        best_ = {value, false, devices_};
      return true;
    }
    const auto rank = placement_.ranks[position];
    is_placed_[rank] = true;
    std::vector<std::pair<double, std::size_t>> choices;
    for (const auto& [device, count] : left_)
      if (count > 0) {
        devices_[rank] = device;
        choices.emplace_back(std::max(so_far, with(rank)), device);
      }
    std::sort(choices.begin(), choices.end());
    bool is_whole = true;
    for (const auto& [value, device] : choices) {
      if (value >= best_.value)
        break;
      if (steps_left_ == 0 || (goes_on_ && !goes_on_())) {
        is_whole = false;
        break;
      }
      --steps_left_;
      devices_[rank] = device;
      --left_[device];
      is_whole = visit(position + 1, value);
      ++left_[device];
      if (!is_whole)
        break;
    }
    is_placed_[rank] = false;
    return is_whole;
  }

  const Bound& bound_;
  const Placement& placement_;
  const std::function<bool()>& goes_on_;
  std::vector<std::size_t> devices_;
  std::vector<bool> is_placed_;
  std::size_t steps_left_;
  std::map<std::size_t, int> left_;
  std::vector<std::vector<Edge>> edges_of_rank_;
  LeastBound best_;
};

// All devices must be connected, whatever the order is.
double connecting_bound(const Bound& bound, const Scenario& scenario, const Placement& placement) {
  if (placement.choose != placement.slots.size())
    return 0;
  auto devices = placement.slots;
  for (std::size_t rank = 0; rank < scenario.ranks.size(); ++rank)
    if (!std::binary_search(placement.ranks.begin(), placement.ranks.end(), rank))
      devices.push_back(scenario.ranks[rank]);
  return spanning_bottleneck(devices.size(), [&](std::size_t a, std::size_t b) {
    return std::min(bound.of_message(devices[a], devices[b]), bound.of_message(devices[b], devices[a]));
  });
}

} // namespace

LeastBound least_bound(const Bound& bound, const Scenario& scenario, const Placement& placement, std::size_t most_steps,
                       const std::function<bool()>& goes_on) {
  if (!placement.is_ordered || placement.ranks.size() > deepest)
    return {};
  auto found = Branches(bound, scenario, placement, most_steps, goes_on).search();
  if (!found.is_exact)
    found.value = connecting_bound(bound, scenario, placement);
  return found;
}

} // namespace kakehashi
