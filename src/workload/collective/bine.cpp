#include "workload/collective/bine.hpp"

namespace kakehashi {
namespace {

// The digits of a number to the base -2, and the value of such digits.
constexpr unsigned odd_places = 0xAAAAAAAA;
unsigned negabinary(int value) {
  return (static_cast<unsigned>(value) + odd_places) ^ odd_places;
}
int worth(unsigned bits) {
  return static_cast<int>((bits ^ odd_places) - odd_places);
}

} // namespace

int Bine::partner(int number, int step) const {
  const int distance = worth((2U << step) - 1);
  return wrapped(number % 2 == 0 ? number + distance : number - distance);
}

int Bine::label(int number) const {
  const unsigned bits = negabinary(number % 2 == 0 ? -number : number) & static_cast<unsigned>(size_ - 1);
  return mirrored(static_cast<int>(bits ^ bits >> 1), size_);
}

int Bine::number_of(int label) const {
  auto bits = static_cast<unsigned>(mirrored(label, size_));
  for (int shift = 1; shift < steps_; shift *= 2)
    bits ^= bits >> shift;
  const int value = worth(bits);
  return wrapped(value % 2 == 0 ? -value : value);
}

Interval Bine::reach(int number, int step) const {
  const int count = size_ >> (step + 1);
  return {label(number) & -count, count};
}

std::vector<int> Bine::reached_before(int number, int step) const {
  std::vector<int> numbers{number};
  for (int before = step - 1; before >= 0; --before)
    for (std::size_t i = numbers.size(); i-- > 0;)
      numbers.push_back(partner(numbers[i], before));
  return numbers;
}

int Bine::step_of(int number) const {
  return number == 0 ? -1 : steps_ - 1 - std::countr_zero(static_cast<unsigned>(label(number)));
}

int Bine::far_step_of(int number) const {
  const unsigned bits = negabinary(number);
  const int equal = number % 2 == 0 ? std::countr_zero(bits) : std::countr_one(bits);
  return number == 0 ? steps_ : std::min(equal, steps_) - 1;
}

Interval Bine::below(int number) const {
  const unsigned lower = (1U << far_step_of(number)) - 1;
  return {wrapped(worth(negabinary(number) & ~lower) + worth(odd_places & lower)), static_cast<int>(lower) + 1};
}

namespace {

// The tree of a rank that works; its idle partner, if it has one, is the last child.
template <class Steps> Tree folded_tree(int rank, int size, Steps steps_of) {
  const Folding folding(rank, size);
  Tree tree;
  if (folding.is_idle()) {
    tree.parent = folding.partner();
    return tree;
  }
  const Bine bine(folding.size());
  const int number = folding.number();
  const auto [own, first, end, stride] = steps_of(bine, number);
  if (number > 0)
    tree.parent = folding.rank_of(bine.partner(number, own));
  for (int step = first; step != end; step += stride)
    tree.children.push_back(folding.rank_of(bine.partner(number, step)));
  if (folding.has_partner())
    tree.children.push_back(folding.partner());
  return tree;
}

} // namespace

Tree bine_tree(int rank, int size) {
  return folded_tree(rank, size, [](const Bine& bine, int number) {
    const int own = bine.far_step_of(number);
    return std::array{own, own - 1, -1, -1};
  });
}

Tree bine_tree_nearest_first(int rank, int size) {
  return folded_tree(rank, size, [](const Bine& bine, int number) {
    const int own = bine.step_of(number);
    return std::array{own, own + 1, bine.steps(), 1};
  });
}

Program bine_halve(Communicator comm, Folding folding, NumberBlocks blocks, Bytes segment) {
  const Bine bine(folding.size());
  const int number = folding.number();
  for (int step = 0; step < bine.steps(); ++step) {
    const int peer = bine.partner(number, step);
    const auto in_segments = [&](const Data& data) { return Blocks::segments(data.size, segment).at(data.from); };
    const auto given = in_segments(blocks.of(bine.reach(peer, step)));
    const auto taken = in_segments(blocks.of(bine.reach(number, step)));
    Request next = co_await comm.ireceive(folding.rank_of(peer));
    for (int i = 0; i < std::max(given.count(), taken.count()); ++i) {
      const Request current = next;
      if (i + 1 < taken.count())
        next = co_await comm.ireceive(folding.rank_of(peer));
      if (i < given.count())
        co_await comm.send(folding.rank_of(peer), given.block(i).to_add());
      if (i < taken.count()) {
        co_await comm.wait(current);
        co_await comm.add(taken.size_of(i));
      }
    }
  }
}

Program bine_join(Communicator comm, Folding folding, NumberBlocks blocks) {
  const Bine bine(folding.size());
  const int number = folding.number();
  for (int step = bine.steps() - 1; step >= 0; --step) {
    const int peer = folding.rank_of(bine.partner(number, step));
    co_await comm.sendreceive(peer, blocks.of(bine.reach(number, step)), peer);
  }
}

} // namespace kakehashi
