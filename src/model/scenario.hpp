// A run on a platform: the devices of its ranks, the fabric that they use, and the workload.
#pragma once

#include "model/benchmark_fields.hpp"
#include "model/curve.hpp"
#include "model/platform.hpp"
#include "model/replay_part.hpp"
#include "model/schedule.hpp"
#include "model/trace_event.hpp"
#include "model/training.hpp"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace kakehashi {

// An operation of a rank in `steps`.
struct Step {
  enum class Kind { send, isend, recv, irecv, wait, waitall, sendrecv, compute };
  Kind kind = Kind::send;
  std::optional<int> to;
  std::optional<int> from; // none: any source
  std::optional<int> tag;  // none: 0 for a send, any for a receive
  Bytes size;              // size of the message that is sent
  Seconds time;            // compute
  int request = 0;         // wait: the number of the rank's request, from 0 in the order of their starts
};
inline constexpr std::array<std::string_view, 8> step_names{"send", "isend",   "recv",     "irecv",
                                                            "wait", "waitall", "sendrecv", "compute"};

struct StepProgram {
  std::vector<std::vector<Step>> steps; // one list for each rank
};

// Rank 0 hands out work to the others. They ask for it and report it with messages of one size.
struct BossWorker {
  std::vector<std::uint64_t> work_items; // the sizes of a work item; each gives a run of its own
  std::size_t items_per_worker = 20;     // work items per worker, on average
  Bytes message{32};
  PerKind<Seconds> compute{}; // time for a work item of size 1, by the worker's kind of device
};

// A recorded application: the events of each rank, or a schedule.
struct Replay {
  std::string file;                          // as the scenario names it
  std::string groups{};                      // the file of process groups; empty: none
  std::shared_ptr<const TraceSource> source; // null: it is a schedule
  std::shared_ptr<const Schedule> schedule;
  PerKind<FlopsPerSecond> speed{}; // speed of a core, by kind of device
  bool has_speed = false;          // whether the scenario states it
  PerKind<double> slowdown{};      // factor of recorded times, by kind of device
  bool sends_in_turn = false;      // the sends of a rank in a schedule leave one after the other
  // In a schedule, receives of any tag take no message whose tag is this or higher.
  std::optional<int> first_collective_tag;
  bool takes_gpu_library = true; // calls between GPUs are those of their library; else they take MPI's algorithms
  ReplayPart part;               // part of the recording
  // Smaller recordings from which the events of this number of ranks are grown.
  std::optional<std::vector<std::string>> grown_from{};
  std::vector<std::string> warnings{}; // assumptions about things that the files do not state
};

// The use of a measured curve: some parameter of the platform was set from it, or none was.
enum class CurveUse { calibration, prediction };
inline constexpr std::array<std::string_view, 2> curve_use_names{"calibration", "prediction"};
struct Reference {
  Curve curve;
  CurveUse use = CurveUse::prediction;
};

// How the run's work differs from that of the workload, and what else the user wants to try.
enum class WorkOf { both, host, device };
struct WorkChange {
  WorkOf of = WorkOf::both; // work of the rank's core, or of its GPU
  std::vector<bool> ranks;  // whether each rank is concerned; empty: all are
  std::string region;       // region of the recorded program; empty: the whole program
  Seconds from;             // time since the run's start
  std::optional<Seconds> to;
  double slowdown = 1; // factor of the time that work takes
  std::string text;    // its name in messages
};
// Random interruptions of work.
struct Noise {
  std::vector<bool> ranks;
  Seconds every; // mean time between two interruptions
  Seconds lasts;
  std::uint32_t seed = 1;
  std::string text;
};
struct WhatIf {
  // What is changed of the machine and its library, as messages name it: "platform:links[0].lanes=8", "eager limit 1
  // MiB". The scenario's platform has these changes.
  std::vector<std::string> machine;
  std::vector<WorkChange> work;
  std::optional<Noise> noise;
  std::shared_ptr<const Platform> before; // the platform without changes by --set; null: there are none
};

using Workload = std::variant<Benchmark, StepProgram, BossWorker, Replay, Training>;

struct Scenario {
  std::string name;
  std::string file;
  std::shared_ptr<const Platform> platform;
  std::string fabric;
  std::vector<std::size_t> ranks;          // the device of each rank
  CoreOrder core_order = CoreOrder::block; // in which the ranks of a device take its cores
  Workload workload;
  MpiSettings mpi; // those of the platform and of this scenario combined
  WhatIf what_if = {};
  std::optional<Reference> reference;
  // The field that an edit changed, for which the scenario's reference was dropped; empty: none.
  std::string without_reference = {};
};

} // namespace kakehashi
