#include "input/trace/ti/ti_reader.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "input/trace/ti/ti_words.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <span>

namespace kakehashi {
namespace {

// Splits a line into words, and reads the short numbers among them.
void split(std::string_view line, std::vector<TiText>& words) {
  words.clear();
  const char* at = line.data();
  const char* const end = at + line.size();
  for (;;) {
    while (at != end && is_blank(*at))
      ++at;
    if (at == end)
      return;
    const char* const begin = at;
    std::uint32_t number = 0;
    for (; at != end; ++at) {
      const auto digit = static_cast<unsigned char>(*at - '0');
      if (digit > 9)
        break;
      number = 10 * number + digit;
    }
    bool is_number = at != begin && at - begin <= 9;
    for (; at != end && !is_blank(*at); ++at)
      is_number = false;
    words.push_back({{begin, at}, is_number ? static_cast<std::int32_t>(number) : -1});
  }
}

// A number of one to nine digits, -1 if there is none, and the end of it and of the blank after it.
struct Short {
  const char* end;
  std::int32_t number;
};
Short take_short(const char* const begin, const char* const end) {
  const char* at = begin;
  std::uint32_t number = 0;
  for (; at != end; ++at) {
    const auto digit = static_cast<std::uint32_t>(*at) - '0';
    if (digit > 9)
      break;
    number = 10 * number + digit;
  }
  const auto digits = at - begin;
  const bool is_whole = digits > 0 && digits <= 9 && (at == end || *at == ' ');
  return {at + (at != end), is_whole ? static_cast<std::int32_t>(number) : -1};
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
  const auto rank = take_word(line), word = take_word(line);
  return number_in<std::uint64_t>(rank) && (find_word(word) || find_nonblocking_call(word));
}

TiReader::TiReader(std::string file, int rank, const TiForm& form)
    : file_(std::move(file)), rank_(rank), form_(form), turns_(form.communicators.size()) {}

void TiReader::fail(std::string message, std::string suggestion) {
  fault_ = input_error(file_, fmt::format("line {}", event_.line), std::move(message), std::move(suggestion));
}

void TiReader::fail(const Error& fault) {
  if (fault_)
    return;
  fault_ = fault;
  fault_->file = file_;
}

const TraceEvent* TiReader::read(std::string_view line, std::uint64_t number) {
  if (fault_ || is_blank_or_comment(line))
    return nullptr;
  event_.line = number;
  if (read_message(line))
    return &event_;
  split(line, words_);
  return read_call() ? &event_ : nullptr;
}

// Reads one of the lines of which most traces consist, RANK WORD A B C [TYPE] with short numbers. False: it is another
// line, or may have a fault.
bool TiReader::read_message(std::string_view line) {
  const char* at = line.data();
  const char* const end = at + line.size();
  const auto number = [&] {
    const auto taken = take_short(at, end);
    at = taken.end;
    return taken.number;
  };
  if (number() != rank_)
    return false;
  const bool blocking = at == end || *at != 'i';
  at += !blocking;
  constexpr std::size_t length = 4; // of all these words
  if (end - at <= static_cast<std::ptrdiff_t>(length) || at[length] != ' ')
    return false;
  const auto is = [at](const char* word) { return std::memcmp(at, word, length) == 0; };
  const bool is_send = is("send"), is_receive = is("recv");
  if (!is_send && !is_receive && (!is("wait") || !blocking))
    return false;
  at += length + 1;
  const auto first = number(), second = number(), third = number();
  const bool has_type = at != end;
  const auto type = has_type ? size_of_type(number()) : default_type_;
  if (at != end || first < 0 || first >= form_.ranks || second < 0 || third < 0 || type == 0)
    return false;
  if (is_send) {
    event_.what.emplace<SendEvent>() = {first, second, {static_cast<std::uint64_t>(third) * type}, blocking};
  } else if (is_receive) {
    event_.what.emplace<ReceiveEvent>() = {first, second, blocking};
  } else {
    if (second >= form_.ranks)
      return false;
    event_.what.emplace<WaitEvent>() = {{first, second, third}};
  }
  has_types_ = has_types_ || has_type;
  return true;
}

bool TiReader::read_call() {
  const auto shown = [](std::string_view word) { return fmt::format("\"{}\"", word.substr(0, 40)); };
  if (words_[0].number != rank_) {
    const auto rank = number_in<std::uint64_t>(words_[0].text);
    if (rank != static_cast<std::uint64_t>(rank_)) {
      fail(mismatch(rank ? fmt::format("a line of rank {}", *rank) : shown(words_[0].text),
                    fmt::format("a line of rank {}, whose trace this is", rank_)));
      return false;
    }
  }
  if (words_.size() < 2) {
    fail(mismatch("a rank and nothing else", "a word of the vocabulary after it"));
    return false;
  }
  const auto called = words_[1].text;
  if (const auto* word = find_word(called))
    return read_arguments(*word, true);
  if (const auto* word = find_nonblocking_call(called))
    return read_arguments(*word, false);
  fail(mismatch(fmt::format("the word {}", shown(called)), "a word that a replay knows"), closest_word(called));
  return false;
}

bool TiReader::read_arguments(const TiWord& word, bool blocking) {
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
  TiArguments arguments(std::span<const TiText>(words_).subspan(2), line, form_.derived_types);
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
void TiReader::note(const TiWord& word) {
  constexpr std::size_t with_type = 4;
  if (word.read) {
    has_types_ = has_types_ || (word.needed == 3 && words_.size() == 2 + with_type);
    return;
  }
  if (word.word == "init")
    default_type_ = words_.size() > 2 ? 8 : 1;
  else if (word.word == "location")
    place_ = fmt::format("{}:{}", words_[2].text, words_[3].text);
  else if (word.word == "comm_split" || word.word == "comm_create")
    count(signs_.splits, event_.line);
  else if (word.word == "startall")
    count(signs_.startalls, event_.line);
}

// Returns the communicator of a call, by the form.
TiLine TiReader::line_of(const TiWord& word) {
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
void TiReader::fail_for_lack(const TiWord& word, const TiLine& line, std::size_t needed) {
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
