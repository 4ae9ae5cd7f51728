// Why a message takes the time it takes, and what a whole run's time hangs on.
#pragma once

#include "model/platform.hpp"
#include "result/summary.hpp"
#include "result/way_choice.hpp"

#include <string>

namespace kakehashi {

struct ExplainedHop {
  std::string from;
  std::string to;
  std::string kind; // of link, or what limits a leg
  Seconds latency;
  BytesPerSecond capacity;
};

// One device reads or writes the memory of another, and they are on two sockets.
struct Crossing {
  std::string from; // the data goes from this device to that one
  std::string from_socket;
  std::string to;
  std::string to_socket;
  MemoryAccess access = MemoryAccess::read;
  LinkType crosses{};
  BytesPerSecond rate;
  std::vector<std::string> nearer; // devices such as the one with the memory on the socket of the other

  std::string channel() const { return from + "-" + to + ":" + std::string(name_of(memory_access_names, access)); }
};

// A stage of the message's way; plain fabrics have one.
struct ExplainedStage {
  std::string fabric;
  std::string from;
  std::string to;
  std::string rule;                 // JSON pointer in the platform file
  std::vector<std::string> because; // what the rule asks for, all of which the path meets
  std::size_t rules_before = 0;     // that do not fit
  Regime regime;
  Seconds trip;
  std::vector<ExplainedHop> hops;
  std::vector<WayFigures> ways;         // that the route was chosen from, itself first
  std::vector<std::string> adjustments; // what crossings add
};

struct WaterfallStep {
  std::string what;
  Seconds start;
  Seconds end;
};

// A parameter, and the relative change of the times of a table's rows, on average, if it were a tenth better.
struct Effect {
  std::string place; // JSON pointer in the platform file; of links what they are
  std::string what;
  double change = 0;
  bool is_assumed = false; // a source of it says so
};

struct MessageExplanation {
  std::string platform;
  std::string platform_file;
  std::string fabric;
  std::string from;
  std::string to;
  Bytes size;
  Bytes piece; // sent at once; smaller than size in a pipeline
  std::vector<ExplainedStage> stages;
  std::vector<WaterfallStep> waterfall; // without holes; it adds up to the total
  Seconds total;
  std::string bottleneck;
  std::vector<Effect> effects; // those that matter, the largest first
  std::vector<Crossing> crossings;
};

struct RunExplanation {
  std::string scenario;
  std::string platform;
  std::string fabric;
  Seconds total;
  std::size_t messages = 0;
  Reason reason;
  std::vector<LinkUse> links;         // the busiest first
  std::vector<Crossing> crossings;    // that the busiest of them are
  std::vector<Effect> effects;        // of parameters that matter, the largest first
  std::vector<Effect> without_effect; // of those that a tenth does not change anything
};

} // namespace kakehashi
