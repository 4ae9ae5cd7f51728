#include "input/trace/gpu/nccl_groups.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "input/trace/gpu/group_calls.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::string_view info = " NCCL INFO ";
constexpr std::array<std::uint64_t, 12> bytes_by_type{1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1}; // ncclDataType_t in nccl.h

struct NcclName {
  std::string_view name;
  NcclCall::Kind kind;
  Collective collective;
};
constexpr std::array nccl_names{NcclName{"AllReduce", NcclCall::Kind::collective, Collective::allreduce},
                                NcclName{"AllGather", NcclCall::Kind::collective, Collective::allgather},
                                NcclName{"ReduceScatter", NcclCall::Kind::collective, Collective::reduce_scatter},
                                NcclName{"Broadcast", NcclCall::Kind::collective, Collective::bcast},
                                NcclName{"Reduce", NcclCall::Kind::collective, Collective::reduce},
                                NcclName{"AlltoAll", NcclCall::Kind::collective, Collective::alltoall},
                                NcclName{"AllToAll", NcclCall::Kind::collective, Collective::alltoall},
                                NcclName{"Gather", NcclCall::Kind::collective, Collective::gather},
                                NcclName{"Scatter", NcclCall::Kind::collective, Collective::scatter},
                                NcclName{"Send", NcclCall::Kind::send, Collective::barrier},
                                NcclName{"Recv", NcclCall::Kind::receive, Collective::barrier}};

// The words of a line, which are pairs of a name and a value.
class NcclWords {
public:
  explicit NcclWords(std::string_view text) : text_(text) {}

  // Returns the value after the name; empty: there is none.
  std::string_view value_of(std::string_view name) const {
    auto rest = text_;
    for (auto word = take_word(rest); !word.empty(); word = take_word(rest))
      if (word == name)
        return take_word(rest);
    return {};
  }
  // Returns the word that begins so; empty: there is none.
  std::string_view word_with(std::string_view begin) const {
    auto rest = text_;
    for (auto word = take_word(rest); !word.empty(); word = take_word(rest))
      if (word.starts_with(begin))
        return word;
    return {};
  }
  template <class T> std::optional<T> number_of(std::string_view name, int base = 10) const {
    auto value = value_of(name);
    if (base == 16 && value.starts_with("0x"))
      value.remove_prefix(2);
    return number_in<T>(value, base);
  }

private:
  std::string_view text_;
};

// Reads the 8 of "[nranks=8]".
std::optional<int> ranks_of(const NcclWords& words) {
  const auto word = words.word_with("[nranks=");
  const auto ranks = word.ends_with(']') ? small_number_in(word.substr(8, word.size() - 9)) : std::nullopt;
  return ranks && *ranks > 0 ? std::optional(static_cast<int>(*ranks)) : std::nullopt;
}

// Reads "2024-05-01 12:00:00.123456", the default of NCCL_DEBUG_TIMESTAMP_FORMAT, as ns.
std::optional<std::int64_t> time_in(std::string_view text, bool& has_whole_seconds) {
  constexpr std::size_t of_seconds = 17;
  if (text.size() < 19 || text[4] != '-' || text[7] != '-' || text[10] != ' ' || text[13] != ':' || text[16] != ':')
    return std::nullopt;
  const auto part = [&](std::size_t begin, std::size_t size) { return small_number_in(text.substr(begin, size)); };
  const auto year = part(0, 4), month = part(5, 2), day = part(8, 2), hour = part(11, 2), minute = part(14, 2);
  const auto seconds = number_in<double>(text.substr(of_seconds));
  if (!year || !month || !day || !hour || !minute || !seconds || !(*seconds >= 0 && *seconds < 61))
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)), std::chrono::month(*month),
                                         std::chrono::day(*day)};
  if (!date.ok() || *year < 1970 || *year > 2200)
    return std::nullopt;
  has_whole_seconds = has_whole_seconds || text.find('.') == std::string_view::npos;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t minutes = 24 * 60 * std::int64_t{days} + 60 * std::int64_t{*hour} + *minute;
  return 60'000'000'000 * minutes + static_cast<std::int64_t>(std::llround(1e9 * *seconds));
}

} // namespace

// Reads "[2024-05-01 12:00:00] host:pid:tid [0]". All but the device may be missing, and launchers may put more before
// it.
std::optional<NcclLog::Prefix> NcclLog::prefix_of(std::string_view text, const std::string& file) {
  const auto bracket = text.rfind('[');
  const auto device = bracket == std::string_view::npos || !text.ends_with(']')
                          ? std::nullopt
                          : small_number_in(text.substr(bracket + 1, text.size() - bracket - 2));
  if (!device)
    return std::nullopt;
  Prefix prefix{"", static_cast<int>(*device), std::nullopt};
  text = trimmed(text.substr(0, bracket));
  const auto space = text.find_last_of(" \t");
  const auto threads = space == std::string_view::npos ? text : text.substr(space + 1);
  const auto last = threads.rfind(':');
  const bool is_process =
      last != std::string_view::npos && threads.substr(0, last).rfind(':') != std::string_view::npos;
  prefix.process = is_process ? std::string(threads.substr(0, last)) : fmt::format("{} [{}]", file, *device);
  const auto close = text.rfind(']');
  const auto open = close == std::string_view::npos ? close : text.substr(0, close).rfind('[');
  if (open != std::string_view::npos)
    prefix.time = time_in(text.substr(open + 1, close - open - 1), has_whole_seconds_);
  return prefix;
}

bool NcclLog::add_communicator(const Prefix& prefix, std::string_view text) {
  const NcclWords words(text);
  const auto rank = words.number_of<int>("rank");
  const auto ranks = words.number_of<int>("nranks");
  const auto device = words.number_of<int>("cudaDev");
  const auto address = words.value_of("comm");
  if (!rank || !ranks || !device || address.empty() || *rank < 0 || *rank >= *ranks)
    return false;
  has_begins_ = true;
  NcclCommunicator added{prefix.process, *device, *rank, *ranks, ""};
  const auto parent = places_.find(fmt::format("{} {}", prefix.process, words.value_of("parent")));
  const auto id = words.number_of<std::uint64_t>("commId", 16);
  if (id && *id != 0)
    added.id = fmt::format("{:x}", *id);
  else if (parent != places_.end() && !communicators_[parent->second].id.empty()) {
    const auto child = words.value_of("childCount"); // versions before 2.27 have no childCount
    added.id = fmt::format("{}/{}/{}", communicators_[parent->second].id,
                           child.empty() ? words.value_of("splitCount") : child, words.value_of("color"));
  }
  places_[fmt::format("{} {}", prefix.process, address)] = communicators_.size();
  communicators_.push_back(std::move(added));
  return true;
}

// Reads "AllReduce: opCount 2 sendbuff 0x7f recvbuff 0x7f count 1 datatype 7 op 0 root 0 comm 0x55 [nranks=8] stream
// 0x56 [task 0 globalrank 3]". Some builds put the rank before it, as "[3] AllReduce: …". Returns why it cannot, if so.
std::optional<std::string> NcclLog::add_call(const Prefix& prefix, std::string_view text, const std::string& file,
                                             std::uint64_t line) {
  std::optional<std::uint32_t> stated_rank;
  if (const auto close = text.find("] "); text.starts_with('[') && close != std::string_view::npos) {
    stated_rank = small_number_in(text.substr(1, close - 1));
    text.remove_prefix(close + 2);
  }
  const auto name = text.substr(0, text.find(':'));
  const auto row = std::ranges::find(nccl_names, name, &NcclName::name);
  if (row == nccl_names.end())
    return fmt::format("the call {} is not known", in_quotes(name));
  const NcclWords words(text);
  const auto number = words.number_of<std::uint64_t>("opCount", 16);
  const auto count = words.number_of<std::uint64_t>("count");
  const auto type = words.number_of<std::size_t>("datatype");
  const auto root = words.number_of<int>("root");
  const auto address = words.value_of("comm");
  if (!number || !count || !type || !root || address.empty())
    return "a call that is cut: expected opCount, count, datatype, root, comm and stream";
  if (*type >= bytes_by_type.size())
    return mismatch(fmt::format("datatype {}", *type), fmt::format("one from 0 to {}", bytes_by_type.size() - 1));
  const auto [place, is_new] =
      places_.try_emplace(fmt::format("{} {}", prefix.process, address), communicators_.size());
  if (is_new) {
    const auto ranks = ranks_of(words);
    if (!ranks) {
      places_.erase(place);
      return "a call that is cut: expected [nranks=…]";
    }
    if (const auto last = words.number_of<std::uint32_t>("globalrank"))
      stated_rank = last;
    NcclCommunicator added{prefix.process, prefix.device, std::nullopt, *ranks, "", file, line};
    if (stated_rank && static_cast<int>(*stated_rank) < *ranks)
      added.rank = static_cast<int>(*stated_rank);
    communicators_.push_back(std::move(added));
  }
  const auto& communicator = communicators_[place->second];
  if (*root < 0 || *root >= communicator.ranks)
    return mismatch(fmt::format("root {}", *root), fmt::format("one from 0 to {}", communicator.ranks - 1));
  if (*count > largest_size.count / bytes_by_type[*type] / static_cast<std::uint64_t>(communicator.ranks))
    return mismatch(fmt::format("count {}", *count), "one of at most 1 PiB for all ranks");
  calls_.push_back({row->kind, row->collective, place->second, *number, *count, bytes_by_type[*type], *root,
                    std::string(words.value_of("stream")), prefix.time, line});
  return std::nullopt;
}

Errors NcclLog::read(LineReader& lines, const std::string& file) {
  FaultReasons faults("line");
  constexpr std::size_t longest = 4096; // NCCL's own lines have at most 1024 B
  while (const auto next = lines.next()) {
    const auto line = next->substr(0, longest);
    const auto begin = line.rfind(info); // processes that share a file may break into each other's lines
    if (begin == std::string_view::npos)
      continue;
    const auto text = line.substr(begin + info.size());
    const bool is_call = text.find(": opCount ") != std::string_view::npos;
    const bool is_communicator = text.find(" Init COMPLETE") != std::string_view::npos;
    if (!is_call && !is_communicator)
      continue;
    const auto prefix = prefix_of(line.substr(0, begin), file);
    std::optional<std::string> fault;
    if (!prefix)
      fault = "no [device] before \"NCCL INFO\"";
    else if (is_call)
      fault = add_call(*prefix, text, file, lines.line());
    else if (!add_communicator(*prefix, text))
      fault = "a communicator that is cut: expected comm, rank, nranks and cudaDev";
    if (fault)
      faults.add(fmt::format("line {}", lines.line()), std::move(*fault));
  }
  auto errors = faults.take(file);
  if (lines.fault())
    errors.push_back(*lines.fault());
  return errors;
}

Errors NcclLog::check_begins() const {
  std::map<std::string, FaultReasons> faults; // faults by file
  for (const auto& each : communicators_)
    if (has_begins_ && each.line > 0)
      faults.try_emplace(each.file, "line")
          .first->second.add(fmt::format("line {}", each.line),
                             "a call in a communicator that no line with \"Init COMPLETE\" begins, though others have "
                             "one; NCCL_DEBUG_SUBSYS=INIT,COLL writes them");
  Errors errors;
  for (const auto& [file, of_file] : faults)
    for (auto& error : of_file.take(file))
      errors.push_back(std::move(error));
  return errors;
}

} // namespace kakehashi
