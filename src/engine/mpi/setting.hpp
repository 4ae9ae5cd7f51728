// The machine that a simulation runs on, and how it runs.
#pragma once

#include "engine/flow/network.hpp"
#include "engine/record/recorder.hpp"
#include "transport/way_table.hpp"
#include "workload/program.hpp"

#include <functional>

namespace kakehashi {

struct Setting {
  Network& network;
  WayTable& ways;
  int ranks = 0;
  const Shift* shift = nullptr;  // null: all ranks are simulated; else those that stand for all
  Recorder* recorder = nullptr;  // null: nobody records the run
  std::uint32_t seed = 0;        // shuffles the order in which ranks start (0: not at all)
  double noise = 0;              // each transfer and each time in MPI is longer or shorter by this part of it at most
  bool is_ideal = false;         // messages take no time, and none waits for its receive
  bool skips_rounds = false;     // ranks leave out rounds that take as long as those before them, to two parts in 1000
  bool shortens_plain = true;    // plain messages leave out steps that take no time; tests see that nothing changes
  bool may_get_stuck = false;    // ranks that wait for ever end when nothing moves any more; else that is a deadlock
  bool answers_in_calls = false; // nobody answers a request for a long message while its receiver works outside of MPI
  // Returns how long work takes that begins now, outside of MPI. Empty: as long as the operation states.
  std::function<Seconds(const Rank& rank, const ComputeOperation& work)> work_time = {};
};

} // namespace kakehashi
