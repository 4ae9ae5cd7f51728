#include "input/trace/gpu/kineto_rank.hpp"

#include "base/number.hpp"
#include "input/trace/gpu/group_calls.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

namespace kakehashi {
namespace {

// "_allgather_base" → "allgatherbase"; "Float8_e5m2" → "float8e5m2"
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (c >= 'A' && c <= 'Z')
      result += static_cast<char>(c - 'A' + 'a');
    else if (c != '_' && c != '.')
      result += c;
  return result;
}

struct KinetoName {
  std::string_view begin; // the beginning of the plain name
  Collective collective;
};
// The names in PyTorch's ProcessGroupNCCL.cpp. A name that begins with another one comes before it.
constexpr std::array kineto_names{
    KinetoName{"allreduce", Collective::allreduce}, KinetoName{"allgather", Collective::allgather},
    KinetoName{"alltoallv", Collective::alltoallv}, KinetoName{"alltoall", Collective::alltoall},
    KinetoName{"broadcast", Collective::bcast},     KinetoName{"reducescatter", Collective::reduce_scatter},
    KinetoName{"reduce", Collective::reduce},       KinetoName{"gather", Collective::gather},
    KinetoName{"scatter", Collective::scatter},     KinetoName{"barrier", Collective::barrier}};

std::optional<Collective> collective_of(const KinetoCall& call) {
  const auto name = plain(call.collective);
  const auto found = std::ranges::find_if(kineto_names, [&](const auto& row) { return name.starts_with(row.begin); });
  return found == kineto_names.end() ? std::nullopt : std::optional(found->collective);
}

// Returns the size of an element by the names of c10::ScalarType, and of Python's torch.
std::optional<std::uint64_t> bytes_of_type(const std::string& type) {
  static const std::map<std::string, std::uint64_t, std::less<>> sizes{
      {"byte", 1},           {"char", 1},       {"bool", 1},         {"int8", 1},
      {"uint8", 1},          {"qint8", 1},      {"quint8", 1},       {"short", 2},
      {"int16", 2},          {"uint16", 2},     {"half", 2},         {"float16", 2},
      {"bfloat16", 2},       {"int", 4},        {"int32", 4},        {"uint32", 4},
      {"float", 4},          {"float32", 4},    {"qint32", 4},       {"long", 8},
      {"int64", 8},          {"uint64", 8},     {"double", 8},       {"float64", 8},
      {"complexhalf", 4},    {"complex32", 4},  {"complexfloat", 8}, {"complex64", 8},
      {"complexdouble", 16}, {"complex128", 16}};
  const auto name = plain(type);
  if (name.starts_with("float8"))
    return 1;
  const auto found = sizes.find(name);
  return found == sizes.end() ? std::nullopt : std::optional(found->second);
}

struct NumberList {
  std::vector<std::int64_t> numbers;
  bool is_cut = false; // "[0, 1, ...]"
};
// Returns nothing if it is no list of numbers.
std::optional<NumberList> numbers_in(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']'))
    return std::nullopt;
  text = text.substr(1, text.size() - 2);
  NumberList list;
  while (!text.empty()) {
    if (text == "...") {
      list.is_cut = true;
      break;
    }
    const auto number = take_number<std::int64_t>(text);
    if (!number)
      return std::nullopt;
    list.numbers.push_back(*number);
    while (text.starts_with(',') || text.starts_with(' '))
      text.remove_prefix(1);
  }
  return list;
}

// Returns bytes; nothing: the number is unknown, or too large.
std::optional<std::uint64_t> bytes_of(const std::optional<std::int64_t>& elements, std::uint64_t each) {
  if (!elements || *elements < 0 || static_cast<std::uint64_t>(*elements) > largest_size.count / each)
    return std::nullopt;
  return static_cast<std::uint64_t>(*elements) * each;
}

// Returns the bytes for each rank of an alltoallv, if the trace lists them.
std::vector<std::uint64_t> split_blocks(const KinetoCall& call, std::uint64_t total, std::size_t members) {
  const auto list = numbers_in(call.splits);
  if (!list || list->is_cut || list->numbers.size() != members ||
      std::ranges::any_of(list->numbers, [](auto rows) { return rows < 0 || rows > INT32_MAX; }))
    return {};
  const auto rows = std::accumulate(list->numbers.begin(), list->numbers.end(), std::uint64_t{0});
  std::vector<std::uint64_t> blocks;
  for (const auto each : list->numbers)
    blocks.push_back(rows == 0 ? 0 : total / rows * static_cast<std::uint64_t>(each));
  return blocks;
}

KinetoAction message_of(const KinetoCall& call, const GroupOfCall& group, std::uint64_t size) {
  KinetoMessage message{0, {size}, plain(call.collective) == "send"};
  const auto& peer = message.is_send ? call.target : call.source;
  if (peer && std::ranges::find(group.members, *peer) != group.members.end())
    message.peer = static_cast<int>(*peer);
  else if (!peer && call.rank && *call.rank >= 0 && static_cast<std::size_t>(*call.rank) < group.members.size())
    message.peer = group.members[static_cast<std::size_t>(*call.rank)];
  else
    return fmt::format("{} without a rank of its group as {}", call.collective,
                       message.is_send ? "\"Dst Rank\"" : "\"Src Rank\"");
  return message;
}

} // namespace

bool is_message(const KinetoCall& call) {
  const auto name = plain(call.collective);
  return name == "send" || name == "recv";
}

bool is_wait(const KinetoCall& call) {
  return plain(call.collective) == "wait";
}

bool moves_anything(const KinetoCall& call) {
  return is_message(call) || collective_of(call);
}

KinetoAction action_of(const KinetoCall& call, const GroupOfCall& group, bool& is_assumed) {
  const auto collective = collective_of(call);
  if (!collective && !is_message(call))
    return fmt::format("the collective call \"{}\" is not known", shortened(call.collective, 100));
  if (collective == Collective::barrier)
    return call_in_group(*collective, 0, group.place, group.members.size());
  const auto each = bytes_of_type(call.type);
  if (!each)
    return fmt::format("the data type {} is not known", in_quotes(call.type));
  const auto in = bytes_of(call.in, *each);
  const auto out = bytes_of(call.out, *each);
  if (!in || !out)
    return fmt::format("{} without \"In msg nelems\" and \"Out msg nelems\" of together at most 1 PiB",
                       call.collective);
  if (!collective)
    return message_of(call, group, std::max(*in, *out));
  const bool is_block = *collective == Collective::allgather || *collective == Collective::gather;
  auto event = call_in_group(*collective, is_block ? std::min(*in, *out) : std::max(*in, *out), group.place,
                             group.members.size());
  if (*collective == Collective::alltoallv) {
    event = call_in_group(*collective, *in, group.place, group.members.size());
    if (auto blocks = split_blocks(call, *in, group.members.size()); !blocks.empty())
      event.sizes = std::move(blocks);
    else
      is_assumed = is_assumed || plain(call.splits) != "[]";
  }
  if (has_root(*collective)) {
    const bool is_known = call.rank && *call.rank >= 0 && static_cast<std::size_t>(*call.rank) < group.members.size();
    event.root = is_known ? static_cast<int>(*call.rank) : 0;
    is_assumed = is_assumed || !is_known;
  }
  return event;
}

KinetoGroups::KinetoGroups(int ranks) : ranks_(ranks) {
  groups_.push_back({"world", std::vector<int>(static_cast<std::size_t>(ranks))});
  std::iota(groups_.front().members.begin(), groups_.front().members.end(), 0);
}

void KinetoGroups::begin_trace(const std::vector<KinetoTrace::Group>& listed) {
  listed_.clear();
  for (const auto& [name, members] : listed)
    listed_.emplace(name, members);
}

std::variant<std::vector<int>, std::string> KinetoGroups::members_of(const KinetoCall& call) const {
  const auto& world = groups_.front().members;
  auto list = numbers_in(call.members);
  if (!list || list->is_cut || list->numbers.empty())
    if (const auto found = listed_.find(call.group); found != listed_.end())
      if (auto whole = numbers_in(found->second); whole && !whole->is_cut && !whole->numbers.empty())
        list = std::move(whole);
  if (!list || list->is_cut || list->numbers.empty()) {
    if (call.size == static_cast<std::int64_t>(world.size()))
      return world;
    const auto most = static_cast<std::int64_t>(world.size());
    const auto is_in = [&](const std::optional<std::int64_t>& number, std::int64_t least) {
      return number && *number >= least && *number <= most;
    };
    if (!is_in(call.first, 0) || !is_in(call.stride, 1) || !is_in(call.size, 1))
      return fmt::format("the ranks of process group {} are not in the trace", in_quotes(call.group));
    list.emplace();
    for (std::int64_t i = 0; i < *call.size; ++i)
      list->numbers.push_back(*call.first + i * *call.stride);
  }
  std::vector<int> members;
  for (const auto number : list->numbers) {
    if (number < 0 || number >= ranks_)
      return fmt::format("process group {} has rank {}, expected 0 to {}", in_quotes(call.group), number, ranks_ - 1);
    members.push_back(static_cast<int>(number));
  }
  auto sorted = members;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    return fmt::format("process group {} has a rank twice", in_quotes(call.group));
  if (call.size && static_cast<std::size_t>(*call.size) != members.size() && !is_wait(call))
    return fmt::format("process group {} has {}, but \"Group size\" is {}", in_quotes(call.group),
                       counted(members.size(), "rank"), *call.size);
  return members;
}

std::variant<std::size_t, std::string> KinetoGroups::find(const KinetoCall& call) {
  auto found = members_of(call);
  if (auto* reason = std::get_if<std::string>(&found))
    return std::move(*reason);
  auto& members = std::get<std::vector<int>>(found);
  const auto [place, is_new] = places_.emplace(std::pair{call.group, members}, groups_.size());
  if (is_new)
    groups_.push_back({call.group, std::move(members)});
  return place->second;
}

} // namespace kakehashi
