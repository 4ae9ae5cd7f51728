#include "input/trace/gpu/gpu_readers.hpp"

#include "base/file.hpp"
#include "input/trace/gpu/group_calls.hpp"
#include "input/trace/gpu/kineto_rank.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

constexpr std::size_t largest_trace = std::size_t{4} << 30;

// Returns the traces in a folder, or the one file.
Result<std::vector<std::string>> kineto_files(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code status;
  if (!std::filesystem::is_directory(folder, status))
    return std::vector{folder};
  std::optional<std::string> compressed;
  for (const auto& each : std::filesystem::directory_iterator(folder, status)) {
    const auto name = each.path().string();
    if (name.ends_with(".json"))
      files.push_back(name);
    else if (name.ends_with(".json.gz"))
      compressed = name;
  }
  if (status)
    return file_error(ErrorKind::input, folder, "the folder cannot be read");
  if (compressed)
    return file_error(ErrorKind::input, *compressed, "compressed; gunzip makes a .json of it");
  if (files.empty())
    return file_error(ErrorKind::input, folder, "no .json in this folder, expected one of each rank");
  std::ranges::sort(files);
  return files;
}

// Returns the rank to which the trace belongs. A trace that `is_only` need not state it.
Result<std::size_t> rank_of(const KinetoTrace& trace, const std::string& file, int ranks, bool is_only) {
  const auto fault = [&](std::string message) { return file_error(ErrorKind::input, file, std::move(message)); };
  const auto number = trace.rank ? trace.rank : is_only ? std::optional<std::int64_t>(0) : std::nullopt;
  if (!number)
    return fault("no \"rank\" in \"distributedInfo\", which torch.profiler writes once torch.distributed has begun; "
                 "only the trace of a single rank needs none");
  if (trace.ranks && *trace.ranks != ranks)
    return fault(
        mismatch(fmt::format("\"world_size\" {}", *trace.ranks), fmt::format("{}, as in the scenario", ranks)));
  if (*number < 0 || *number >= ranks)
    return fault(mismatch(fmt::format("rank {}", *number), fmt::format("one from 0 to {}", ranks - 1)));
  return static_cast<std::size_t>(*number);
}

// If all ranks of a group number their calls, keeps only the numbers that all of them have.
void leave_edges(std::vector<std::optional<KinetoRank>>& ranks, const std::vector<RankGroup>& groups) {
  std::vector<std::map<std::size_t, KinetoRank::Numbers>> numbers;
  for (const auto& rank : ranks)
    numbers.push_back(rank->numbers());
  for (std::size_t group = 0; group < groups.size(); ++group) {
    KinetoRank::Numbers kept{true, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    for (const int rank : groups[group].members) {
      const auto& of_rank = numbers[static_cast<std::size_t>(rank)];
      const auto found = of_rank.find(group);
      kept.are_known = kept.are_known && found != of_rank.end() && found->second.are_known;
      if (!kept.are_known)
        break;
      kept.first = std::max(kept.first, found->second.first);
      kept.last = std::min(kept.last, found->second.last);
    }
    for (const int rank : groups[group].members)
      if (kept.are_known)
        ranks[static_cast<std::size_t>(rank)]->keep(group, kept);
  }
}

std::vector<std::string> kineto_warnings(const std::string& folder, const KinetoGaps& gaps) {
  std::vector<std::string> warnings;
  const auto warn = [&](std::size_t count, const char* noun, const char* rest) {
    if (count > 0)
      warnings.push_back(fmt::format("{}: {} {}", folder, counted(count, noun), rest));
  };
  warn(gaps.unnamed, "kernel", "of NCCL without a record of what it moves, taken as work of its time");
  warn(gaps.lost, "call", "without a kernel of NCCL, left out");
  warn(gaps.edges, "call", "at the ends of traces that not all ranks of its group have, left out");
  warn(gaps.assumed, "call", "whose root or blocks the trace lacks: the first rank of its group, equal blocks");
  return warnings;
}

// The traces that are read, each of another rank.
class KinetoTraces {
public:
  KinetoTraces(int ranks, bool is_only) : groups_(ranks), ranks_(ranks), is_only_(is_only) {
    read_.resize(static_cast<std::size_t>(ranks));
    file_of_.resize(read_.size());
  }

  Errors read(const std::string& file) {
    const auto text = read_text(file, largest_trace);
    if (!text)
      return text.errors();
    auto trace = parse_kineto(*text, file);
    if (!trace)
      return trace.errors();
    const auto rank = rank_of(*trace, file, ranks_, is_only_);
    if (!rank)
      return rank.errors();
    if (read_[*rank])
      return {
          file_error(ErrorKind::input, file,
                     fmt::format("a trace of rank {}, as {} is; expected one of each rank", *rank, file_of_[*rank]))};
    read_[*rank].emplace(file, static_cast<int>(*rank), gaps_);
    file_of_[*rank] = file;
    return read_[*rank]->read(std::move(*trace), groups_);
  }

  std::vector<int> ranks_with(bool a_trace) const {
    std::vector<int> found;
    for (int rank = 0; rank < ranks_; ++rank)
      if (read_[static_cast<std::size_t>(rank)].has_value() == a_trace)
        found.push_back(rank);
    return found;
  }

  // Adds the graphs of the ranks that have a trace. Called once, at the end.
  DeviceTrace finish(const std::string& folder) {
    if (ranks_with(false).empty())
      leave_edges(read_, groups_.list());
    DeviceTrace trace{{folder, {}, "event"}, {}};
    for (auto& rank : read_)
      if (rank)
        trace.schedule.ranks.push_back(rank->finish());
    trace.schedule.communicators = groups_.list();
    trace.warnings = kineto_warnings(folder, gaps_);
    return trace;
  }

private:
  KinetoGroups groups_;
  int ranks_;
  bool is_only_; // there is one trace, and it is that of the only rank, or stands for all
  KinetoGaps gaps_;
  std::vector<std::optional<KinetoRank>> read_;
  std::vector<std::string> file_of_;
};

} // namespace

Result<DeviceTrace> read_kineto(const std::string& folder, int ranks, bool stands_for_all) {
  const auto files = kineto_files(folder);
  if (!files)
    return files.errors();
  if (stands_for_all && files->size() > 1)
    return file_error(ErrorKind::input, folder,
                      mismatch(counted(files->size(), "trace"), "a single one, which stands for all ranks"));
  KinetoTraces traces(ranks, files->size() == 1 && (ranks == 1 || stands_for_all));
  for (const auto& file : *files)
    if (auto errors = traces.read(file); !errors.empty())
      return errors;
  auto missing = traces.ranks_with(false);
  if (!missing.empty() && !stands_for_all) {
    const bool is_one = missing.size() == 1;
    constexpr std::size_t most = 20;
    missing.resize(std::min(missing.size(), most));
    return file_error(ErrorKind::input, folder,
                      fmt::format("no trace of {} {}, expected one of each of {} ranks{}", is_one ? "rank" : "ranks",
                                  fmt::join(missing, ", "), ranks,
                                  files->size() == 1 ? "; \"stands_for_all\": true lets this one stand for all" : ""));
  }
  auto trace = traces.finish(folder);
  trace.schedule.files = *files;
  if (stands_for_all)
    if (auto errors = stand_for_all(trace.schedule, traces.ranks_with(true).front(), true); !errors.empty())
      return errors;
  for (auto errors : {check_group_messages(trace.schedule, folder), check_group_calls(trace.schedule, folder)})
    if (!errors.empty())
      return errors;
  return trace;
}

} // namespace kakehashi
