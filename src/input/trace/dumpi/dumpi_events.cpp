#include "input/trace/dumpi/dumpi_events.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

namespace kakehashi {
namespace {

constexpr std::int64_t any_number = -1; // any source, and any tag

// The sizes of C's types on machines of 64 bits, by DUMPI's numbers from MPI_CHAR on.
constexpr std::array<std::uint64_t, 26> usual_sizes{1,  1, 1, 1, 4, 2, 2, 4, 4,  8,  8, 4, 8,
                                                    16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20};
constexpr std::int64_t first_type = 2;

// Calls that move data or wait for other ranks, and have no event.
bool goes_elsewhere(std::string_view name) {
  constexpr std::array beginnings{"Put", "Accumulate", "Win_", "Comm_accept", "Comm_connect", "Comm_join", "Probe"};
  return name == "Get" ||
         std::ranges::any_of(beginnings, [&](std::string_view begin) { return name.starts_with(begin); });
}

// Calls whose time is no work of the rank's, beside those with events and those that are left out.
bool is_no_work(std::string_view name) {
  constexpr std::array names{"Init", "Init_thread", "Finalize", "Iprobe", "Request_get_status"};
  return std::ranges::find(names, name) != names.end();
}

} // namespace

void DumpiEvents::fail(std::string message) {
  if (fault_.empty())
    fault_ = fmt::format("MPI_{}: {}", dumpi_name(call_->function), message);
}

void DumpiEvents::leave_out(std::string_view why) {
  ++gaps_[fmt::format("MPI_{}{}", dumpi_name(call_->function), why)];
}

template <class What> void DumpiEvents::add(What what) {
  auto added = event();
  added.what = std::move(what);
  events_.add(std::move(added));
}

// The time since the last call was work, and so is that of calls that do something of the rank's own.
void DumpiEvents::take(const DumpiCall& call) {
  call_ = &call;
  const auto name = dumpi_name(call.function);
  const auto handler = handlers()[call.function];
  const bool is_left_out = !handler && goes_elsewhere(name);
  if (!call.has_times) {
    ++gaps_["times"];
  } else if (handler || is_left_out || is_no_work(name) || !begun_) {
    if (begun_ && call.start > last_)
      events_.add({call.place, {}, {}, {}, ElapseEvent{call.start - last_, true}});
    begun_ = true;
    last_ = call.stop;
  }
  if (handler)
    handler(*this);
  else if (is_left_out)
    leave_out("");
}

std::optional<TraceEvent> DumpiEvents::next(bool at_end) {
  if (at_end)
    requests_.forget_all();
  return events_.next(at_end);
}

// None: its members are unknown, and the call is left out.
std::optional<std::size_t> DumpiEvents::communicator(std::int64_t id) {
  if (id == dumpi_world)
    return 0;
  if (const auto found = known_.find(id); found != known_.end() && found->second)
    return found->second;
  leave_out(" in a communicator whose members are unknown");
  return std::nullopt;
}

// The rank of the world; none, with a fault, if the communicator has no such rank.
std::optional<int> DumpiEvents::member(std::size_t communicator, std::int64_t rank) {
  const auto& members = all_.groups[communicator].members;
  if (rank >= 0 && static_cast<std::uint64_t>(rank) < members.size())
    return members[static_cast<std::size_t>(rank)];
  fail(mismatch(fmt::format("rank {}", rank), fmt::format("one of the {} of its communicator", members.size())));
  return std::nullopt;
}

std::uint64_t DumpiEvents::size_of(std::int64_t type) {
  const auto known = type >= 0 && static_cast<std::uint64_t>(type) < file_.type_sizes.size()
                         ? file_.type_sizes[static_cast<std::size_t>(type)]
                         : 0;
  if (known > 0)
    return static_cast<std::uint64_t>(known);
  const auto usual = static_cast<std::uint64_t>(type - first_type);
  if (type >= first_type && usual < usual_sizes.size())
    return usual_sizes[usual];
  leave_out(" of a datatype without a size, which counts as empty");
  return 0;
}

Bytes DumpiEvents::bytes_of(std::int64_t count, std::int64_t type) {
  if (count < 0)
    fail(mismatch(fmt::format("{} elements", count), "at least none"));
  const auto bytes = count > 0 ? static_cast<std::uint64_t>(count) * size_of(type) : 0; // both are below 2^31
  if (bytes > largest_size.count)
    fail(mismatch(fmt::format("{} B", bytes), bytes_range));
  return {bytes};
}

std::vector<std::uint64_t> DumpiEvents::sizes(std::size_t counts, std::size_t type) {
  std::vector<std::uint64_t> all;
  for (const auto count : call_->list(counts))
    all.push_back(fault_.empty() ? bytes_of(count, number(type)).count : 0);
  return all;
}

std::optional<SendEvent> DumpiEvents::send_of(std::size_t comm, bool blocking) {
  SendEvent event;
  event.blocking = blocking;
  event.tag = static_cast<int>(number(3));
  event.size = bytes(0);
  if (is_self(number(comm))) {
    event.to = rank_;
    return event;
  }
  const auto index = communicator(number(comm));
  if (!index)
    return std::nullopt;
  event.context = *index;
  if (number(2) >= 0)
    event.to = member(*index, number(2));
  return event;
}

std::optional<ReceiveEvent> DumpiEvents::receive_of(std::size_t from, std::size_t comm, const DumpiValue* state) {
  ReceiveEvent event;
  event.blocking = state != nullptr;
  if (number(from + 1) != any_number)
    event.tag = static_cast<int>(number(from + 1));
  if (is_self(number(comm))) {
    event.from = rank_;
    return event;
  }
  const auto index = communicator(number(comm));
  if (!index)
    return std::nullopt;
  event.context = *index;
  auto source = number(from);
  if (source == any_number && state && state->list.size() >= 2)
    source = state->list[0] >= 0 ? state->list[0] : any_number - 1; // libraries give MPI_PROC_NULL any negative number
  if (source < any_number)
    return std::nullopt;
  if (source >= 0)
    event.from = member(*index, source);
  return event;
}

void DumpiEvents::send(bool is_buffered) {
  auto event = send_of(4, !is_buffered);
  if (!event || !event->to)
    return;
  event->is_buffered = is_buffered;
  add(*event);
}

void DumpiEvents::receive() {
  if (const auto event = receive_of(2, 4, &call_->values.back()))
    add(*event);
}

void DumpiEvents::exchange(std::size_t from, std::size_t comm) {
  const auto sent = send_of(comm, true);
  const auto received = receive_of(from, comm, &call_->values.back());
  if (sent && sent->to && received)
    add(SendReceiveEvent{*sent, *received});
  else if (sent && sent->to)
    add(*sent);
  else if (received)
    add(*received);
}

void DumpiEvents::set_send(bool is_buffered, bool is_persistent) {
  auto event = send_of(4, false);
  if (event)
    event->is_buffered = is_buffered;
  requests_.set(number(5), event, is_persistent);
}

void DumpiEvents::set_receive(bool is_persistent) {
  auto event = receive_of(2, 4, nullptr);
  if (event)
    event->is_persistent = is_persistent;
  requests_.set(number(5), event, is_persistent);
}

// The last argument states sources and tags of what has ended.
void DumpiEvents::end_some(const std::vector<std::int64_t>& places) {
  const auto& requests = call_->list(1);
  const auto& states = call_->values.back().list;
  std::vector<DumpiRequests::Ended> ended;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] >= 0 && static_cast<std::uint64_t>(places[i]) < requests.size())
      ended.emplace_back(requests[static_cast<std::size_t>(places[i])],
                         2 * i + 1 < states.size() ? &states[2 * i] : nullptr);
  requests_.end(ended, event());
}

void DumpiEvents::end_listed() {
  std::vector<std::int64_t> all(call_->list(1).size());
  std::iota(all.begin(), all.end(), 0);
  end_some(all);
}

void DumpiEvents::end(std::int64_t request) {
  const auto& state = call_->values.back().list;
  const DumpiRequests::Ended ended(request, state.size() >= 2 ? state.data() : nullptr);
  requests_.end({&ended, 1}, event());
}

void DumpiEvents::collective(Collective kind, std::size_t comm, Bytes size, std::optional<std::size_t> root,
                             std::vector<std::uint64_t> sizes) {
  if (is_self(number(comm)))
    return;
  const auto index = communicator(number(comm));
  if (!index)
    return;
  const auto ranks = all_.groups[*index].members.size();
  if (row_of(kind).division == Division::listed_blocks && sizes.size() != ranks)
    return fail(mismatch(counted(sizes.size(), "block"), fmt::format("{}, one for each rank", ranks)));
  const auto first = root ? number(*root) : 0;
  if (first < 0 || static_cast<std::uint64_t>(first) >= ranks)
    return fail(mismatch(fmt::format("root {}", first), fmt::format("one of the {} ranks of its communicator", ranks)));
  std::uint64_t all = 0;
  for (const auto each : sizes)
    if ((all += each) > largest_size.count)
      return fail(mismatch("larger blocks", bytes_range));
  if (ranks < 2)
    return;
  CollectiveEvent event;
  event.collective = kind;
  event.communicator = *index;
  event.size = size;
  event.root = static_cast<int>(first);
  event.sizes = std::move(sizes);
  add(std::move(event));
}

void DumpiEvents::gatherv() {
  const auto& counts = call_->list(6);
  const auto own = static_cast<std::size_t>(number(0));
  const bool is_root = number(0) == number(4) && own < counts.size();
  collective(Collective::gatherv, 5, is_root ? bytes_of(counts[own], number(8)) : bytes(2), 4);
}

// Other ranks than the root know only their own blocks.
void DumpiEvents::scatterv() {
  auto blocks = sizes(7, 2);
  if (number(0) != number(5) && !is_self(number(6))) {
    const auto index = communicator(number(6));
    if (!index)
      return;
    blocks.assign(all_.groups[*index].members.size(), 0);
    if (const auto own = static_cast<std::size_t>(number(0)); own < blocks.size())
      blocks[own] = bytes(3).count;
  }
  collective(Collective::scatterv, 6, {}, 5, std::move(blocks));
}

void DumpiEvents::alltoallw() {
  std::vector<std::uint64_t> blocks;
  for (std::size_t i = 0; i < std::min(call_->list(1).size(), call_->list(3).size()); ++i)
    blocks.push_back(bytes_of(call_->list(1)[i], call_->list(3)[i]).count);
  collective(Collective::alltoallv, 7, {}, {}, std::move(blocks));
}

// The ranks of the old communicator agree on the new one.
void DumpiEvents::make() {
  const auto& made = all_.made[static_cast<std::size_t>(rank_)];
  const auto old = old_communicator(dumpi_name(call_->function), call_->values);
  const auto number = call_->values.back().number;
  known_[number] = made_ < made.size() ? made[made_] : std::nullopt;
  ++made_;
  copies_of_self_.erase(number);
  if (is_self(old)) {
    copies_of_self_.insert(number);
    return;
  }
  const auto index = communicator(old);
  if (!index || all_.groups[*index].members.size() < 2)
    return;
  CollectiveEvent event;
  event.collective = Collective::allgather;
  event.size = Bytes{8};
  event.communicator = *index;
  event.makes_communicator = true;
  add(event);
}

} // namespace kakehashi
