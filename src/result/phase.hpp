// The phases of a message, or of a rank.
#pragma once

#include "base/units.hpp"

#include <array>
#include <string_view>

namespace kakehashi {

enum class Phase : std::uint8_t {
  sender_core,
  request,    // rendezvous: the request is on its way to the receiver
  prepare,    // setup and trips before the payload
  queue,      // it waits behind other payloads of its connection, or for the gap
  stage_work, // work of a stage of a staged fabric before or after the payload flows
  flow,
  receiver_core,
  memory,    // a core that copies or works waits for its memory or for a link that others use, too
  compute,   // work of a rank, not of a message
  host_copy, // a rank's copy between its GPU and the GPU's host
  joint      // a call that ranks do together
};
inline constexpr std::array<std::string_view, 11> phase_names{"sender's core",
                                                              "request",
                                                              "setup and trips",
                                                              "queue",
                                                              "its cores, setup and trips",
                                                              "flow",
                                                              "receiver's core",
                                                              "memory",
                                                              "compute",
                                                              "copy between GPU and host",
                                                              "collective call that ranks make together"};

} // namespace kakehashi
