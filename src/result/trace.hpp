// What happened to messages on their way, phase by phase.
#pragma once

#include "base/units.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace kakehashi {

enum class Phase {
  wait_for_sender, // its core is busy
  sender_core,
  request,        // rendezvous: on its way to the receiver
  wait_for_match, // no receive is posted yet
  prepare,        // setup and trips before the payload
  queue,          // behind other payloads of its connection, or the gap
  stage_work,     // what a stage of a staged fabric does before or after the payload flows
  flow,
  wait_for_receiver, // its core is busy
  receiver_core
};
inline constexpr std::array<std::string_view, 10> phase_names{"wait for sender",
                                                              "sender's core",
                                                              "request",
                                                              "wait for match",
                                                              "setup and trips",
                                                              "queue",
                                                              "its cores, setup and trips",
                                                              "flow",
                                                              "wait for receiver",
                                                              "receiver's core"};

struct Span {
  std::uint32_t message = 0; // counted from 0 in the order of their sends
  Phase phase = Phase::flow;
  std::size_t stage = 0;
  std::size_t segment = 0; // of the stage's route
  std::uint32_t piece = 0; // of a message that is sent in pieces
  Seconds start;
  Seconds end;
};

struct SentMessage {
  int from = 0;
  int to = 0;
  int tag = 0;
  Bytes size;
  std::size_t chain = 0; // index into the engine's table of chains
};

// Everything that was recorded of a run.
struct Trace {
  bool keep_messages = true; // else only sums
  std::vector<SentMessage> messages;
  std::vector<Span> spans;         // those of a message by end
  std::vector<double> chain_bytes; // sent over each chain
};

} // namespace kakehashi
