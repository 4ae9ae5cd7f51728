#include "input/trace/ti/ti_words.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace kakehashi {
namespace {

using Event = TraceEvent;
using Row = TiWord;

SendEvent read_send(TiArguments& words, bool blocking) {
  SendEvent send;
  send.to = words.target();
  send.tag = words.tag().value_or(0);
  const auto count = words.count();
  send.size = words.bytes(count, words.type(send.tag));
  send.blocking = blocking;
  return send;
}

SendEvent read_buffered(TiArguments& words) {
  auto send = read_send(words, false);
  send.is_buffered = true;
  return send;
}

ReceiveEvent read_receive(TiArguments& words, bool blocking) {
  const auto from = words.source();
  return {from, words.tag(), blocking}; // the message states its size
}

// Reads TO TAG BYTES TYPE of a persistent request. A receive has its own rank as TO, and does not state its source.
void read_start(TiArguments& words, Event& event) {
  SendEvent send;
  send.to = words.target();
  send.tag = words.tag().value_or(0);
  send.size = words.bytes(words.count(), 1);
  send.blocking = false;
  if (send.to == words.rank())
    event.what = ReceiveEvent{{}, send.tag, false, true};
  else
    event.what = send;
}

SendReceiveEvent read_both(TiArguments& words) {
  SendReceiveEvent both;
  const auto sent = words.count();
  both.send.to = words.target();
  words.skip(1);
  both.receive.from = words.source();
  both.receive.tag = 0; // a trace does not state it
  both.send.size = words.bytes(sent, words.type());
  return both;
}

RequestName read_request(TiArguments& words) {
  RequestName name;
  name.from = words.source();
  name.to = words.target();
  name.tag = words.tag();
  return name;
}

void read_wait(TiArguments& words, Event& event) {
  auto tag = words;
  tag.skip(2);
  if (tag.is_of_collective())
    event.what = WaitCollectiveEvent{};
  else
    event.what = WaitEvent{read_request(words)};
}

void read_test(TiArguments& words, Event& event) {
  auto tag = words;
  tag.skip(2);
  if (!tag.is_of_collective()) // else it tests a nonblocking call, which advances only at its wait
    event.what = TestEvent{read_request(words)};
  else
    event.what = ComputeEvent{};
}

CollectiveEvent call_of(const TiArguments& words, Collective collective) {
  CollectiveEvent call;
  call.collective = collective;
  call.communicator = words.line().communicator;
  return call;
}

// Reads COUNT [ROOT [TYPE]].
CollectiveEvent read_bcast(TiArguments& words) {
  auto call = call_of(words, Collective::bcast);
  const auto count = words.count();
  call.root = words.root();
  call.size = words.bytes(count, words.type());
  return call;
}

// Reads COUNT FLOPS [ROOT] [TYPE].
CollectiveEvent read_reduction(TiArguments& words, Collective collective) {
  auto call = call_of(words, collective);
  const auto count = words.count();
  call.work = words.flops();
  if (has_root(collective))
    call.root = words.root();
  call.size = words.bytes(count, words.type());
  return call;
}

// Reads SENT RECEIVED [ROOT] [TYPE TYPE]. The side with a block of the rank's own counts, also with MPI_IN_PLACE.
CollectiveEvent read_blocks(TiArguments& words, Collective collective) {
  auto call = call_of(words, collective);
  const auto sent = words.count();
  const auto received = words.count();
  if (has_root(collective))
    call.root = words.root();
  const bool is_root = has_root(collective) && call.root == words.rank();
  const bool by_sent = (collective == Collective::gather && !is_root) || (collective == Collective::scatter && is_root);
  if (!by_sent) // the other type may be MPI_DATATYPE_NULL
    words.skip(words.left() > 1 ? 1 : 0);
  const auto type = words.type();
  call.size = by_sent ? words.bytes(sent, type) : words.bytes(received, type);
  return call;
}

// Reads SENT COUNT… [ROOT [TYPE TYPE]].
CollectiveEvent read_gatherv(TiArguments& words) {
  auto call = call_of(words, Collective::gatherv);
  const auto sent = words.count();
  words.skip(static_cast<std::size_t>(words.ranks()));
  call.root = words.root();
  call.size = words.bytes(sent, words.type());
  return call;
}

// Reads COUNT… RECEIVED [ROOT [TYPE TYPE]].
CollectiveEvent read_scatterv(TiArguments& words) {
  auto call = call_of(words, Collective::scatterv);
  call.sizes = words.counts();
  words.skip(1);
  call.root = words.root();
  words.scale(call.sizes, words.type());
  return call;
}

// Reads SENT COUNT… [TYPE TYPE], or with displacements after the type or in its place.
CollectiveEvent read_allgatherv(TiArguments& words) {
  words.skip(1);
  auto call = call_of(words, Collective::allgatherv);
  call.sizes = words.counts();
  const bool only_displacements = words.left() == static_cast<std::size_t>(words.ranks()) && words.left() > 2;
  if (only_displacements)
    words.skip(words.left());
  words.scale(call.sizes, words.type());
  return call;
}

// Reads BUFFER COUNT… BUFFER COUNT… [TYPE TYPE].
CollectiveEvent read_alltoallv(TiArguments& words) {
  words.skip(1);
  auto call = call_of(words, Collective::alltoallv);
  call.sizes = words.counts();
  words.skip(1 + static_cast<std::size_t>(words.ranks()));
  words.scale(call.sizes, words.type());
  return call;
}

constexpr std::string_view reduce_scatter_arguments = "COUNT… FLOPS [TYPE]";

// For a Reduce_scatter_block of n elements, SimGrid writes n zeros and the type.
CollectiveEvent read_reduce_scatter(TiArguments& words) {
  if (words.left() > 1 && words.are_zeros(words.left() - 1)) {
    auto call = call_of(words, Collective::reduce_scatter);
    const auto elements = words.left() - 1;
    words.skip(elements);
    call.sizes.assign(static_cast<std::size_t>(words.ranks()), elements);
    words.scale(call.sizes, words.type());
    return call;
  }
  if (!words.expect(static_cast<std::size_t>(words.ranks()) + 1, reduce_scatter_arguments))
    return {};
  auto call = call_of(words, Collective::reduce_scatter);
  call.sizes = words.counts();
  call.work = words.flops();
  words.scale(call.sizes, words.type());
  return call;
}

template <Collective collective> void reduction(TiArguments& words, TraceEvent& event) {
  event.what = read_reduction(words, collective);
}
template <Collective collective> void blocks(TiArguments& words, TraceEvent& event) {
  event.what = read_blocks(words, collective);
}

constexpr std::string_view word_of(Collective collective) {
  return row_of(collective).ti_name;
}

using Words = TiArguments;
constexpr std::array rows{
    Row{"init", "", 0, 0, nullptr},
    Row{"finalize", "", 0, 0, nullptr},
    Row{"comm_size", "", 0, 0, nullptr},
    Row{"comm_split", "", 0, 0, nullptr},
    Row{"comm_dup", "", 0, 0, nullptr},
    Row{"comm_free", "", 0, 0, nullptr},
    Row{"comm_create", "", 0, 0, nullptr},
    Row{"startall", "", 0, 0, nullptr},
    Row{"start", "TO TAG BYTES [TYPE]", 3, 0, read_start},
    Row{"location", "FILE LINE", 2, 0, nullptr},
    Row{"send", "TO TAG COUNT [TYPE]", 3, 0, [](Words& w, Event& e) { e.what = read_send(w, true); }},
    Row{"isend", "TO TAG COUNT [TYPE]", 3, 0, [](Words& w, Event& e) { e.what = read_send(w, false); }},
    Row{"ssend", "TO TAG COUNT [TYPE]", 3, 0, [](Words& w, Event& e) { e.what = read_send(w, true); }},
    Row{"issend", "TO TAG COUNT [TYPE]", 3, 0, [](Words& w, Event& e) { e.what = read_send(w, false); }},
    Row{"rsend", "TO TAG COUNT [TYPE]", 3, 0, [](Words& w, Event& e) { e.what = read_send(w, true); }},
    Row{"irsend", "TO TAG COUNT [TYPE]", 3, 0, [](Words& w, Event& e) { e.what = read_send(w, false); }},
    Row{"bsend", "TO TAG COUNT [TYPE]", 3, 0, [](Words& w, Event& e) { e.what = read_buffered(w); }},
    Row{"ibsend", "TO TAG COUNT [TYPE]", 3, 0, [](Words& w, Event& e) { e.what = read_buffered(w); }},
    Row{"recv", "FROM TAG COUNT [TYPE]", 3, 0, [](Words& w, Event& e) { e.what = read_receive(w, true); }},
    Row{"irecv", "FROM TAG COUNT [TYPE]", 3, 0, [](Words& w, Event& e) { e.what = read_receive(w, false); }},
    Row{"sendrecv", "COUNT TO COUNT FROM [TYPE TYPE]", 4, 0, [](Words& w, Event& e) { e.what = read_both(w); }},
    Row{"test", "FROM TO TAG", 3, 0, read_test},
    Row{"wait", "FROM TO TAG", 3, 0, read_wait},
    Row{"waitall", "[COUNT]", 0, 0, [](Words&, Event& e) { e.what = WaitAllEvent{}; }},
    Row{"waitany", "[COUNT]", 0, 0, [](Words&, Event& e) { e.what = WaitAnyEvent{}; }},
    Row{"waitsome", "[COUNT]", 0, 0, [](Words&, Event& e) { e.what = WaitAnyEvent{}; }},
    Row{"testall", "", 0, 0, [](Words&, Event& e) { e.what = TestEvent{}; }},
    Row{"testany", "", 0, 0, [](Words&, Event& e) { e.what = TestEvent{}; }},
    Row{"testsome", "", 0, 0, [](Words&, Event& e) { e.what = TestEvent{}; }},
    Row{word_of(Collective::barrier), "", 0, 0, [](Words& w, Event& e) { e.what = call_of(w, Collective::barrier); }},
    Row{word_of(Collective::bcast), "COUNT [ROOT [TYPE]]", 1, 0, [](Words& w, Event& e) { e.what = read_bcast(w); }},
    Row{word_of(Collective::reduce), "COUNT FLOPS [ROOT [TYPE]]", 2, 0, reduction<Collective::reduce>},
    Row{word_of(Collective::allreduce), "COUNT FLOPS [TYPE]", 2, 0, reduction<Collective::allreduce>},
    Row{word_of(Collective::scan), "COUNT FLOPS [TYPE]", 2, 0, reduction<Collective::scan>},
    Row{word_of(Collective::exscan), "COUNT FLOPS [TYPE]", 2, 0, reduction<Collective::exscan>},
    Row{word_of(Collective::alltoall), "SENT RECEIVED [TYPE TYPE]", 2, 0, blocks<Collective::alltoall>},
    Row{word_of(Collective::allgather), "SENT RECEIVED [TYPE TYPE]", 2, 0, blocks<Collective::allgather>},
    Row{word_of(Collective::gather), "SENT RECEIVED [ROOT [TYPE TYPE]]", 2, 0, blocks<Collective::gather>},
    Row{word_of(Collective::scatter), "SENT RECEIVED [ROOT [TYPE TYPE]]", 2, 0, blocks<Collective::scatter>},
    Row{word_of(Collective::gatherv), "SENT COUNT… [ROOT [TYPE TYPE]]", 1, 1,
        [](Words& w, Event& e) { e.what = read_gatherv(w); }},
    Row{word_of(Collective::scatterv), "COUNT… RECEIVED [ROOT [TYPE TYPE]]", 1, 1,
        [](Words& w, Event& e) { e.what = read_scatterv(w); }},
    Row{word_of(Collective::allgatherv), "SENT COUNT… [TYPE TYPE]", 1, 1,
        [](Words& w, Event& e) { e.what = read_allgatherv(w); }},
    Row{word_of(Collective::alltoallv), "SIZE COUNT… SIZE COUNT… [TYPE TYPE]", 2, 2,
        [](Words& w, Event& e) { e.what = read_alltoallv(w); }},
    Row{word_of(Collective::reduce_scatter), reduce_scatter_arguments, 2, 0,
        [](Words& w, Event& e) { e.what = read_reduce_scatter(w); }},
    Row{"compute", "FLOPS", 1, 0, [](Words& w, Event& e) { e.what = ComputeEvent{w.flops()}; }},
    Row{"sleep", "SECONDS", 1, 0,
        [](Words& w, Event& e) {
          e.what = ElapseEvent{{w.number("a time in s")}, false};
        }},
};

char in_small(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool is_called(const TiWord& row, std::string_view word) {
  return row.word == word || // most are in small letters
         std::ranges::equal(word, row.word, [](char a, char b) { return in_small(a) == b; });
}

// Hashes words; few have the same length and first letter.
constexpr std::size_t drawers = 64;
std::size_t drawer_of(std::string_view word) {
  return (word.size() + 5 * static_cast<unsigned char>(in_small(word.front()))) % drawers;
}

} // namespace

bool TiWord::is_collective() const {
  return std::ranges::find(collective_rows, word, &CollectiveRow::ti_name) != collective_rows.end();
}

std::size_t TiWord::optional() const {
  const auto in_brackets = arguments.substr(std::min(arguments.find('['), arguments.size()));
  std::size_t optional = 0;
  for (std::size_t i = 1; i < in_brackets.size(); ++i) // beginnings of words
    optional +=
        in_brackets[i] >= 'A' && (in_brackets[i - 1] == ' ' || in_brackets[i - 1] == '[') && in_brackets[i] != '[';
  return optional;
}

std::optional<std::size_t> TiWord::ranks_for(std::size_t found) const {
  const auto besides = needed + optional();
  if (lists == 0 || found <= besides || (found - besides) % lists != 0)
    return std::nullopt;
  return (found - besides) / lists;
}

const TiWord* find_word(std::string_view word) {
  static const auto index = [] {
    std::array<std::vector<const TiWord*>, drawers> sorted;
    for (const auto& row : rows)
      sorted[drawer_of(row.word)].push_back(&row);
    return sorted;
  }();
  if (word.empty())
    return nullptr;
  const auto& drawer = index[drawer_of(word)];
  const auto found = std::ranges::find_if(drawer, [&](const TiWord* row) { return is_called(*row, word); });
  return found == drawer.end() ? nullptr : *found;
}

const TiWord* find_nonblocking_call(std::string_view word) {
  if (word.empty() || (word.front() != 'i' && word.front() != 'I'))
    return nullptr;
  const auto* call = find_word(word.substr(1));
  return call && call->is_collective() ? call : nullptr;
}

std::string closest_word(std::string_view word) {
  std::vector<std::string> words;
  for (const auto& row : rows)
    words.emplace_back(row.word);
  return closest(word, words);
}

} // namespace kakehashi
