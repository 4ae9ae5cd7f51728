#include "input/trace/gpu/gpu_readers.hpp"

#include "input/trace/gpu/group_calls.hpp"
#include "input/trace/gpu/nccl_groups.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <tuple>

namespace kakehashi {
namespace {

using Kind = ScheduledOperation::Kind;

Result<std::vector<std::string>> nccl_files(const std::string& file) {
  std::vector<std::string> files;
  std::error_code status;
  if (!std::filesystem::is_directory(file, status))
    return std::vector{file};
  for (const auto& each : std::filesystem::directory_iterator(file, status))
    if (each.is_regular_file())
      files.push_back(each.path().string());
  if (status || files.empty())
    return file_error(ErrorKind::input, file, status ? "the folder cannot be read" : "an empty folder, expected logs");
  std::ranges::sort(files);
  return files;
}

// The calls of a rank, one after the other → its graph.
class NcclRank {
public:
  void add(const NcclCall& call, std::size_t place, const std::vector<int>& members, bool has_times) {
    std::set<std::uint32_t> before;
    if (has_times)
      before.insert(add_host(call));
    const std::tuple together{place, call.number, call.stream};
    const bool is_message = call.kind != NcclCall::Kind::collective;
    if (!is_message || together != together_)
      start(place, call.stream);
    together_ = is_message ? std::optional(together) : std::nullopt;
    before.insert(before_.begin(), before_.end());
    const auto index = add_operation(call, place, members, before);
    streams_[call.stream].push_back(index);
    communicators_[place].push_back(index);
  }
  RankSchedule take() {
    std::ranges::stable_sort(schedule_.dependencies, {}, &Dependency::before);
    return std::move(schedule_);
  }

private:
  // Makes the following calls wait for everything that their stream and their communicator have to do so far.
  void start(std::size_t place, const std::string& stream) {
    before_.clear();
    for (auto* last : {&streams_[stream], &communicators_[place]}) {
      before_.insert(before_.end(), last->begin(), last->end());
      last->clear();
    }
  }

  std::uint32_t add_host(const NcclCall& call) {
    ScheduledOperation host;
    host.line = call.line;
    host.time = {1e-9 * static_cast<double>(std::max<std::int64_t>(0, *call.time - last_time_.value_or(*call.time)))};
    last_time_ = call.time;
    const auto index = static_cast<std::uint32_t>(schedule_.operations.size());
    schedule_.operations.push_back(host);
    if (last_host_)
      schedule_.dependencies.push_back({*last_host_, index, false});
    last_host_ = index;
    return index;
  }

  std::uint32_t add_operation(const NcclCall& call, std::size_t place, const std::vector<int>& members,
                              const std::set<std::uint32_t>& before) {
    ScheduledOperation added;
    added.line = call.line;
    added.cpu = ScheduledOperation::no_cpu;
    const auto bytes = call.count * call.element;
    if (call.kind == NcclCall::Kind::collective) {
      added.kind = Kind::collective;
      added.terms = static_cast<std::uint32_t>(schedule_.collectives.size());
      const bool is_block = call.collective == Collective::reduce_scatter || call.collective == Collective::alltoall ||
                            call.collective == Collective::scatter; // the call states one block for each rank
      schedule_.collectives.push_back(
          call_in_group(call.collective, is_block ? bytes * members.size() : bytes, place, members.size()));
      schedule_.collectives.back().root = has_root(call.collective) ? call.root : 0;
    } else {
      added.kind = call.kind == NcclCall::Kind::send ? Kind::send : Kind::receive;
      added.peer = members[static_cast<std::size_t>(call.root)];
      added.tag = static_cast<int>(place);
      added.size = {bytes};
    }
    const auto index = static_cast<std::uint32_t>(schedule_.operations.size());
    schedule_.operations.push_back(added);
    for (const auto each : before)
      schedule_.dependencies.push_back({each, index, false});
    return index;
  }

  RankSchedule schedule_;
  std::map<std::string, std::vector<std::uint32_t>> streams_; // the simultaneous operations that each does last
  std::map<std::size_t, std::vector<std::uint32_t>> communicators_;
  std::vector<std::uint32_t> before_; // what the calls that start together wait for
  std::optional<std::tuple<std::size_t, std::uint64_t, std::string>> together_;
  std::optional<std::uint32_t> last_host_;
  std::optional<std::int64_t> last_time_;
};

// The only rank in the logs → its graph. Its calls are in the communicator of all ranks, or in one of its own, where
// they move nothing.
Result<Schedule> read_one(const NcclLog& log, const std::string& file, int ranks, bool has_times) {
  Schedule schedule{file, {}, "line", {{"world", std::vector<int>(static_cast<std::size_t>(ranks))}}};
  auto& world = schedule.communicators.front().members;
  std::iota(world.begin(), world.end(), 0);
  const auto& first = log.communicators().front();
  NcclRank rank;
  for (const auto& call : log.calls()) {
    const auto& communicator = log.communicators()[call.communicator];
    if (communicator.process != first.process || communicator.device != first.device)
      return file_error(ErrorKind::input, file,
                        mismatch("calls of several processes or devices", "those of one, which stands for all ranks"));
    if (communicator.ranks == ranks)
      rank.add(call, 0, world, has_times);
    else if (communicator.ranks > 1)
      return input_error(file, fmt::format("line {}", call.line),
                         mismatch(fmt::format("a call in a communicator of {}",
                                              counted(static_cast<std::size_t>(communicator.ranks), "rank")),
                                  fmt::format("one of all {}, since the log of one rank does not show which others are "
                                              "in it",
                                              ranks)));
  }
  schedule.ranks.push_back(rank.take());
  if (auto errors = stand_for_all(schedule, first.rank.value_or(0), true); !errors.empty())
    return errors;
  return schedule;
}

Result<Schedule> read_all(const NcclLog& log, const std::string& file, int ranks, bool has_times,
                          std::vector<std::string>& warnings) {
  NcclGroups groups(log, file, ranks);
  if (auto errors = groups.find(); !errors.empty())
    return errors;
  if (groups.is_assumed)
    warnings.push_back(fmt::format("{}: no line states ranks, so they are assumed to be in the order of hosts and "
                                   "devices; NCCL_DEBUG_SUBSYS=INIT,COLL writes them",
                                   file));
  std::vector<NcclRank> read(static_cast<std::size_t>(ranks));
  for (const auto& call : log.calls()) {
    const auto place = groups.group_of[call.communicator];
    const auto rank = static_cast<std::size_t>(groups.rank_of(log.communicators()[call.communicator]));
    read[rank].add(call, place, groups.groups[place].members, has_times);
  }
  Schedule schedule{file, {}, "line", std::move(groups.groups)};
  for (auto& rank : read)
    schedule.ranks.push_back(rank.take());
  return schedule;
}

} // namespace

Result<DeviceTrace> read_nccl(const std::string& file, int ranks, bool stands_for_all) {
  const auto files = nccl_files(file);
  if (!files)
    return files.errors();
  NcclLog log;
  for (const auto& each : *files) {
    LineReader lines(read_from_file(each), block_size(1));
    if (auto errors = log.read(lines, each); !errors.empty())
      return errors;
  }
  if (auto errors = log.check_begins(); !errors.empty())
    return errors;
  const bool has_times =
      !log.calls().empty() && std::ranges::all_of(log.calls(), [](const auto& call) { return call.time.has_value(); });
  std::vector<std::string> warnings;
  auto schedule = stands_for_all && !log.communicators().empty() ? read_one(log, file, ranks, has_times)
                                                                 : read_all(log, file, ranks, has_times, warnings);
  if (!schedule)
    return schedule.errors();
  schedule->files = *files;
  DeviceTrace trace{std::move(*schedule), std::move(warnings)};
  for (auto errors : {check_group_messages(trace.schedule, file), check_group_calls(trace.schedule, file)})
    if (!errors.empty())
      return errors;
  if (log.calls().empty())
    trace.warnings.push_back(fmt::format("{}: no calls; NCCL_DEBUG_SUBSYS=INIT,COLL writes them", file));
  else if (!has_times)
    trace.warnings.push_back(fmt::format("{}: calls without a time, so there is no work between them; "
                                         "NCCL_DEBUG_TIMESTAMP_LEVELS=INFO and "
                                         "NCCL_DEBUG_TIMESTAMP_FORMAT=\"[%F %T.%6f] \" write it",
                                         file));
  else if (log.has_whole_seconds())
    trace.warnings.push_back(fmt::format("{}: times in whole seconds; NCCL_DEBUG_TIMESTAMP_FORMAT=\"[%F %T.%6f] \" "
                                         "writes microseconds",
                                         file));
  return trace;
}

} // namespace kakehashi
