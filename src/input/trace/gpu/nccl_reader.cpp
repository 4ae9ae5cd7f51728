#include "input/trace/gpu/nccl_reader.hpp"

#include "base/number.hpp"
#include "input/trace/gpu/nccl_log.hpp"
#include "input/trace/gpu/stand_in.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
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

using Place = std::pair<std::string, int>; // a process and its device

// The communicators of processes → groups of ranks of the world.
class NcclGroups {
public:
  NcclGroups(const NcclLog& log, std::string file, int ranks) : log_(log), file_(std::move(file)), ranks_(ranks) {}

  Errors find() {
    if (auto errors = collect(); !errors.empty())
      return errors;
    if (auto errors = find_world(); !errors.empty())
      return errors;
    std::map<std::string, std::size_t> places;
    for (const auto& id : order_) {
      if (is_whole(parts_[id])) {
        places.emplace(id, groups.size());
        groups.push_back({id, {}});
        for (const auto& [rank, place] : parts_[id].places)
          groups.back().members.push_back(ranks_of_.at(place));
      } else if (std::ranges::any_of(log_.calls(), [&](const auto& call) { return ids_[call.communicator] == id; }))
        return missing(id);
    }
    for (const auto& id : ids_)
      group_of.push_back(places.contains(id) ? places[id] : 0);
    return {};
  }

  std::vector<RankGroup> groups;     // the group of all ranks comes first
  std::vector<std::size_t> group_of; // for each of the log's communicators that have calls
  bool is_assumed = false;           // ranks follow from the order of hosts and devices
  int rank_of(const NcclCommunicator& communicator) const {
    return ranks_of_.at({communicator.process, communicator.device});
  }

private:
  struct Parts {
    int ranks = 0;
    std::map<int, Place> places{}; // by rank
  };

  // The parts of one communicator have one id. Without ids, parts of the same size are assumed to be the same
  // communicator, in each process's order.
  Errors collect() {
    std::map<std::pair<Place, int>, std::size_t> unnamed;
    for (const auto& part : log_.communicators())
      ids_.push_back(part.id.empty() ? fmt::format("{} ranks #{}", part.ranks,
                                                   unnamed[{Place{part.process, part.device}, part.ranks}]++)
                                     : part.id);
    if (auto errors = number_parts(); !errors.empty())
      return errors;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      const auto& part = log_.communicators()[i];
      const auto [found, is_new] = parts_.emplace(ids_[i], Parts{part.ranks});
      if (is_new)
        order_.push_back(ids_[i]);
      if (found->second.ranks != part.ranks ||
          !found->second.places.emplace(numbers_[i], Place{part.process, part.device}).second)
        return {file_error(ErrorKind::input, file_,
                           fmt::format("communicator {} has rank {} of {} twice, or another size; the logs of one run "
                                       "belong here",
                                       ids_[i], numbers_[i], part.ranks))};
    }
    return {};
  }

  // Finds the rank of each part. Those of communicators that no line begins are what their calls state, if these are
  // different; else they follow from the order of hosts and devices.
  Errors number_parts() {
    std::map<std::string, std::vector<std::size_t>> parts; // of communicators that no line begins
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      numbers_.push_back(log_.communicators()[i].rank.value_or(0));
      if (log_.communicators()[i].line > 0)
        parts[ids_[i]].push_back(i);
    }
    for (auto& [id, of_id] : parts) {
      const auto& first = log_.communicators()[of_id.front()];
      if (of_id.size() != static_cast<std::size_t>(first.ranks))
        return {input_error(first.file, fmt::format("line {}", first.line),
                            fmt::format("a call in a communicator of {}, which no line begins, and the logs have such "
                                        "calls of {}; NCCL_DEBUG_SUBSYS=INIT,COLL writes which ranks are in it",
                                        counted(static_cast<std::size_t>(first.ranks), "rank"),
                                        counted(of_id.size(), "device")))};
      std::set<int> stated;
      for (const auto i : of_id)
        if (const auto rank = log_.communicators()[i].rank)
          stated.insert(*rank);
      if (stated.size() == of_id.size())
        continue;
      is_assumed = true;
      std::ranges::stable_sort(of_id, {}, [&](auto i) { return order_of(log_.communicators()[i]); });
      for (std::size_t rank = 0; rank < of_id.size(); ++rank)
        numbers_[of_id[rank]] = static_cast<int>(rank);
    }
    return {};
  }

  // Orders "node9:1" before "node10:1".
  static std::tuple<std::string, std::uint64_t, int, std::string> order_of(const NcclCommunicator& part) {
    const auto host = part.process.substr(0, part.process.rfind(':'));
    const auto letters = host.find_last_not_of("0123456789") + 1;
    return {host.substr(0, letters), number_in<std::uint64_t>(host.substr(letters)).value_or(0), part.device,
            part.process};
  }

  // Whether all of its ranks are in the logs, and in the world.
  bool is_whole(const Parts& parts) const {
    return static_cast<std::size_t>(parts.ranks) == parts.places.size() &&
           std::ranges::all_of(parts.places, [&](const auto& part) { return ranks_of_.contains(part.second); });
  }

  Errors find_world() {
    std::set<int> sizes;
    std::optional<std::string> cut;
    for (const auto& id : order_) {
      const auto& [size, places] = parts_[id];
      sizes.insert(size);
      if (size != ranks_)
        continue;
      if (places.size() != static_cast<std::size_t>(ranks_)) {
        cut = id;
        continue;
      }
      for (const auto& [rank, place] : places)
        ranks_of_.emplace(place, rank);
      if (ranks_of_.size() != places.size())
        return {file_error(ErrorKind::input, file_, "two ranks of a communicator on one device of a process")};
      groups.push_back({"world", {}});
      for (int rank = 0; rank < ranks_; ++rank)
        groups.front().members.push_back(rank);
      return {};
    }
    if (cut)
      return missing(*cut);
    if (sizes.empty())
      return {file_error(ErrorKind::input, file_,
                         "no line of NCCL with \"Init COMPLETE\"; NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,COLL writes "
                         "them")};
    return {file_error(ErrorKind::input, file_,
                       mismatch(fmt::format("communicators of {} ranks", fmt::join(sizes, ", ")),
                                fmt::format("one of all {}, as in the scenario", ranks_)))};
  }

  Errors missing(const std::string& id) {
    std::vector<int> absent;
    const auto& [size, places] = parts_[id];
    for (int rank = 0; rank < size && absent.size() < 20; ++rank)
      if (const auto found = places.find(rank);
          found == places.end() || (!ranks_of_.empty() && !ranks_of_.contains(found->second)))
        absent.push_back(rank);
    return {file_error(ErrorKind::input, file_,
                       fmt::format("communicator {} has {}, but the logs lack {} {} of it", id,
                                   counted(static_cast<std::size_t>(size), "rank"),
                                   absent.size() == 1 ? "rank" : "ranks", fmt::join(absent, ", ")))};
  }

  const NcclLog& log_;
  std::string file_;
  int ranks_;
  std::vector<std::string> ids_; // for each of the log's communicators
  std::vector<int> numbers_;     // likewise: its rank
  std::vector<std::string> order_;
  std::map<std::string, Parts> parts_; // by id
  std::map<Place, int> ranks_of_;
};

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
