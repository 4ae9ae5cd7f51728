#include "input/trace/ti_reader.hpp"

#include "input/trace/ti_arguments.hpp"

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <unordered_map>

namespace kakehashi {
namespace {

// How a word's arguments become an event.
struct Row {
  std::string_view word;
  std::string_view arguments; // for messages; those in brackets may be left out
  std::size_t needed;
  std::size_t lists;                                   // beside them: so many words for each rank
  void (*read)(TiArguments& words, TraceEvent& event); // null: no event
};

SendEvent read_send(TiArguments& words, bool blocking) {
  SendEvent send;
  send.to = words.target();
  send.tag = words.tag().value_or(0);
  const auto count = words.count();
  send.size = words.bytes(count, words.type());
  send.blocking = blocking;
  return send;
}

ReceiveEvent read_receive(TiArguments& words, bool blocking) {
  const auto from = words.source();
  return {from, words.tag(), blocking}; // the message tells its size
}

SendReceiveEvent read_both(TiArguments& words) {
  SendReceiveEvent both;
  const auto sent = words.count();
  both.send.to = words.target();
  words.skip(1);
  both.receive.from = words.source();
  both.receive.tag = 0; // which a trace does not tell
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

// COUNT [ROOT [TYPE]]
CollectiveEvent read_bcast(TiArguments& words) {
  CollectiveEvent call{Collective::bcast, 0, {}, {}, {}, 0};
  const auto count = words.count();
  call.root = words.root();
  call.size = words.bytes(count, words.type());
  return call;
}

// COUNT FLOPS [ROOT] [TYPE]
CollectiveEvent read_reduction(TiArguments& words, Collective collective) {
  CollectiveEvent call{collective, 0, {}, {}, {}, 0};
  const auto count = words.count();
  call.work = words.flops();
  if (has_root(collective))
    call.root = words.root();
  call.size = words.bytes(count, words.type());
  return call;
}

// SENT RECEIVED [ROOT] [TYPE TYPE]. The side counts that has a block of the rank's own, also with MPI_IN_PLACE.
CollectiveEvent read_blocks(TiArguments& words, Collective collective) {
  CollectiveEvent call{collective, 0, {}, {}, {}, 0};
  const auto sent = words.count();
  const auto received = words.count();
  if (has_root(collective))
    call.root = words.root();
  const auto sent_type = words.type();
  const auto received_type = words.type();
  const bool is_root = has_root(collective) && call.root == words.rank();
  const bool by_sent = (collective == Collective::gather && !is_root) || (collective == Collective::scatter && is_root);
  call.size = by_sent ? words.bytes(sent, sent_type) : words.bytes(received, received_type);
  return call;
}

// SENT COUNT… [ROOT [TYPE TYPE]]
CollectiveEvent read_gatherv(TiArguments& words) {
  CollectiveEvent call{Collective::gatherv, 0, {}, {}, {}, 0};
  const auto sent = words.count();
  words.skip(static_cast<std::size_t>(words.ranks()));
  call.root = words.root();
  call.size = words.bytes(sent, words.type());
  return call;
}

// COUNT… RECEIVED [ROOT [TYPE TYPE]]
CollectiveEvent read_scatterv(TiArguments& words) {
  CollectiveEvent call{Collective::scatterv, 0, {}, words.counts(), {}, 0};
  words.skip(1);
  call.root = words.root();
  words.scale(call.sizes, words.type());
  return call;
}

// SENT COUNT… [TYPE TYPE], or with displacements after the type or instead of it.
CollectiveEvent read_allgatherv(TiArguments& words) {
  words.skip(1);
  CollectiveEvent call{Collective::allgatherv, 0, {}, words.counts(), {}, 0};
  const bool only_displacements = words.left() == static_cast<std::size_t>(words.ranks()) && words.left() > 2;
  if (only_displacements)
    words.skip(words.left());
  words.scale(call.sizes, words.type());
  return call;
}

// BUFFER COUNT… BUFFER COUNT… [TYPE TYPE]
CollectiveEvent read_alltoallv(TiArguments& words) {
  words.skip(1);
  CollectiveEvent call{Collective::alltoallv, 0, {}, words.counts(), {}, 0};
  words.skip(1 + static_cast<std::size_t>(words.ranks()));
  words.scale(call.sizes, words.type());
  return call;
}

// COUNT… FLOPS [TYPE]
CollectiveEvent read_reduce_scatter(TiArguments& words) {
  CollectiveEvent call{Collective::reduce_scatter, 0, {}, words.counts(), {}, 0};
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
using Event = TraceEvent;
constexpr std::array rows{
    Row{"init", "", 0, 0, nullptr},
    Row{"finalize", "", 0, 0, nullptr},
    Row{"comm_size", "", 0, 0, nullptr},
    Row{"comm_split", "", 0, 0, nullptr},
    Row{"comm_dup", "", 0, 0, nullptr},
    Row{"location", "FILE LINE", 2, 0, nullptr},
    Row{"send", "TO TAG COUNT [TYPE]", 3, 0, [](Words& w, Event& e) { e.what = read_send(w, true); }},
    Row{"isend", "TO TAG COUNT [TYPE]", 3, 0, [](Words& w, Event& e) { e.what = read_send(w, false); }},
    Row{"ssend", "TO TAG COUNT [TYPE]", 3, 0, [](Words& w, Event& e) { e.what = read_send(w, true); }},
    Row{"issend", "TO TAG COUNT [TYPE]", 3, 0, [](Words& w, Event& e) { e.what = read_send(w, false); }},
    Row{"recv", "FROM TAG COUNT [TYPE]", 3, 0, [](Words& w, Event& e) { e.what = read_receive(w, true); }},
    Row{"irecv", "FROM TAG COUNT [TYPE]", 3, 0, [](Words& w, Event& e) { e.what = read_receive(w, false); }},
    Row{"sendrecv", "COUNT TO COUNT FROM [TYPE TYPE]", 4, 0, [](Words& w, Event& e) { e.what = read_both(w); }},
    Row{"test", "FROM TO TAG", 3, 0, [](Words& w, Event& e) { e.what = TestEvent{read_request(w)}; }},
    Row{"wait", "FROM TO TAG", 3, 0, [](Words& w, Event& e) { e.what = WaitEvent{read_request(w)}; }},
    Row{"waitall", "[COUNT]", 0, 0, [](Words&, Event& e) { e.what = WaitAllEvent{}; }},
    Row{"waitany", "[COUNT]", 0, 0, [](Words&, Event& e) { e.what = WaitAnyEvent{}; }},
    Row{"testall", "", 0, 0, [](Words&, Event& e) { e.what = TestEvent{}; }},
    Row{"testany", "", 0, 0, [](Words&, Event& e) { e.what = TestEvent{}; }},
    Row{"testsome", "", 0, 0, [](Words&, Event& e) { e.what = TestEvent{}; }},
    Row{word_of(Collective::barrier), "", 0, 0, [](Words&, Event& e) { e.what = CollectiveEvent{}; }},
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
    Row{word_of(Collective::reduce_scatter), "COUNT… FLOPS [TYPE]", 1, 1,
        [](Words& w, Event& e) { e.what = read_reduce_scatter(w); }},
    Row{"compute", "FLOPS", 1, 0, [](Words& w, Event& e) { e.what = ComputeEvent{w.flops()}; }},
    Row{"sleep", "SECONDS", 1, 0,
        [](Words& w, Event& e) {
          e.what = ElapseEvent{{w.number("a time in s")}, false};
        }},
};

const Row* find_row(std::string_view word) {
  static const auto index = [] {
    std::unordered_map<std::string_view, const Row*> map;
    for (const auto& row : rows)
      map.emplace(row.word, &row);
    return map;
  }();
  std::array<char, 16> small{};
  if (word.size() > small.size())
    return nullptr;
  std::transform(word.begin(), word.end(), small.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const auto found = index.find(std::string_view(small.data(), word.size()));
  return found == index.end() ? nullptr : found->second;
}

void split_words(std::string_view line, std::vector<std::string_view>& words) {
  words.clear();
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  for (std::size_t begin = 0; begin < line.size();) {
    while (begin < line.size() && is_blank(line[begin]))
      ++begin;
    auto end = begin;
    while (end < line.size() && !is_blank(line[end]))
      ++end;
    if (end > begin)
      words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
}

std::optional<std::uint64_t> whole_number(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc{} || end != word.data() + word.size())
    return std::nullopt;
  return value;
}

std::string suggestion_for(std::string_view word) {
  std::vector<std::string> words;
  for (const auto& row : rows)
    words.emplace_back(row.word);
  return closest(word, words);
}

} // namespace

bool is_blank_or_comment(std::string_view line) {
  const auto first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#';
}

bool is_ti_line(std::string_view line) {
  std::vector<std::string_view> words;
  split_words(line, words);
  return words.size() > 1 && whole_number(words[0]) && find_row(words[1]);
}

TiStream::TiStream(std::string file, LineReader lines, int rank, const TiForm& form, bool are_numbered)
    : file_(std::move(file)), lines_(std::move(lines)), rank_(rank), form_(form), are_numbered_(are_numbered) {}

void TiStream::fail(std::string message, std::string suggestion) {
  fault_ =
      Error{ErrorKind::input, file_, fmt::format("line {}", event_.line), std::move(message), std::move(suggestion)};
}

const TraceEvent* TiStream::next() {
  while (!fault_) {
    auto line = lines_.next();
    if (!line) {
      fault_ = lines_.fault();
      if (fault_)
        fault_->file = file_;
      return nullptr;
    }
    event_.line = lines_.line();
    if (are_numbered_) {
      const auto blank = line->find(' ');
      event_.line = *whole_number(line->substr(0, blank));
      line->remove_prefix(blank + 1);
    }
    if (!is_blank_or_comment(*line) && read(*line))
      return &event_;
  }
  return nullptr;
}

bool TiStream::read(std::string_view line) {
  split_words(line, words_);
  const auto shown = [](std::string_view word) { return fmt::format("\"{}\"", word.substr(0, 40)); };
  if (const auto rank = whole_number(words_[0]); rank != static_cast<std::uint64_t>(rank_)) {
    fail(mismatch(rank ? fmt::format("a line of rank {}", *rank) : shown(words_[0]),
                  fmt::format("a line of rank {}, whose trace this is", rank_)));
    return false;
  }
  if (words_.size() < 2) {
    fail(mismatch("a rank and nothing else", "a word of the vocabulary after it"));
    return false;
  }
  const auto* row = find_row(words_[1]);
  if (!row) {
    fail(mismatch(fmt::format("the word {}", shown(words_[1])), "a word that a replay knows"),
         suggestion_for(words_[1]));
    return false;
  }
  const auto found = words_.size() - 2;
  const auto needed = row->needed + row->lists * static_cast<std::size_t>(form_.ranks);
  if (found < needed) {
    fail(mismatch(fmt::format("{} with {}", row->word, counted(found, "argument")),
                  fmt::format("at least {}: {}", needed, row->arguments)));
    return false;
  }
  if (row->word == "init")
    default_type_ = found > 0 ? 8 : 1;
  if (!row->read)
    return false;
  const std::span<const std::string_view> words(words_);
  TiArguments arguments(words.subspan(2), rank_, form_, default_type_);
  row->read(arguments, event_);
  if (!arguments.fault().empty())
    fail(fmt::format("{}: {}", row->word, arguments.fault()));
  return !fault_;
}

} // namespace kakehashi
