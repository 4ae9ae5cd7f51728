#include "workload/dry_run.hpp"

#include <bit>

namespace kakehashi {
namespace {

// operations that are compared at most; they take about a second
constexpr std::size_t most_operations = 1 << 23;

// A hash of the operations that a rank asks for, in order.
class Story {
public:
  Story(const RankImages& ranks, int rank) : ranks_(ranks), rank_(rank) {}

  bool tell(const Operation& operation) {
    add(operation.index());
    return std::visit(*this, operation);
  }
  std::uint64_t number() const { return number_; }

  bool operator()(const SendOperation& send) {
    add_partner(send.to);
    add(send.size.count);
    add(static_cast<std::uint64_t>(send.tag));
    add(send.blocking);
    add(send.lane);
    return true;
  }
  bool operator()(const ReceiveOperation& receive) {
    if (receive.from == any_source)
      return false;
    add_partner(receive.from);
    add(static_cast<std::uint64_t>(receive.tag));
    add(receive.blocking);
    return true;
  }
  bool operator()(const SendReceiveOperation& both) { return (*this)(both.send) && (*this)(both.receive); }
  bool operator()(const WaitOperation& wait) {
    for (const auto request : wait.requests)
      add(request.index);
    return !wait.any;
  }
  bool operator()(const RemoteOperation& remote) {
    add_partner(remote.peer);
    add(remote.size.count);
    add(remote.blocking);
    add(remote.lane);
    return !remote.is_read;
  }
  bool operator()(const ComputeOperation& compute) {
    add(std::bit_cast<std::uint64_t>(compute.time.value));
    add(compute.traffic.count);
    add(compute.blocking);
    add(compute.in_call);
    add(compute.lane);
    add(std::bit_cast<std::uint64_t>(compute.after.value));
    return true;
  }
  bool operator()(const CopyOperation& copy) {
    add(copy.size.count);
    add(copy.from);
    add(copy.to);
    return true;
  }
  bool operator()(const JointOperation&) { return false; }
  bool operator()(const TestOperation&) { return false; }
  bool operator()(const FailOperation&) { return false; }

private:
  void add_partner(int partner) { add(static_cast<std::uint64_t>(ranks_.seen_from_home(partner, rank_))); }
  void add(std::uint64_t value) {
    number_ = (number_ ^ value) * 0x9e3779b97f4a7c15u;
    number_ ^= number_ >> 32;
  }

  const RankImages& ranks_;
  int rank_;
  std::uint64_t number_ = 0;
};

// Compares ranks one by one and stops at the first difference.
class Look {
public:
  Look(const Job& job, const RankImages& ranks) : job_(job), ranks_(ranks) {}

  // Compares a rank that stands for others with the first of its images.
  bool is_alike(int home, int images) {
    const auto first = story_of(home);
    for (int number = 1; first && number < images; ++number)
      if (story_of(ranks_.image(home, number)) != first)
        return false;
    return first.has_value();
  }

private:
  std::optional<std::uint64_t> story_of(int id) {
    Rank rank(id, ranks_.of);
    Story story(ranks_, id);
    const bool is_whole = run_dry(job_, rank, [&](const Operation& operation) {
      return story.tell(operation) && ++operations_ <= most_operations;
    });
    return is_whole ? std::optional(story.number()) : std::nullopt;
  }

  const Job& job_;
  const RankImages& ranks_;
  std::size_t operations_ = 0;
};

} // namespace

bool first_images_are_alike(const Job& job, const RankImages& ranks) {
  return Look(job, ranks).is_alike(0, 2);
}

bool are_alike(const Job& job, const RankImages& ranks) {
  Look look(job, ranks);
  for (int home = 0; home < ranks.ranks; ++home)
    if (!look.is_alike(home, ranks.images))
      return false;
  return true;
}

} // namespace kakehashi
