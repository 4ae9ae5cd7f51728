#include "input/trace/dumpi/dumpi_events.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

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

const std::vector<DumpiEvents::Take>& DumpiEvents::handlers() {
  using E = DumpiEvents;
  static const std::vector<Take> by_number = [] {
    constexpr Handler rows[] = {{"Send", &E::send},
                                {"Ssend", &E::send},
                                {"Rsend", &E::send},
                                {"Bsend", &E::buffered_send},
                                {"Isend", &E::isend},
                                {"Issend", &E::isend},
                                {"Irsend", &E::isend},
                                {"Ibsend", &E::isend},
                                {"Recv", &E::receive},
                                {"Irecv", &E::ireceive},
                                {"Send_init", &E::init_send},
                                {"Bsend_init", &E::init_send},
                                {"Ssend_init", &E::init_send},
                                {"Rsend_init", &E::init_send},
                                {"Recv_init", &E::init_receive},
                                {"Start", &E::start},
                                {"Startall", &E::start_all},
                                {"Sendrecv", &E::send_receive},
                                {"Sendrecv_replace", &E::send_receive_replace},
                                {"Wait", &E::wait},
                                {"Waitall", &E::wait_all},
                                {"Waitany", &E::wait_any},
                                {"Waitsome", &E::wait_some},
                                {"Test", &E::test},
                                {"Testall", &E::test_all},
                                {"Testany", &E::test_any},
                                {"Testsome", &E::wait_some},
                                {"Request_free", &E::free_request},
                                {"Cancel", &E::cancel},
                                {"Barrier", &E::barrier},
                                {"Bcast", &E::bcast},
                                {"Reduce", &E::reduce},
                                {"Allreduce", &E::allreduce},
                                {"Scan", &E::scan},
                                {"Exscan", &E::exscan},
                                {"Gather", &E::gather},
                                {"Gatherv", &E::gatherv},
                                {"Scatter", &E::scatter},
                                {"Scatterv", &E::scatterv},
                                {"Allgather", &E::allgather},
                                {"Allgatherv", &E::allgatherv},
                                {"Alltoall", &E::alltoall},
                                {"Alltoallv", &E::alltoallv},
                                {"Alltoallw", &E::alltoallw},
                                {"Reduce_scatter", &E::reduce_scatter}};
    std::vector<Take> all(dumpi_functions(), nullptr);
    for (const auto& row : rows)
      all[dumpi_function(row.name)] = row.take;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (makes_communicator(dumpi_name(i)))
        all[i] = &E::make;
    return all;
  }();
  return by_number;
}

void DumpiEvents::fail(std::string message) {
  if (fault_.empty())
    fault_ = fmt::format("MPI_{}: {}", dumpi_name(call_->function), message);
}

void DumpiEvents::leave_out(std::string_view why) {
  ++gaps_[fmt::format("MPI_{}{}", dumpi_name(call_->function), why)];
}

template <class Event> DumpiEvents::Entry& DumpiEvents::add(Event event) {
  queue_.push_back({{call_->place, call_->stop - call_->start, {}, {}, std::move(event)}, true, false});
  return queue_.back();
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
      add(ElapseEvent{call.start - last_, true}).event.recorded = {};
    begun_ = true;
    last_ = call.stop;
  }
  if (handler)
    (this->*handler)();
  else if (is_left_out)
    leave_out("");
}

std::optional<TraceEvent> DumpiEvents::next(bool at_end) {
  while (!queue_.empty() && (queue_.front().is_whole || at_end)) {
    auto entry = std::move(queue_.front());
    queue_.pop_front();
    ++taken_;
    if (!entry.is_dropped)
      return std::move(entry.event);
  }
  return std::nullopt;
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

std::vector<std::uint64_t> DumpiEvents::sizes_of(const std::vector<std::int64_t>& counts, std::int64_t type) {
  std::vector<std::uint64_t> sizes;
  for (const auto count : counts)
    sizes.push_back(fault_.empty() ? bytes_of(count, type).count : 0);
  return sizes;
}

// The arguments from `count` on are the count and the type, from `to` on the rank and the tag. None: it is left out;
// its `to` is none: it goes to nobody.
std::optional<SendEvent> DumpiEvents::send_of(std::size_t count, std::size_t to, std::int64_t comm, bool blocking) {
  SendEvent event;
  event.blocking = blocking;
  event.tag = static_cast<int>(number(to + 1));
  event.size = bytes_of(number(count), number(count + 1));
  if (is_self(comm)) {
    event.to = rank_;
    return event;
  }
  const auto index = communicator(comm);
  if (!index)
    return std::nullopt;
  event.context = *index;
  if (number(to) >= 0)
    event.to = member(*index, number(to));
  return event;
}

// The arguments from `from` on are the rank and the tag; `state` may state what was received. None: it is left out.
std::optional<ReceiveEvent> DumpiEvents::receive_of(std::size_t from, std::int64_t comm, const DumpiValue* state,
                                                    bool blocking) {
  ReceiveEvent event;
  event.blocking = blocking;
  if (number(from + 1) != any_number)
    event.tag = static_cast<int>(number(from + 1));
  if (is_self(comm)) {
    event.from = rank_;
    return event;
  }
  const auto index = communicator(comm);
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

void DumpiEvents::send() {
  if (const auto event = send_of(0, 2, number(4), true); event && event->to)
    add(*event);
}

void DumpiEvents::buffered_send() {
  auto event = send_of(0, 2, number(4), false);
  if (!event || !event->to)
    return;
  event->is_buffered = true;
  add(*event);
}

void DumpiEvents::receive() {
  if (const auto event = receive_of(2, number(4), &call_->values[5], true))
    add(*event);
}

DumpiEvents::Started& DumpiEvents::new_send(std::string_view buffered) {
  auto& started = requests_[number(5)] = {};
  started.send = send_of(0, 2, number(4), false);
  started.is_to_nobody = !started.send;
  if (started.send)
    started.send->is_buffered = dumpi_name(call_->function) == buffered;
  return started;
}

DumpiEvents::Started& DumpiEvents::new_receive() {
  auto& started = requests_[number(5)] = {};
  const auto event = receive_of(2, number(4), nullptr, false);
  started.is_to_nobody = !event;
  started.receive = event.value_or(ReceiveEvent{});
  return started;
}

void DumpiEvents::isend() {
  begin(new_send("Ibsend"));
}

void DumpiEvents::ireceive() {
  begin(new_receive());
}

void DumpiEvents::init_send() {
  new_send("Bsend_init").is_persistent = true;
}

void DumpiEvents::init_receive() {
  auto& started = new_receive();
  started.receive.is_persistent = true;
  started.is_persistent = true;
}

void DumpiEvents::start() {
  if (const auto found = requests_.find(number(0)); found != requests_.end())
    begin(found->second);
}

void DumpiEvents::start_all() {
  for (const auto request : call_->list(1))
    if (const auto found = requests_.find(request); found != requests_.end())
      begin(found->second);
}

void DumpiEvents::begin(Started& started) {
  if (started.is_to_nobody || (started.send && !started.send->to))
    return;
  if (started.send && started.send->is_buffered) {
    add(*started.send);
    return;
  }
  started.number = ++started_;
  if (started.send) {
    started.send->request = started.number;
    add(*started.send);
    return;
  }
  started.receive.request = started.number;
  const bool is_open = !started.receive.from;
  started.place = is_open ? taken_ + queue_.size() + 1 : 0;
  add(started.receive).is_whole = !is_open;
}

// A receive from any rank has ended; the state may state its source and tag.
void DumpiEvents::settle(Started& started, const std::int64_t* state) {
  if (started.place == 0)
    return;
  auto& entry = queue_[started.place - 1 - taken_];
  started.place = 0;
  entry.is_whole = true;
  if (!state)
    return;
  auto& receive = std::get<ReceiveEvent>(entry.event.what);
  const auto& members = all_.groups[receive.context].members;
  if (state[0] < 0) {
    entry.is_dropped = true;
    started.number = 0;
  } else if (static_cast<std::uint64_t>(state[0]) < members.size()) {
    receive.from = members[static_cast<std::size_t>(state[0])];
  }
}

void DumpiEvents::complete(std::vector<std::pair<std::int64_t, const std::int64_t*>> requests) {
  CompleteEvent event;
  for (const auto& [request, state] : requests) {
    const auto found = requests_.find(request);
    if (found == requests_.end())
      continue;
    settle(found->second, state);
    if (found->second.number > 0)
      event.requests.push_back(found->second.number);
    found->second.number = 0;
    if (!found->second.is_persistent)
      requests_.erase(found);
  }
  if (!event.requests.empty())
    add(std::move(event));
}

namespace {

const std::int64_t* state_at(const DumpiValue& states, std::size_t i) {
  return 2 * i + 1 < states.list.size() ? &states.list[2 * i] : nullptr;
}

} // namespace

void DumpiEvents::wait() {
  complete({{number(0), state_at(call_->values[1], 0)}});
}

void DumpiEvents::wait_all() {
  std::vector<std::pair<std::int64_t, const std::int64_t*>> ended;
  for (std::size_t i = 0; i < call_->list(1).size(); ++i)
    ended.emplace_back(call_->list(1)[i], state_at(call_->values.back(), i));
  complete(std::move(ended));
}

void DumpiEvents::wait_any() {
  if (const auto at = number(2); at >= 0 && static_cast<std::uint64_t>(at) < call_->list(1).size())
    complete({{call_->list(1)[static_cast<std::size_t>(at)], state_at(call_->values.back(), 0)}});
}

void DumpiEvents::wait_some() {
  std::vector<std::pair<std::int64_t, const std::int64_t*>> ended;
  for (std::size_t i = 0; i < call_->list(3).size(); ++i)
    if (const auto at = call_->list(3)[i]; at >= 0 && static_cast<std::uint64_t>(at) < call_->list(1).size())
      ended.emplace_back(call_->list(1)[static_cast<std::size_t>(at)], state_at(call_->values.back(), i));
  complete(std::move(ended));
}

void DumpiEvents::test() {
  if (number(1) != 0)
    complete({{number(0), state_at(call_->values[2], 0)}});
}

void DumpiEvents::test_all() {
  if (number(2) != 0)
    wait_all();
}

void DumpiEvents::test_any() {
  if (number(3) != 0)
    wait_any();
}

void DumpiEvents::free_request() {
  if (const auto found = requests_.find(number(0)); found != requests_.end()) {
    settle(found->second, nullptr);
    requests_.erase(found);
  }
}

void DumpiEvents::cancel() {
  const auto found = requests_.find(number(0));
  if (found == requests_.end() || found->second.place == 0)
    return leave_out("");
  queue_[found->second.place - 1 - taken_].is_dropped = true;
  settle(found->second, nullptr);
  found->second.number = 0;
}

void DumpiEvents::send_receive() {
  const auto sent = send_of(0, 2, number(8), true);
  const auto received = receive_of(6, number(8), &call_->values[9], true);
  if (sent && sent->to && received)
    add(SendReceiveEvent{*sent, *received});
  else if (sent && sent->to)
    add(*sent);
  else if (received)
    add(*received);
}

void DumpiEvents::send_receive_replace() {
  const auto sent = send_of(0, 2, number(6), true);
  const auto received = receive_of(4, number(6), &call_->values[7], true);
  if (sent && sent->to && received)
    add(SendReceiveEvent{*sent, *received});
  else if (sent && sent->to)
    add(*sent);
  else if (received)
    add(*received);
}

void DumpiEvents::collective(Collective kind, std::int64_t comm, Bytes size, std::int64_t root,
                             std::vector<std::uint64_t> sizes) {
  if (is_self(comm))
    return;
  const auto index = communicator(comm);
  if (!index)
    return;
  const auto ranks = all_.groups[*index].members.size();
  if (row_of(kind).division == Division::listed_blocks && sizes.size() != ranks)
    return fail(mismatch(counted(sizes.size(), "block"), fmt::format("{}, one for each rank", ranks)));
  if (root < 0 || static_cast<std::uint64_t>(root) >= ranks)
    return fail(mismatch(fmt::format("root {}", root), fmt::format("one of the {} ranks of its communicator", ranks)));
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
  event.root = static_cast<int>(root);
  event.sizes = std::move(sizes);
  add(std::move(event));
}

void DumpiEvents::barrier() {
  collective(Collective::barrier, number(0), {});
}
void DumpiEvents::bcast() {
  collective(Collective::bcast, number(3), bytes_of(number(0), number(1)), number(2));
}
void DumpiEvents::reduce() {
  collective(Collective::reduce, number(4), bytes_of(number(0), number(1)), number(3));
}
void DumpiEvents::allreduce() {
  collective(Collective::allreduce, number(3), bytes_of(number(0), number(1)));
}
void DumpiEvents::scan() {
  collective(Collective::scan, number(3), bytes_of(number(0), number(1)));
}
void DumpiEvents::exscan() {
  collective(Collective::exscan, number(3), bytes_of(number(0), number(1)));
}

// The root's own buffer may be where the result is, so what counts there is the other one.
void DumpiEvents::gather() {
  const std::size_t at = number(0) == number(3) ? 5 : 1;
  collective(Collective::gather, number(4), bytes_of(number(at), number(at + 1)), number(3));
}
void DumpiEvents::scatter() {
  const std::size_t at = number(0) == number(3) ? 5 : 1;
  collective(Collective::scatter, number(4), bytes_of(number(at), number(at + 1)), number(3));
}

void DumpiEvents::gatherv() {
  const auto& counts = call_->list(6);
  const auto own = static_cast<std::size_t>(number(0));
  const bool is_root = number(0) == number(4) && own < counts.size();
  collective(Collective::gatherv, number(5),
             is_root ? bytes_of(counts[own], number(8)) : bytes_of(number(2), number(3)), number(4));
}

// Other ranks than the root know only their own blocks.
void DumpiEvents::scatterv() {
  const auto own = static_cast<std::size_t>(number(0));
  auto sizes = sizes_of(call_->list(7), number(2));
  if (number(0) != number(5)) {
    const auto index = is_self(number(6)) ? std::nullopt : communicator(number(6));
    sizes.assign(index ? all_.groups[*index].members.size() : 0, 0);
    if (own < sizes.size())
      sizes[own] = bytes_of(number(3), number(4)).count;
    if (!index)
      return;
  }
  collective(Collective::scatterv, number(6), {}, number(5), std::move(sizes));
}

void DumpiEvents::allgather() {
  collective(Collective::allgather, number(4), bytes_of(number(2), number(3)));
}
void DumpiEvents::allgatherv() {
  collective(Collective::allgatherv, number(6), {}, 0, sizes_of(call_->list(3), number(5)));
}
void DumpiEvents::alltoall() {
  collective(Collective::alltoall, number(4), bytes_of(number(2), number(3)));
}
void DumpiEvents::alltoallv() {
  collective(Collective::alltoallv, number(7), {}, 0, sizes_of(call_->list(1), number(3)));
}
void DumpiEvents::alltoallw() {
  std::vector<std::uint64_t> sizes;
  for (std::size_t i = 0; i < std::min(call_->list(1).size(), call_->list(3).size()); ++i)
    sizes.push_back(bytes_of(call_->list(1)[i], call_->list(3)[i]).count);
  collective(Collective::alltoallv, number(7), {}, 0, std::move(sizes));
}
void DumpiEvents::reduce_scatter() {
  collective(Collective::reduce_scatter, number(4), {}, 0, sizes_of(call_->list(1), number(2)));
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
