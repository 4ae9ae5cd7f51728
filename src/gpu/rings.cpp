#include "gpu/rings.hpp"

#include "gpu/system.hpp"

#include <algorithm>
#include <cmath>

namespace kakehashi {
namespace {

// Finds a ring through all GPUs, of those with the most joints left first.
class RingSearch {
public:
  // gaps: so many GPUs may be joined by other links than these.
  RingSearch(Joints& joints, int turn, int gaps) : joints_(joints), turn_(turn), gaps_(gaps) {}

  std::vector<int> find() {
    path_ = {0};
    used_.assign(joints_.size(), false);
    used_[0] = true;
    steps_ = 0;
    if (!extend())
      return {};
    for (std::size_t i = 0; i < path_.size(); ++i)
      --joint(path_[i], path_[(i + 1) % path_.size()]);
    return path_;
  }

private:
  int& joint(int from, int to) { return joints_[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)]; }

  bool extend() {
    constexpr int most_steps = 20000;
    if (++steps_ > most_steps)
      return false;
    const int last = path_.back();
    if (path_.size() == joints_.size())
      return joint(last, 0) > 0 || gaps_ > 0;
    std::vector<int> next;
    const int count = static_cast<int>(joints_.size());
    for (int each = 0; each < count; ++each)
      if (const int i = (each + turn_) % count;
          !used_[static_cast<std::size_t>(i)] && (joint(last, i) > 0 || gaps_ > 0))
        next.push_back(i);
    std::ranges::stable_sort(next, std::greater{}, [&](int i) { return joint(last, i); });
    for (const int i : next) {
      const int gap = joint(last, i) > 0 ? 0 : 1;
      path_.push_back(i);
      used_[static_cast<std::size_t>(i)] = true;
      gaps_ -= gap;
      if (extend())
        return true;
      gaps_ += gap;
      path_.pop_back();
      used_[static_cast<std::size_t>(i)] = false;
    }
    return false;
  }

  Joints& joints_;
  int turn_;
  int gaps_;
  std::vector<int> path_;
  std::vector<bool> used_;
  int steps_ = 0;
};

} // namespace

Joints joints_of(const GpuSystem& system, double speed, double rate, double sheet, bool may_bounce) {
  const auto& node = system.nodes.front();
  Joints joints(node.size(), std::vector<int>(node.size(), 0));
  for (std::size_t i = 0; i < node.size(); ++i)
    for (std::size_t j = 0; j < node.size(); ++j) {
      if (i == j)
        continue;
      const auto from = system.ranks[static_cast<std::size_t>(node[i])].device;
      const auto to = system.ranks[static_cast<std::size_t>(node[j])].device;
      auto way = system.nvlink_way(from, to);
      if (!way && may_bounce)
        way = system.bounced_way(from, to);
      if (!way)
        continue;
      double line = 1e30;
      for (const auto link : way->links)
        line = std::min(line, capacity_of(system.platform->links[link]).forward.value);
      const double counted = line / 1e9 / sheet * rate;
      joints[i][j] = static_cast<int>(std::floor(counted / speed + 1e-6));
    }
  return joints;
}

std::vector<int> take_ring(Joints& joints, int turn) {
  return RingSearch(joints, turn, 0).find();
}

std::vector<int> ring_with_gaps(Joints joints) {
  std::vector<int> ring;
  if (std::ranges::none_of(joints,
                           [](const auto& row) { return std::ranges::any_of(row, [](int i) { return i > 0; }); }))
    for (int i = 0; i < static_cast<int>(joints.size()); ++i)
      ring.push_back(i);
  for (int gaps = 0; ring.empty(); ++gaps)
    ring = RingSearch(joints, 0, gaps).find();
  return ring;
}

} // namespace kakehashi
