#include "model/lane.hpp"

#include <algorithm>
#include <cassert>

namespace kakehashi {

const Lanes& usual_lanes() {
  static const Lanes rows{
      {.name = "rank", .fabric = ""},
      {.name = "aside", .worker = LaneWorker::another_core},
      {.name = "gpu", .worker = LaneWorker::device},
      {.name = "host",
       .fabric = "",
       .place = LanePlace::host,
       .is_open = false,
       .stated_at = "/mpi/host_fabric",
       .advice = "the MPI library adds vectors of GPUs on their hosts: \"host_fabric\" of \"mpi\" names a fabric for "
                 "them, and \"gpu_reductions\": \"device\" adds on the GPUs"},
  };
  return rows;
}

LaneNumber lane_number(std::string_view name) {
  const auto row = std::ranges::find(usual_lanes(), name, &Lane::name);
  assert(row != usual_lanes().end());
  return static_cast<LaneNumber>(row - usual_lanes().begin());
}

DeviceKind kind_on(const Lane& lane, DeviceKind own) {
  switch (lane.place) {
  case LanePlace::device: return own;
  case LanePlace::host: return own == DeviceKind::gpu ? DeviceKind::cpu : own;
  case LanePlace::named: return lane.device_kind;
  }
  return own;
}

} // namespace kakehashi
