// Where the operations of ranks happen: a row for each kind of place.
//
// Each operation names its lane. The lane states which fabric carries its messages, where its buffers lie and its
// messages end, and who is busy meanwhile. So a protocol may follow from the call, not only from a message's size.
#pragma once

#include "model/device_kind.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

using LaneNumber = std::uint8_t; // the number of a row

// Where a lane's buffers lie and its messages end: on the rank's device, on the host of its GPU (a rank on anything
// else is its own host), or on another device of its node.
enum class LanePlace { device, host, named };

// Who is busy with a lane's operations: the rank's core; another of its cores; a device beside it, whose works begin
// when the trace has them begin; or a worker that only this lane of the rank has, such as a stream or an engine.
enum class LaneWorker { core, another_core, device, own };

struct Lane {
  std::string name;
  std::optional<std::string> fabric = {}; // fabric of its messages; empty: that of the job; none: it has no messages
  LanePlace place = LanePlace::device;
  std::string device = {};                  // with LanePlace::named: its name in the node, such as "cpu0"
  DeviceKind device_kind = DeviceKind::cpu; // likewise: its kind
  LaneWorker worker = LaneWorker::core;
  int at_a_time = 1;          // operations that a worker of its own does; more wait for their turn
  bool is_open = true;        // false: no operation of the job is on it, so its places need not be there
  std::string stated_at = {}; // JSON pointer of the field of a platform or scenario that names the fabric
  std::string advice = {};    // advice to users if a place is not there, or has no way to another
};

using Lanes = std::vector<Lane>;

// The rows that jobs begin with, those of src/model/lane.cpp. The first four have numbers that programs know; others
// are found by their names.
const Lanes& usual_lanes();
inline constexpr LaneNumber own_lane = 0;
inline constexpr LaneNumber aside_lane = 1;
inline constexpr LaneNumber gpu_lane = 2;
inline constexpr LaneNumber host_lane = 3;
LaneNumber lane_number(std::string_view name); // there is such a row

// The kind of the device at a lane's place, for a rank on a device of kind `own`.
DeviceKind kind_on(const Lane& lane, DeviceKind own);

} // namespace kakehashi
