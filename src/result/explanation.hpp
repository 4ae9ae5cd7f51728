// Why a message takes its time, and what determines the time of a whole run.
#pragma once

#include "model/platform.hpp"
#include "result/summary.hpp"
#include "result/way_choice.hpp"

#include <string>

namespace kakehashi {

struct ExplainedHop {
  std::string from;
  std::string to;
  std::string kind; // the type of the link, or of the limit of a leg
  Seconds latency;
  BytesPerSecond capacity;
};

// One device reads or writes the memory of another one on another socket.
struct Crossing {
  std::string from; // the data goes from this device to `to`
  std::string from_socket;
  std::string to;
  std::string to_socket;
  MemoryAccess access = MemoryAccess::read;
  LinkType crosses{};
  BytesPerSecond rate;
  std::vector<std::string> nearer; // devices of the same kind on the socket of the device that asks

  std::string channel() const { return from + "-" + to + ":" + std::string(name_of(memory_access_names, access)); }
};

// A stage of the message's way. A plain fabric has one.
struct ExplainedStage {
  std::string fabric;
  std::string from;
  std::string to;
  std::string rule;                 // JSON pointer in the platform file
  std::vector<std::string> because; // the rule's conditions, all of which the path meets
  std::size_t rules_before = 0;     // rules before it that do not match
  Regime regime;
  Seconds trip;
  std::vector<ExplainedHop> hops;
  std::vector<WayFigures> ways;         // the ways from which the route was chosen; it comes first
  std::vector<std::string> adjustments; // what crossings add to the regime
  std::string engines;                  // whose DMA engines move the payload, and how many; empty: none are known
};

struct WaterfallStep {
  std::string what;
  Seconds start;
  Seconds end;
};

// A parameter, and the mean relative change of the times of a table's rows if the parameter were a tenth better.
struct Effect {
  std::string place; // JSON pointer in the platform file; for links, their common name
  std::string what;
  double change = 0;
  bool is_assumed = false; // a source of the parameter is an assumption
};

struct MessageExplanation {
  std::string platform;
  RateUnit unit; // of what is printed
  std::string platform_file;
  std::string fabric;
  std::string from;
  std::string to;
  Bytes size;
  Bytes piece; // the bytes that are sent at once; smaller than size in a pipeline
  std::vector<ExplainedStage> stages;
  std::vector<WaterfallStep> waterfall; // without gaps; the steps add up to the total
  Seconds total;
  std::string bottleneck;
  std::vector<Effect> effects; // the parameters that matter, the largest effect first
  std::vector<Crossing> crossings;
};

struct RunExplanation {
  std::string scenario;
  std::string platform;
  RateUnit unit; // of what is printed
  std::string fabric;
  Seconds total;
  std::size_t messages = 0;
  std::size_t sizes = 0; // number of sizes of which the total is the sum
  Reason reason;
  std::vector<LinkUse> links;         // the busiest first
  std::vector<Crossing> crossings;    // those among the busiest links
  std::vector<Effect> effects;        // the parameters that matter, the largest effect first
  std::vector<Effect> without_effect; // parameters that change nothing if they are a tenth better
};

} // namespace kakehashi
