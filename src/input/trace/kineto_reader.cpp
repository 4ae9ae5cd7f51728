#include "input/trace/kineto_reader.hpp"

#include "base/file.hpp"
#include "input/trace/kineto_rank.hpp"

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

// Returns the rank to which the trace belongs.
Result<std::size_t> rank_of(const KinetoTrace& trace, const std::string& file, int ranks) {
  const auto fault = [&](std::string message) { return file_error(ErrorKind::input, file, std::move(message)); };
  if (!trace.rank)
    return fault("no \"rank\" in \"distributedInfo\", which torch.profiler writes once torch.distributed has begun");
  if (trace.ranks && *trace.ranks != ranks)
    return fault(
        mismatch(fmt::format("\"world_size\" {}", *trace.ranks), fmt::format("{}, as in the scenario", ranks)));
  if (*trace.rank < 0 || *trace.rank >= ranks)
    return fault(mismatch(fmt::format("rank {}", *trace.rank), fmt::format("one from 0 to {}", ranks - 1)));
  return static_cast<std::size_t>(*trace.rank);
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

} // namespace

Result<DeviceTrace> read_kineto(const std::string& folder, int ranks) {
  const auto files = kineto_files(folder);
  if (!files)
    return files.errors();
  KinetoGroups groups(ranks);
  KinetoGaps gaps;
  std::vector<std::optional<KinetoRank>> read(static_cast<std::size_t>(ranks));
  std::vector<std::string> file_of(read.size());
  for (const auto& file : *files) {
    const auto text = read_text(file, largest_trace);
    if (!text)
      return text.errors();
    auto trace = parse_kineto(*text, file);
    if (!trace)
      return trace.errors();
    const auto rank = rank_of(*trace, file, ranks);
    if (!rank)
      return rank.errors();
    if (read[*rank])
      return file_error(ErrorKind::input, file,
                        fmt::format("a trace of rank {}, as {} is; expected one of each rank", *rank, file_of[*rank]));
    read[*rank].emplace(file, static_cast<int>(*rank), gaps);
    file_of[*rank] = file;
    if (auto errors = read[*rank]->read(std::move(*trace), groups); !errors.empty())
      return errors;
  }
  std::vector<std::size_t> missing;
  for (std::size_t rank = 0; rank < read.size(); ++rank)
    if (!read[rank] && missing.size() < 20)
      missing.push_back(rank);
  if (!missing.empty())
    return file_error(ErrorKind::input, folder,
                      fmt::format("no trace of {} {}, expected one of each of {} ranks",
                                  missing.size() == 1 ? "rank" : "ranks", fmt::join(missing, ", "), ranks));
  leave_edges(read, groups.list());
  DeviceTrace trace{{folder, {}, "event"}, {}};
  trace.schedule.files = *files;
  for (auto& rank : read)
    trace.schedule.ranks.push_back(rank->finish());
  trace.schedule.communicators = groups.list();
  for (auto errors : {check_group_messages(trace.schedule, folder), check_group_calls(trace.schedule, folder)})
    if (!errors.empty())
      return errors;
  trace.warnings = kineto_warnings(folder, gaps);
  return trace;
}

} // namespace kakehashi
