#include "input/trace/ti/ti_reader.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "input/trace/ti/ti_words.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// Splits a line into words. `room` holds them and grows if needed.
std::span<const std::string_view> words_of(std::string_view line, std::vector<std::string_view>& room) {
  std::size_t words = 0;
  for (auto word = take_word(line); !word.empty(); word = take_word(line)) {
    if (words == room.size())
      room.resize(2 * words + 8);
    room[words++] = word;
  }
  return std::span(room).first(words);
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t more) {
  hash = (hash ^ more) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

std::size_t hash_of(std::string_view line) {
  std::uint64_t hash = line.size();
  for (; line.size() >= sizeof hash; line.remove_prefix(sizeof hash)) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, line.data(), sizeof eight);
    hash = mixed(hash, eight);
  }
  std::uint64_t rest = 0;
  for (const char c : line)
    rest = rest << 8 | static_cast<unsigned char>(c);
  return mixed(hash, rest);
}

bool is_empty(const TiSign& sign) {
  return sign.count == 0;
}

void count(TiSign& sign, std::uint64_t line) {
  if (is_empty(sign))
    sign.first = line;
  ++sign.count;
}

} // namespace

bool is_blank_or_comment(std::string_view line) {
  const auto first = std::ranges::find_if_not(line, is_blank);
  return first == line.end() || *first == '#';
}

bool is_ti_line(std::string_view line) {
  std::vector<std::string_view> room;
  const auto words = words_of(line, room);
  return words.size() > 1 && number_in<std::uint64_t>(words[0]) &&
         (find_word(words[1]) || find_nonblocking_call(words[1]));
}

TiStream::TiStream(std::string file, LineReader lines, int rank, const TiForm& form, bool are_numbered)
    : file_(std::move(file)), lines_(std::move(lines)), rank_(rank), form_(form), are_numbered_(are_numbered),
      turns_(form.communicators.size()), known_(most_known) {}

void TiStream::fail(std::string message, std::string suggestion) {
  fault_ = input_error(file_, fmt::format("line {}", event_.line), std::move(message), std::move(suggestion));
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
      event_.line = *number_in<std::uint64_t>(line->substr(0, blank));
      line->remove_prefix(blank + 1);
    }
    if (!is_blank_or_comment(*line) && read(*line))
      return &event_;
  }
  return nullptr;
}

bool TiStream::read(std::string_view line) {
  if (known_.empty())
    return read_anew(line);
  auto& known = known_[hash_of(line) % most_known];
  if (known.line() == line) {
    ++known_again_;
    std::visit([&](const auto& what) { event_.what = what; }, known.what);
    return true;
  }
  if (!read_anew(line))
    return false;
  remember(line, known);
  return true;
}

void TiStream::remember(std::string_view line, Known& place) {
  if (line.size() > place.text.size())
    return;
  const auto keep = [&](const auto& what) {
    if (++remembered_ > 4 * most_known + known_again_) { // remembering lines does not pay
      known_ = {};
      return;
    }
    place.what = what;
    place.size = static_cast<std::uint8_t>(line.size());
    std::ranges::copy(line, place.text.begin());
  };
  if (const auto* send = std::get_if<SendEvent>(&event_.what))
    keep(*send);
  else if (const auto* receive = std::get_if<ReceiveEvent>(&event_.what))
    keep(*receive);
  else if (const auto* wait = std::get_if<WaitEvent>(&event_.what))
    keep(*wait);
}

bool TiStream::read_anew(std::string_view line) {
  words_ = words_of(line, room_);
  const auto shown = [](std::string_view word) { return fmt::format("\"{}\"", word.substr(0, 40)); };
  if (const auto rank = number_in<std::uint64_t>(words_[0]); rank != static_cast<std::uint64_t>(rank_)) {
    fail(mismatch(rank ? fmt::format("a line of rank {}", *rank) : shown(words_[0]),
                  fmt::format("a line of rank {}, whose trace this is", rank_)));
    return false;
  }
  if (words_.size() < 2) {
    fail(mismatch("a rank and nothing else", "a word of the vocabulary after it"));
    return false;
  }
  if (const auto* word = find_word(words_[1]))
    return read_arguments(*word, true);
  if (const auto* word = find_nonblocking_call(words_[1]))
    return read_arguments(*word, false);
  fail(mismatch(fmt::format("the word {}", shown(words_[1])), "a word that a replay knows"), closest_word(words_[1]));
  return false;
}

bool TiStream::read_arguments(const TiWord& word, bool blocking) {
  const auto line = line_of(word);
  const auto found = words_.size() - 2;
  const auto needed = word.needed + word.lists * static_cast<std::size_t>(line.ranks);
  const bool lacks_types = has_types_ && word.lists > 0 && found < needed + word.optional() && word.ranks_for(found);
  if (found < needed || lacks_types) {
    fail_for_lack(word, line, lacks_types ? needed + word.optional() : needed);
    return false;
  }
  note(word);
  if (!word.read)
    return false;
  TiArguments arguments(words_.subspan(2), line, form_.derived_types);
  event_.what = ComputeEvent{};
  word.read(arguments, event_);
  if (!arguments.fault().empty())
    fail(fmt::format("{}: {}", word.word, arguments.fault()));
  if (auto* call = std::get_if<CollectiveEvent>(&event_.what)) {
    call->blocking = blocking;
    if (call->communicator == 0 && !is_empty(signs_.splits))
      count(signs_.worlds, event_.line);
  }
  return !fault_;
}

// Applies the effect of a line on the following lines.
void TiStream::note(const TiWord& word) {
  constexpr std::size_t with_type = 4;
  if (word.read) {
    has_types_ = has_types_ || (word.needed == 3 && words_.size() == 2 + with_type);
    return;
  }
  if (word.word == "init") {
    default_type_ = words_.size() > 2 ? 8 : 1;
    std::ranges::fill(known_, Known{}); // the same lines mean something else now
  } else if (word.word == "location")
    place_ = fmt::format("{}:{}", words_[2], words_[3]);
  else if (word.word == "comm_split" || word.word == "comm_create")
    count(signs_.splits, event_.line);
  else if (word.word == "startall")
    count(signs_.startalls, event_.line);
}

// Returns the communicator of a call, by the form.
TiLine TiStream::line_of(const TiWord& word) {
  TiLine line{word.word, rank_, form_.ranks, 0, default_type_};
  if (form_.communicators.empty() || !word.is_collective())
    return line;
  std::size_t first = 1; // index of the first group of each entry, after the world
  for (std::size_t i = 0; i < form_.communicators.size(); first += form_.communicators[i++].groups.size()) {
    const auto& calls = form_.communicators[i];
    const bool has_word = calls.words.empty() || std::ranges::find(calls.words, word.word) != calls.words.end();
    if (!has_word || (!calls.at.empty() && calls.at != place_))
      continue;
    if (turns_[i]++ % calls.of + 1 != calls.turn)
      continue;
    for (std::size_t group = 0; group < calls.groups.size(); ++group) {
      const auto& members = calls.groups[group];
      const auto self = std::ranges::find(members, rank_);
      if (self == members.end())
        continue;
      line.rank = static_cast<int>(self - members.begin());
      line.ranks = static_cast<int>(members.size());
      line.communicator = first + group;
      return line;
    }
  }
  return line;
}

// Reports too few arguments; the call may belong to a smaller communicator.
void TiStream::fail_for_lack(const TiWord& word, const TiLine& line, std::size_t needed) {
  const auto found = words_.size() - 2;
  auto message = mismatch(fmt::format("{} with {}", word.word, counted(found, "argument")),
                          fmt::format("at least {}: {}", needed, word.arguments));
  const auto ranks = word.ranks_for(found);
  if (ranks && line.communicator == 0)
    message += fmt::format("; it fits a communicator of {}, for which the scenario can have \"communicators\"",
                           counted(*ranks, "rank"));
  fail(std::move(message));
}

std::vector<RankGroup> communicators_of(const TiForm& form) {
  RankGroup world{"the world", {}};
  for (int rank = 0; rank < form.ranks; ++rank)
    world.members.push_back(rank);
  std::vector<RankGroup> all{std::move(world)};
  for (const auto& calls : form.communicators)
    for (std::size_t i = 0; i < calls.groups.size(); ++i)
      all.push_back({calls.groups.size() == 1 ? calls.name : fmt::format("{} {}", calls.name, i), calls.groups[i]});
  return all;
}

} // namespace kakehashi
