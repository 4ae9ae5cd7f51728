#include "input/trace/gpu/gpu_readers.hpp"

#include "base/file.hpp"
#include "input/trace/goal/goal_operation.hpp"
#include "input/trace/gpu/chakra_node.hpp"
#include "input/trace/gpu/group_calls.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>

namespace kakehashi {
namespace {

using Kind = ScheduledOperation::Kind;

constexpr std::size_t largest_binary = std::size_t{4} << 30;
constexpr std::array by_number{Collective::allreduce, Collective::reduce,         Collective::allgather,
                               Collective::gather,    Collective::scatter,        Collective::bcast,
                               Collective::alltoall,  Collective::reduce_scatter, Collective::reduce_scatter,
                               Collective::barrier}; // CollectiveCommType in et_def.proto

// What all ranks' traces leave open.
struct ChakraGaps {
  std::size_t memory = 0;    // accesses to memory without a time, which are left out
  std::size_t uncounted = 0; // work without a time, which states only its number of operations
  std::size_t unknown = 0;   // missing nodes that others wait for
  std::size_t rooted = 0;    // calls whose root is assumed to be the group's first rank
  std::size_t unnamed = 0;   // calls that do not state what they move
  std::size_t ungrouped = 0; // calls in group 0, though nothing states groups
};

// The nodes of a rank → its graph.
class ChakraRank {
public:
  ChakraRank(std::string file, int rank, const ChakraForm& form, ChakraGaps& gaps)
      : file_(std::move(file)), rank_(rank), ranks_(form.ranks), has_speed_(form.has_speed), gaps_(gaps) {}

  Errors read(ChakraGroups& groups) {
    const bool is_json = file_.ends_with(".json");
    const auto text = is_json ? read_text(file_) : read_text(file_, largest_binary);
    if (!text)
      return text.errors();
    const auto take = [&](ChakraNode node) {
      if (node.type == ChakraNode::metadata)
        groups.add_inputs(node.inputs);
      node.inputs.clear();
      nodes_.push_back(std::move(node));
    };
    return is_json ? read_chakra_json(*text, file_, take) : read_chakra_binary(*text, file_, take);
  }

  // Called once, after `read`.
  Result<RankSchedule> finish(const ChakraGroups& groups) {
    if (groups.contradiction())
      errors_.push_back(file_error(ErrorKind::input, file_, *groups.contradiction()));
    if (!std::ranges::is_sorted(nodes_, {}, &ChakraNode::id)) // most are, and moving nodes is slow
      std::ranges::stable_sort(nodes_, {}, &ChakraNode::id);
    for (std::size_t i = 1; i < nodes_.size(); ++i)
      if (nodes_[i].id == nodes_[i - 1].id)
        fault(nodes_[i], "another node has this id, too");
    for (std::uint32_t i = 0; i < nodes_.size(); ++i)
      add(nodes_[i], i, groups);
    std::ranges::move(faults_.take(file_), std::back_inserter(errors_));
    if (errors_.empty())
      for (auto& [id, message] : graph_.finish())
        errors_.push_back(input_error(file_, fmt::format("node {}", id), std::move(message)));
    if (!errors_.empty())
      return errors_;
    auto schedule = graph_.take();
    schedule.collectives = std::move(calls_);
    return schedule;
  }

private:
  void fault(const ChakraNode& node, std::string message) {
    faults_.add(fmt::format("node {}", node.id), std::move(message));
  }

  void add(const ChakraNode& node, std::uint32_t index, const ChakraGroups& groups) {
    ScheduledOperation operation;
    operation.line = node.id;
    operation.time = {1e-6 * static_cast<double>(node.duration)};
    constexpr std::int64_t most_streams = 1 << 20;
    operation.cpu = node.is_on_host ? 0 : 1 + static_cast<int>(std::clamp<std::int64_t>(node.stream, 0, most_streams));
    switch (node.type) {
    case ChakraNode::send:
    case ChakraNode::receive: add_message(node, operation); break;
    case ChakraNode::collective: add_call(node, index, operation, groups); break;
    case ChakraNode::work:
      if (node.duration == 0 && node.operations > 0)
        add_operations(node, operation);
      break;
    case ChakraNode::memory_load:
    case ChakraNode::memory_store: gaps_.memory += node.duration == 0; break;
    case ChakraNode::metadata:
    case ChakraNode::invalid: operation.time = {}; break;
    default: fault(node, fmt::format("got a node of type {}, expected one from 0 to 7", node.type));
    }
    graph_.add({operation, {}});
    for (const auto id : node.waits_for) {
      const auto before = std::ranges::lower_bound(nodes_, id, {}, &ChakraNode::id);
      if (before == nodes_.end() || before->id != id)
        ++gaps_.unknown;
      else
        graph_.add_dependency({static_cast<std::uint32_t>(before - nodes_.begin()), index, false});
    }
  }

  void add_operations(const ChakraNode& node, ScheduledOperation& operation) {
    if (has_speed_)
      operation.flops = {static_cast<double>(node.operations)};
    else
      ++gaps_.uncounted;
  }

  std::optional<std::uint64_t> size_of(const ChakraNode& node) {
    if (!node.size || *node.size < 0)
      fault(node, "a message or call without comm_size");
    else if (static_cast<std::uint64_t>(*node.size) > largest_size.count)
      fault(node, mismatch(fmt::format("a comm_size of {} B", *node.size), bytes_range));
    else
      return static_cast<std::uint64_t>(*node.size);
    return std::nullopt;
  }

  // The host's part of a call is work; the device's part is the message.
  void add_message(const ChakraNode& node, ScheduledOperation& operation) {
    if (node.is_on_host)
      return;
    const bool is_send = node.type == ChakraNode::send;
    const auto& peer = is_send ? node.target : node.source;
    const auto& self = is_send ? node.source : node.target;
    const auto size = size_of(node);
    if (!peer || *peer < 0 || *peer >= ranks_)
      return fault(
          node, mismatch(peer ? fmt::format("rank {}", *peer) : fmt::format("no {}", is_send ? "comm_dst" : "comm_src"),
                         fmt::format("a rank from 0 to {}", ranks_ - 1)));
    if (self && *self != rank_)
      return fault(node, mismatch(fmt::format("a message of rank {}", *self),
                                  fmt::format("one of rank {}, whose trace this is", rank_)));
    if (node.tag < 0 || node.tag > std::numeric_limits<int>::max())
      return fault(node, mismatch(fmt::format("tag {}", node.tag), "one from 0 to 2147483647"));
    operation.kind = is_send ? Kind::send : Kind::receive;
    operation.cpu = ScheduledOperation::no_cpu;
    operation.peer = static_cast<int>(*peer);
    operation.tag = static_cast<int>(node.tag);
    operation.size = {size.value_or(0)};
  }

  void add_call(const ChakraNode& node, std::uint32_t index, ScheduledOperation& operation,
                const ChakraGroups& groups) {
    if (node.is_on_host)
      return;
    if (!node.collective_type && !node.size && node.duration > 0) { // as the first versions of the format
      ++gaps_.unnamed;
      return;
    }
    if (!node.collective_type || *node.collective_type < 0 ||
        *node.collective_type >= static_cast<std::int64_t>(by_number.size()))
      return fault(node, node.collective_type
                             ? mismatch(fmt::format("comm_type {}", *node.collective_type), "one from 0 to 9")
                             : std::string("a call without comm_type"));
    const auto collective = by_number[static_cast<std::size_t>(*node.collective_type)];
    const auto size = collective == Collective::barrier ? 0 : size_of(node);
    const auto group = groups.find(node.group);
    if (!group)
      return fault(node, fmt::format("the ranks of process group \"{}\" are not in the trace; \"groups\" in the "
                                     "scenario can name a file that has them",
                                     node.group));
    const auto& members = groups.list()[*group].members;
    if (std::ranges::find(members, rank_) == members.end())
      return fault(node, fmt::format("a call in process group \"{}\", which rank {} is not in", node.group, rank_));
    gaps_.rooted += has_root(collective);
    gaps_.ungrouped += groups.is_default(node.group);
    operation.kind = Kind::collective;
    operation.cpu = ScheduledOperation::no_cpu;
    operation.terms = static_cast<std::uint32_t>(calls_.size());
    calls_.push_back(call_in_group(collective, size.value_or(0), *group, members.size()));
    const auto [last, is_first] = last_calls_.emplace(*group, index);
    if (!is_first)
      graph_.add_dependency({std::exchange(last->second, index), index, false});
  }

  std::string file_;
  int rank_;
  int ranks_;
  bool has_speed_;
  ChakraGaps& gaps_;
  std::vector<ChakraNode> nodes_;
  GoalGraph graph_{"node"};
  std::vector<CollectiveEvent> calls_;
  std::map<std::size_t, std::uint32_t> last_calls_; // last calls by group
  FaultReasons faults_{"node"};
  Errors errors_;
};

std::vector<std::string> chakra_warnings(const std::string& file, const ChakraGaps& gaps) {
  std::vector<std::string> warnings;
  const auto warn = [&](std::size_t count, const char* noun, const char* rest) {
    if (count > 0)
      warnings.push_back(fmt::format("{}: {} {}", file, counted(count, noun), rest));
  };
  warn(gaps.uncounted, "node",
       "of work with num_ops, but without a duration, taken to need no time; \"speed\" in the scenario makes work of "
       "them");
  warn(gaps.memory, "access", "to memory without a duration, taken to need no time");
  warn(gaps.unknown, "node", "to wait for, but not in the trace, taken to have ended");
  warn(gaps.rooted, "call",
       "of broadcast, reduce, gather or scatter, whose root traces lack: the first rank of its group");
  warn(gaps.unnamed, "call", "without comm_type and comm_size, taken as work of its time");
  warn(gaps.ungrouped, "call", "in process group 0, which nothing describes, taken for PyTorch's group of all ranks");
  return warnings;
}

// Returns the file of a rank: the one in protobuf, unless there is only the other.
std::string file_of(const std::string& file, int rank) {
  const auto binary = fmt::format("{}.{}.et", file, rank);
  const auto json = fmt::format("{}.{}.json", file, rank);
  return !std::filesystem::exists(binary) && std::filesystem::exists(json) ? json : binary;
}

// The ranks whose files are read.
std::vector<int> ranks_to_read(const std::string& file, const ChakraForm& form) {
  std::vector<int> ranks(static_cast<std::size_t>(form.ranks));
  std::iota(ranks.begin(), ranks.end(), 0);
  if (!form.stands_for_all)
    return ranks;
  const auto first =
      std::ranges::find_if(ranks, [&](int rank) { return std::filesystem::exists(file_of(file, rank)); });
  return {first == ranks.end() ? 0 : *first};
}

} // namespace

Result<DeviceTrace> read_chakra(const std::string& file, const std::string& groups_file, ChakraForm form) {
  ChakraGroups groups(form.ranks);
  if (!groups_file.empty())
    if (auto errors = groups.add_file(groups_file); !errors.empty())
      return errors;
  ChakraGaps gaps;
  DeviceTrace trace{{file, {}, "node"}, {}};
  if (!groups_file.empty())
    trace.schedule.files.push_back(groups_file);
  const auto ranks = ranks_to_read(file, form);
  for (const int rank : ranks) {
    trace.schedule.files.push_back(file_of(file, rank));
    ChakraRank reader(trace.schedule.files.back(), rank, form, gaps);
    if (auto errors = reader.read(groups); !errors.empty())
      return errors;
    auto read = reader.finish(groups);
    if (!read)
      return read.errors();
    trace.schedule.ranks.push_back(std::move(*read));
  }
  trace.schedule.communicators = groups.list();
  if (form.stands_for_all)
    if (auto errors = stand_for_all(trace.schedule, ranks.front(), false); !errors.empty())
      return errors;
  if (auto errors = check_group_calls(trace.schedule, file); !errors.empty())
    return errors;
  trace.warnings = chakra_warnings(file, gaps);
  return trace;
}

} // namespace kakehashi
