// A run on a platform: where the ranks are, which fabric they use and what they do.
#pragma once

#include "model/benchmark.hpp"
#include "model/curve.hpp"
#include "model/platform.hpp"
#include "model/replay_part.hpp"
#include "model/schedule.hpp"
#include "model/trace_event.hpp"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace kakehashi {

// Operations written out rank by rank.
struct Step {
  enum class Kind { send, isend, recv, irecv, wait, waitall, sendrecv, compute };
  Kind kind = Kind::send;
  std::optional<int> to;
  std::optional<int> from; // none: any source
  std::optional<int> tag;  // none: 0 for a send, any for a receive
  Bytes size;              // of what is sent
  Seconds time;            // compute
  int request = 0;         // wait: which of the rank's requests, counted from 0 in order of their start
};
inline constexpr std::array<std::string_view, 8> step_names{"send", "isend",   "recv",     "irecv",
                                                            "wait", "waitall", "sendrecv", "compute"};

struct StepProgram {
  std::vector<std::vector<Step>> steps; // one list a rank
};

// Rank 0 hands out work to the others, which ask for it and report with messages of one size.
struct BossWorker {
  std::vector<std::uint64_t> work_items; // sizes of a work item, one after the other
  std::size_t items_per_worker = 20;     // that are handed out for each worker on average
  Bytes message{32};
  PerKind<Seconds> compute{}; // of a work item of size 1, by the worker's device
};

// A recorded application: what each rank did, or a schedule of it.
struct Replay {
  std::string file;                          // that the scenario names
  std::string groups{};                      // a file of process groups; empty: none
  std::shared_ptr<const TraceSource> source; // null: it is a schedule
  std::shared_ptr<const Schedule> schedule;
  PerKind<FlopsPerSecond> speed{};                      // of a core, by device
  bool has_speed = false;                               // the scenario states it
  PerKind<double> slowdown{};                           // of recorded times, by device
  bool sends_in_turn = false;                           // a schedule's sends of a rank leave one after the other
  std::optional<int> first_collective_tag;              // of a schedule: its receives of any tag take none from here on
  ReplayPart part;                                      // of the recording
  std::optional<std::vector<std::string>> grown_from{}; // smaller recordings, where the ranks are others than recorded
  std::vector<std::string> warnings{};                  // of what it does not tell and had to be assumed
};

// A measured curve to compare with. Calibration: some parameter of the platform was set from it.
enum class CurveUse { calibration, prediction };
inline constexpr std::array<std::string_view, 2> curve_use_names{"calibration", "prediction"};
struct Reference {
  Curve curve;
  CurveUse use = CurveUse::prediction;
};

// How work differs from what the workload says, and what else is tried.
enum class WorkOf { both, host, device };
struct WorkChange {
  WorkOf of = WorkOf::both; // the rank's core, or its GPU beside it
  std::vector<bool> ranks;  // which; empty: all
  std::string region;       // of the recorded program; empty: everywhere
  Seconds from;             // of the run
  std::optional<Seconds> to;
  double slowdown = 1; // work takes so many times as long
  std::string text;    // as messages name it
};
// Work is interrupted at random times.
struct Noise {
  std::vector<bool> ranks;
  Seconds every; // on average
  Seconds lasts;
  std::uint32_t seed = 1;
  std::string text;
};
struct WhatIf {
  std::vector<std::string>
      fields; // of the machine and its library that options changed, as "platform:links[0].lanes=8"
  std::vector<WorkChange> work;
  std::optional<Noise> noise;
  std::string eager_limit; // what was changed of the platform's, as messages name it; empty: nothing
};

using Workload = std::variant<Benchmark, StepProgram, BossWorker, Replay>;

struct Scenario {
  std::string name;
  std::string file;
  std::shared_ptr<const Platform> platform;
  std::string fabric;
  std::vector<std::size_t> ranks; // the device of each rank
  Workload workload;
  MpiSettings mpi; // of the platform and of this scenario combined
  WhatIf what_if = {};
  std::optional<Reference> reference;
  std::string without_reference = {}; // the field of its file that its reference was measured with, and that is changed
};

} // namespace kakehashi
