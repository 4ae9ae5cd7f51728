#include "training/pipeline.hpp"

#include "model/platform.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <optional>
#include <queue>

namespace kakehashi {
namespace {

constexpr std::size_t most_pieces = 400'000; // that are run one by one

struct Piece {
  StageWork work = StageWork::forward;
  int chunk = 0;
  int batch = 0;
};

// Source: Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM, 2021,
// section 2.2: forwards first, then one forward and one backward in turn, then the backwards that are left.
std::vector<Piece> order_of(const PipelineJob& job, int stage) {
  const bool interleaves = job.schedule == PipelineSchedule::interleaved && job.chunks > 1;
  const int all = job.batches * job.chunks;
  const int ahead = interleaves ? 2 * (job.stages - stage - 1) + (job.chunks - 1) * job.stages : job.stages - stage - 1;
  const int first = std::min(ahead, all);
  const auto piece = [&](int number, StageWork work) {
    const int group = job.stages * job.chunks;
    const int chunk = interleaves ? number % group / job.stages : 0;
    const int batch = interleaves ? number / group * job.stages + number % job.stages : number;
    return Piece{work, work == StageWork::forward ? chunk : job.chunks - 1 - chunk, batch};
  };
  std::vector<Piece> order;
  order.reserve(static_cast<std::size_t>(2 * all));
  for (int i = 0; i < first; ++i)
    order.push_back(piece(i, StageWork::forward));
  for (int i = first; i < all; ++i) {
    order.push_back(piece(i, StageWork::forward));
    order.push_back(piece(i - first, StageWork::backward));
  }
  for (int i = all - first; i < all; ++i)
    order.push_back(piece(i, StageWork::backward));
  return order;
}

struct Done {
  Seconds from;
  Seconds to;
  int stage = 0;
  Piece piece;
  int cause = -1; // the piece that let it begin; -1: none
  bool waited_for_send = false;
};

class Run {
public:
  Run(const PipelineJob& job, int batches) : job_(job) {
    job_.batches = batches;
    const auto count = static_cast<std::size_t>(job.stages * job.chunks * batches);
    forward_.assign(count, -1);
    backward_.assign(count, -1);
    stages_.resize(static_cast<std::size_t>(job.stages));
    for (int stage = 0; stage < job.stages; ++stage)
      stages_[static_cast<std::size_t>(stage)].order = order_of(job_, stage);
  }

  PipelineRun run(bool keeps_events) {
    for (int stage = 0; stage < job_.stages; ++stage)
      wake(stage, {});
    while (!wakes_.empty()) {
      const auto [time, stage] = wakes_.top();
      wakes_.pop();
      step(stage, time);
    }
    return finished(keeps_events);
  }

private:
  struct Stage {
    std::vector<Piece> order;
    std::size_t next = 0;
    Seconds free;
    int last = -1; // piece that it ran
    std::queue<Piece> weights;
    int forwards = 0, updates = 0;
    std::vector<int> done;
  };
  struct Wake {
    Seconds time;
    int stage;
    bool operator>(const Wake& other) const { return std::pair(time, stage) > std::pair(other.time, other.stage); }
  };

  bool splits() const { return job_.schedule == PipelineSchedule::zero_bubble; }
  void wake(int stage, Seconds time) { wakes_.push({time, stage}); }
  std::size_t place(int stage, int chunk, int batch) const {
    return static_cast<std::size_t>((batch * job_.chunks + chunk) * job_.stages + stage);
  }

  // The piece whose result this one needs; none: it needs nothing. -1: that has not run yet.
  struct Need {
    int piece = -1;
    bool is_sent = true;
  };
  std::optional<Need> need_of(int stage, const Piece& piece) const {
    const int last = job_.stages - 1;
    if (piece.work == StageWork::forward) {
      if (stage > 0)
        return Need{forward_[place(stage - 1, piece.chunk, piece.batch)]};
      if (piece.chunk > 0)
        return Need{forward_[place(last, piece.chunk - 1, piece.batch)]};
      return std::nullopt;
    }
    if (stage < last)
      return Need{backward_[place(stage + 1, piece.chunk, piece.batch)]};
    if (piece.chunk + 1 < job_.chunks)
      return Need{backward_[place(0, piece.chunk + 1, piece.batch)]};
    return Need{forward_[place(stage, piece.chunk, piece.batch)], false};
  }

  Seconds cost_of(int stage, const Piece& piece) const {
    const auto& costs = job_.costs(stage, piece.chunk);
    if (piece.work == StageWork::forward)
      return sum(costs.forward);
    if (piece.work == StageWork::weights)
      return sum(costs.weights);
    return sum(costs.backward) + (splits() ? Seconds{} : sum(costs.weights));
  }

  // A stage that sends is busy with that, unless it sends beside its work.
  Seconds sending(int stage, const Piece& piece) const {
    if (job_.sends_beside || job_.stages == 1 || piece.work == StageWork::weights)
      return {};
    const bool is_end = piece.work == StageWork::forward ? stage == job_.stages - 1 && piece.chunk + 1 == job_.chunks
                                                         : stage == 0 && piece.chunk == 0;
    return is_end ? Seconds{} : job_.send;
  }

  void step(int number, Seconds now) {
    auto& stage = stages_[static_cast<std::size_t>(number)];
    if (now < stage.free)
      return;
    const bool has_next = stage.next < stage.order.size();
    if (has_next) {
      const auto& piece = stage.order[stage.next];
      const auto need = need_of(number, piece);
      // Weights wait at most until their activations would be one micro-batch more than 1F1B keeps.
      const bool is_full = splits() && piece.work == StageWork::forward &&
                           stage.forwards - stage.updates >= job_.stages && !stage.weights.empty();
      if (!is_full && (!need || need->piece >= 0)) {
        const auto arrives =
            need ? pieces_[static_cast<std::size_t>(need->piece)].to + (need->is_sent ? job_.send : Seconds{})
                 : Seconds{};
        if (arrives <= now) {
          ++stage.next;
          return run_piece(number, piece, now, need ? need->piece : -1, need && need->is_sent, arrives);
        }
        wake(number, arrives);
      }
    }
    if (!stage.weights.empty()) {
      const auto piece = stage.weights.front();
      stage.weights.pop();
      run_piece(number, piece, now, -1, false, {});
    }
  }

  void run_piece(int number, const Piece& piece, Seconds now, int needed, bool is_sent, Seconds arrives) {
    auto& stage = stages_[static_cast<std::size_t>(number)];
    const bool waited = needed >= 0 && arrives > stage.free - Seconds{1e-12};
    const int done = static_cast<int>(pieces_.size());
    const auto end = now + cost_of(number, piece);
    pieces_.push_back({now, end, number, piece, waited ? needed : stage.last, waited && is_sent});
    stage.done.push_back(done);
    stage.last = done;
    stage.free = end + sending(number, piece);
    wake(number, stage.free);
    const auto at = place(number, piece.chunk, piece.batch);
    if (piece.work == StageWork::forward) {
      ++stage.forwards;
      forward_[at] = done;
      if (number + 1 < job_.stages || piece.chunk + 1 < job_.chunks)
        wake((number + 1) % job_.stages, end + job_.send);
    } else if (piece.work == StageWork::backward) {
      backward_[at] = done;
      if (splits())
        stage.weights.push({StageWork::weights, piece.chunk, piece.batch});
      if (number > 0 || piece.chunk > 0)
        wake((number + job_.stages - 1) % job_.stages, end + job_.send);
    } else {
      ++stage.updates;
    }
  }

  StageRun stage_run(int number) const {
    StageRun run;
    const auto& stage = stages_[static_cast<std::size_t>(number)];
    Seconds busy;
    for (const int each : stage.done) {
      const auto& done = pieces_[static_cast<std::size_t>(each)];
      const auto& costs = job_.costs(number, done.piece.chunk);
      const auto add = [&](const PerPart<Seconds>& parts) {
        for (std::size_t i = 0; i < step_part_count; ++i) {
          run.parts[i] += parts[i];
          busy += parts[i];
        }
      };
      if (done.piece.work == StageWork::forward)
        add(costs.forward);
      else if (done.piece.work == StageWork::backward)
        add(costs.backward);
      if (done.piece.work == StageWork::weights || (done.piece.work == StageWork::backward && !splits()))
        add(costs.weights);
      const auto sent = sending(number, done.piece);
      run.parts[static_cast<std::size_t>(StepPart::pipeline)] += sent;
      busy += sent;
      if (run.first_forward.value == 0)
        run.first_forward = done.to;
      if (done.piece.work != StageWork::forward)
        run.last_backward = done.from;
    }
    run.end = stage.free;
    run.parts[static_cast<std::size_t>(StepPart::bubble)] += run.end - busy;
    return run;
  }

  // From the last piece back to what let each one begin; passes that follow each other on a stage are one stretch.
  std::vector<StepStretch> path(int from) const {
    std::vector<StepStretch> stretches;
    const auto add = [&](int stage, const std::string& what, Seconds begin, Seconds end) {
      if (end <= begin)
        return;
      auto* later = stretches.empty() ? nullptr : &stretches.back();
      if (!later || later->stage != stage || (what == "send") != (later->what == "send")) {
        stretches.push_back({stage, what, 1, begin, end});
        return;
      }
      if (later->what != what)
        later->what = "both passes";
      later->from = begin;
      ++later->count;
    };
    for (int at = from; at >= 0;) {
      const auto& done = pieces_[static_cast<std::size_t>(at)];
      add(done.stage, done.piece.work == StageWork::forward ? "forward" : "backward", done.from, done.to);
      if (done.cause >= 0)
        add(done.waited_for_send ? pieces_[static_cast<std::size_t>(done.cause)].stage : done.stage, "send",
            pieces_[static_cast<std::size_t>(done.cause)].to, done.from);
      at = done.cause;
    }
    std::ranges::reverse(stretches);
    return stretches;
  }

  void add_events(PipelineRun& run) const {
    for (const auto& done : pieces_) {
      const char letter = "FBW"[static_cast<std::size_t>(done.piece.work)];
      const auto chunk = job_.chunks > 1 ? fmt::format(".{}", done.piece.chunk) : "";
      const auto name = fmt::format("{}{}{}", letter, done.piece.batch, chunk);
      run.events.push_back({done.stage, "compute", name, done.from, done.to});
      const auto& costs = job_.costs(done.stage, done.piece.chunk);
      const auto& parts = done.piece.work == StageWork::forward    ? costs.forward
                          : done.piece.work == StageWork::backward ? costs.backward
                                                                   : costs.weights;
      // Calls come layer by layer; drawn are their shares, at the end of the piece.
      auto end = done.to;
      for (const auto part : {StepPart::tensor, StepPart::context, StepPart::expert, StepPart::data})
        if (const auto time = parts[static_cast<std::size_t>(part)]; time.value > 0) {
          run.events.push_back({done.stage, std::string(name_of(step_part_names, part)), name, end - time, end});
          end = end - time;
        }
      const bool sends = done.piece.work == StageWork::forward
                             ? done.stage + 1 < job_.stages || done.piece.chunk + 1 < job_.chunks
                             : done.piece.work == StageWork::backward && (done.stage > 0 || done.piece.chunk > 0);
      if (sends && job_.stages > 1)
        run.events.push_back({done.stage, "pipeline", name, done.to, done.to + job_.send});
    }
  }

  PipelineRun finished(bool keeps_events) const {
    PipelineRun run;
    int last = -1;
    for (int stage = 0; stage < job_.stages; ++stage) {
      assert(stages_[static_cast<std::size_t>(stage)].next == stages_[static_cast<std::size_t>(stage)].order.size());
      run.stages.push_back(stage_run(stage));
      if (run.stages.back().end > run.end) {
        run.end = run.stages.back().end;
        last = stages_[static_cast<std::size_t>(stage)].last;
      }
    }
    run.path = path(last);
    if (keeps_events)
      add_events(run);
    return run;
  }

  PipelineJob job_;
  std::vector<Stage> stages_;
  std::vector<Done> pieces_;
  std::vector<int> forward_, backward_; // by stage, chunk and batch: the piece, once it has run
  std::priority_queue<Wake, std::vector<Wake>, std::greater<>> wakes_;
};

} // namespace

Seconds sum(const PerPart<Seconds>& parts) {
  Seconds all;
  for (const auto part : parts)
    all += part;
  return all;
}

PipelineRun run_pipeline(const PipelineJob& job, bool keeps_events) {
  assert(job.schedule != PipelineSchedule::interleaved || job.batches % job.stages == 0);
  const auto pieces_of = [&](int batches) { return 3.0 * job.stages * job.chunks * batches; };
  const int round = job.schedule == PipelineSchedule::interleaved ? job.stages : 1;
  const int least = pieces_of(4 * job.stages) <= 10.0 * static_cast<double>(most_pieces) ? 4 * job.stages : job.stages;
  if (pieces_of(job.batches) <= static_cast<double>(most_pieces) || job.batches <= least + round)
    return Run(job, job.batches).run(keeps_events);
  const int some = std::max(least, static_cast<int>(static_cast<double>(most_pieces) / pieces_of(1)) / round * round);
  const auto before = Run(job, some).run(false);
  auto after = Run(job, some + round).run(keeps_events);
  const double rounds = static_cast<double>(job.batches - some - round) / round;
  for (std::size_t i = 0; i < after.stages.size(); ++i) {
    auto& stage = after.stages[i];
    const auto& earlier = before.stages[i];
    for (std::size_t part = 0; part < step_part_count; ++part)
      stage.parts[part] += rounds * (stage.parts[part] - earlier.parts[part]);
    stage.last_backward += rounds * (stage.last_backward - earlier.last_backward);
    stage.end += rounds * (stage.end - earlier.end);
  }
  after.end += rounds * (after.end - before.end);
  return after;
}

} // namespace kakehashi
