// SimGrid's time-independent traces, as `smpirun -trace-ti` writes and `smpirun -replay` reads them → events.
//
//   RANK WORD ARGUMENT…
//
// Words may be in capitals or small letters, as versions of SimGrid differ in them. Sizes count elements of the data
// type at the end of the line; without a type, bytes, or doubles after an `init` with an argument. A synchronous send
// counts as a usual one, without the cost of asking the receiver where a usual send does not ask. `init`, `finalize`,
// `location`, `startall` and the words on communicators give no events: a trace does not state the communicator of a
// call. It is the world, unless the form states another.
//
// The events are those of the lines. TiRequests completes events that depend on later lines.
#pragma once

#include "base/line_reader.hpp"
#include "input/trace/ti/ti_form.hpp"
#include "model/trace_event.hpp"

#include <array>

namespace kakehashi {

struct TiWord;
struct TiLine;

// Something that a trace leaves unclear: its first place, and how often it occurs.
struct TiSign {
  std::uint64_t first = 0; // a line
  std::uint64_t count = 0;
};
struct TiSigns {
  TiSign splits;    // words that create communicators of some ranks
  TiSign worlds;    // collective calls of the world after those
  TiSign startalls; // starts of persistent requests that do not name them
};

// The lines of one rank. In a file that all ranks share, each line has its number before it. The form must outlive the
// stream.
class TiStream : public EventStream {
public:
  TiStream(std::string file, LineReader lines, int rank, const TiForm& form, bool are_numbered);

  const std::string& file() const override { return file_; }
  const TraceEvent* next() override;
  const std::optional<Error>& fault() const override { return fault_; }
  const TiSigns& signs() const { return signs_; } // so far

private:
  // A line that recurs often, as those of messages do, and its meaning.
  struct Known {
    std::uint8_t size = 0; // 0: nothing is known
    std::array<char, 31> text;
    std::variant<SendEvent, ReceiveEvent, WaitEvent> what;

    std::string_view line() const { return {text.data(), size}; }
  };
  static constexpr std::size_t most_known = 64; // small, since there may be thousands of streams

  bool read(std::string_view line);      // whether it is an event; false after a fault
  bool read_anew(std::string_view line); // same, without looking at known lines
  void remember(std::string_view line, Known& place);
  bool read_arguments(const TiWord& word, bool blocking);
  void note(const TiWord& word);
  TiLine line_of(const TiWord& word);
  void fail(std::string message, std::string suggestion = "");
  void fail_for_lack(const TiWord& word, const TiLine& line, std::size_t needed);

  std::string file_;
  LineReader lines_;
  int rank_;
  const TiForm& form_;
  bool are_numbered_;
  bool has_types_ = false;           // whether lines end with data types
  std::uint64_t default_type_ = 1;   // its size in bytes
  std::string place_;                // of the last `location`
  std::vector<std::uint64_t> turns_; // number of calls that each communicator of the form could have had
  std::vector<Known> known_;         // by a hash of the line; empty: lines seldom recur
  std::size_t remembered_ = 0;       // number of lines
  std::size_t known_again_ = 0;
  std::vector<std::string_view> room_;
  std::span<const std::string_view> words_; // of the current line
  TraceEvent event_;
  TiSigns signs_;
  std::optional<Error> fault_;
};

// Whether it is a line of a trace, which begins with a rank and a word of the vocabulary.
bool is_ti_line(std::string_view line);

// Whether it has no words, or begins with '#'.
bool is_blank_or_comment(std::string_view line);

} // namespace kakehashi
