#include "input/growth/call_loops.hpp"

#include "base/hash.hpp"

#include <algorithm>
#include <numeric>

namespace kakehashi {
namespace {

constexpr std::size_t longest_body = 512; // number of calls and loops

std::size_t calls_in(const CallLoops& loops) {
  return std::accumulate(loops.begin(), loops.end(), std::size_t{0},
                         [](std::size_t sum, const CallLoop& loop) { return sum + loop.calls * loop.count; });
}

CallLoop loop_of(CallLoops body, std::size_t count) {
  CallLoop loop;
  loop.body = std::move(body);
  loop.calls = calls_in(loop.body);
  loop.count = count;
  loop.first = hash_of_nothing;
  loop.all = hash_with(hash_of_nothing, static_cast<std::int64_t>(count));
  for (const auto& part : loop.body) {
    loop.first = hash_with(loop.first, static_cast<std::int64_t>(part.first));
    loop.all = hash_with(loop.all, static_cast<std::int64_t>(part.all));
  }
  return loop;
}

// Turns every repeated run of `length` calls and loops into a loop.
CallLoops folded(CallLoops loops, std::size_t length) {
  CallLoops result;
  for (std::size_t i = 0; i < loops.size();) {
    std::size_t same = 0; // calls from here on that equal those one repetition later
    while (i + same + length < loops.size() && loops[i + same].all == loops[i + same + length].all)
      ++same;
    const auto begin = loops.begin() + static_cast<std::ptrdiff_t>(i);
    const auto move_on = [&](std::size_t count) {
      std::move(begin, begin + static_cast<std::ptrdiff_t>(count), std::back_inserter(result));
      i += count;
    };
    if (same < length) {
      move_on(std::min(same + 1, loops.size() - i));
      continue;
    }
    const auto count = same / length + 1;
    result.push_back(loop_of(CallLoops(begin, begin + static_cast<std::ptrdiff_t>(length)), count));
    i += count * length;
  }
  return result;
}

// Moves through loops. It can pass a loop as a whole, or enter it and pass one repetition after the other.
class LoopCursor {
public:
  explicit LoopCursor(const CallLoops& loops) { frames_.push_back({&loops, 0, 1}); }

  // The current call or loop; at the start of a repetition, the loop with its remaining repetitions.
  struct View {
    const CallLoop* what = nullptr; // null: the end
    std::size_t count = 0;
    bool is_loop() const { return what && what->is_loop() && count > 1; }
  };
  View view() const {
    const auto& frame = frames_.back();
    if (frame.at == 0 && frame.left > 1)
      return {frame.loop, frame.left};
    if (frame.at == frame.parts->size())
      return {};
    const auto& part = (*frame.parts)[frame.at];
    return {&part, part.count};
  }
  std::size_t calls() const { return calls_; } // number of calls passed so far
  LoopPlace place() const { return {calls_, view().what->calls}; }

  void pass() {
    const auto passed = view();
    calls_ += passed.what->calls * passed.count;
    auto& frame = frames_.back();
    if (frame.at == 0 && frame.left > 1)
      frames_.pop_back();
    ++frames_.back().at;
    end_repetitions();
  }
  void enter() {
    auto& frame = frames_.back();
    if (frame.at == 0 && frame.left > 1) { // enter one of the remaining repetitions
      const auto& loop = *frame.loop;
      --frame.left;
      frames_.push_back({&loop.body, 0, 1, &loop, true});
      return;
    }
    const auto& loop = (*frame.parts)[frame.at];
    frames_.push_back({&loop.body, 0, loop.count, &loop});
    enter();
  }

private:
  struct Frame {
    const CallLoops* parts = nullptr;
    std::size_t at = 0;
    std::size_t left = 0; // remaining repetitions
    const CallLoop* loop = nullptr;
    bool is_repetition = false; // it lies above its loop's frame
  };
  void end_repetitions() {
    while (frames_.size() > 1 && frames_.back().at == frames_.back().parts->size()) {
      const bool is_repetition = frames_.back().is_repetition;
      frames_.pop_back();
      if (!is_repetition)
        ++frames_.back().at;
    }
  }

  std::vector<Frame> frames_;
  std::size_t calls_ = 0;
};

void pair_inside(const CallLoops& one, std::size_t begin, const CallLoops& other, std::size_t other_begin,
                 std::vector<LoopPair>& pairs) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i].is_loop()) {
      pairs.push_back({{begin, one[i].calls}, {other_begin, other[i].calls}, one[i].count, other[i].count});
      pair_inside(one[i].body, begin, other[i].body, other_begin, pairs);
    }
    begin += one[i].calls * one[i].count;
    other_begin += other[i].calls * other[i].count;
  }
}

class RangeWriter {
public:
  RangeWriter(const std::map<LoopPlace, std::size_t>& counts) : counts_(counts) {}

  // `at`: place of the loops in the recording. `first`: place of the same loops in the first repetition, which is the
  // key of their counts.
  void add(const CallLoops& loops, std::size_t at, std::size_t first) {
    for (const auto& loop : loops) {
      if (loop.is_loop())
        add_loop(loop, at, first);
      else
        add_range(at, at + 1);
      at += loop.calls * loop.count;
      first += loop.calls * loop.count;
    }
  }
  std::vector<CallRange> take() { return std::move(ranges_); }

private:
  void add_loop(const CallLoop& loop, std::size_t at, std::size_t first) {
    for (std::size_t turn = 0; turn < loop.count; ++turn) {
      const auto begin = turn * loop.calls;
      const auto found = counts_.find({first + begin, loop.calls});
      if (found == counts_.end()) {
        add(loop.body, at + begin, first + begin);
        continue;
      }
      const auto left = loop.count - turn;
      for (std::size_t i = 0; i < found->second; ++i) {
        const auto repetition = i < left ? i : left > 1 ? 1 + (i - left) % (left - 1) : 0;
        add(loop.body, at + begin + repetition * loop.calls, first + begin);
      }
      return;
    }
  }
  void add_range(std::size_t begin, std::size_t end) {
    if (!ranges_.empty() && ranges_.back().end == begin)
      ranges_.back().end = end;
    else
      ranges_.push_back({begin, end});
  }

  const std::map<LoopPlace, std::size_t>& counts_;
  std::vector<CallRange> ranges_;
};

} // namespace

// Finds the shortest loops first, because longer loops may repeat them.
CallLoops loops_of(const std::vector<WorldCall>& calls) {
  CallLoops loops;
  for (const auto& call : calls)
    loops.push_back({call.all, call.first, 1, 1, {}});
  for (std::size_t length = 1; length <= longest_body && 2 * length <= loops.size();) {
    const auto before = loops.size();
    loops = folded(std::move(loops), length);
    length = loops.size() < before ? 1 : length + 1;
  }
  return loops;
}

LoopMatch match_of(const CallLoops& one, const CallLoops& other) {
  LoopMatch match;
  LoopCursor here(one), there(other);
  for (;;) {
    const auto own = here.view();
    const auto theirs = there.view();
    if (!own.what || !theirs.what) {
      match.is_whole = !own.what && !theirs.what;
      break;
    }
    if (own.is_loop() && theirs.is_loop() && own.what->first == theirs.what->first) {
      match.pairs.push_back({here.place(), there.place(), own.count, theirs.count});
      pair_inside(own.what->body, here.calls(), theirs.what->body, there.calls(), match.pairs);
    } else if (own.is_loop() || theirs.is_loop()) {
      const bool enters = own.is_loop() && (!theirs.is_loop() || own.what->calls >= theirs.what->calls);
      (enters ? here : there).enter();
      continue;
    } else if (own.what->first != theirs.what->first) {
      break;
    }
    here.pass();
    there.pass();
  }
  match.end = here.calls();
  match.other_end = there.calls();
  return match;
}

std::vector<CallRange> with_counts(const CallLoops& loops, const std::map<LoopPlace, std::size_t>& counts) {
  RangeWriter writer(counts);
  writer.add(loops, 0, 0);
  return writer.take();
}

} // namespace kakehashi
