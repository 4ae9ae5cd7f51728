// What goes on with a message, or a rank.
#pragma once

#include "base/units.hpp"

#include <array>
#include <string_view>

namespace kakehashi {

enum class Phase : std::uint8_t {
  wait_for_sender, // its core is busy
  sender_core,
  request,        // rendezvous: on its way to the receiver
  wait_for_match, // no receive is posted yet
  prepare,        // setup and trips before the payload
  queue,          // behind other payloads of its connection, or the gap
  stage_work,     // what a stage of a staged fabric does before or after the payload flows
  flow,
  wait_for_receiver, // its core is busy
  receiver_core,
  compute // of a rank, not of a message
};
inline constexpr std::array<std::string_view, 11> phase_names{"wait for sender",
                                                              "sender's core",
                                                              "request",
                                                              "wait for match",
                                                              "setup and trips",
                                                              "queue",
                                                              "its cores, setup and trips",
                                                              "flow",
                                                              "wait for receiver",
                                                              "receiver's core",
                                                              "compute"};

} // namespace kakehashi
