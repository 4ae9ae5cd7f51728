// SimGrid's time-independent traces, as `smpirun -trace-ti` writes and `smpirun -replay` reads them → events.
//
//   RANK WORD ARGUMENT…
//
// Words are read in capitals and small letters alike, as versions of SimGrid differ in them. Sizes count elements of
// the data type that is named at the end of the line; without one, it is bytes, or doubles after an `init` that has an
// argument. A synchronous send is taken for a usual one, without what asking the receiver costs where that would not
// ask. `init`, `finalize`, `location`, `startall` and the words on communicators make no events: a trace does not tell
// to which communicator a call belongs. It is the world's, unless the form says otherwise.
//
// These are the events as their lines have them; TiRequests makes sense of those that need what comes after.
#pragma once

#include "input/trace/line_reader.hpp"
#include "input/trace/ti_form.hpp"
#include "model/trace_event.hpp"

#include <array>

namespace kakehashi {

struct TiWord;
struct TiLine;

// Something in a trace that it does not explain: where it is first, and how often it is there.
struct TiSign {
  std::uint64_t first = 0; // line
  std::uint64_t count = 0;
};
struct TiSigns {
  TiSign splits;    // words that make communicators of some ranks
  TiSign worlds;    // collective calls of the world after them
  TiSign startalls; // persistent requests that start, without saying which
};

// The lines of one rank. Those of a file that all ranks share come with their numbers before them. The form must
// outlive it.
class TiStream : public EventStream {
public:
  TiStream(std::string file, LineReader lines, int rank, const TiForm& form, bool are_numbered);

  const std::string& file() const override { return file_; }
  const TraceEvent* next() override;
  const std::optional<Error>& fault() const override { return fault_; }
  const TiSigns& signs() const { return signs_; } // so far

private:
  // A line that is often there again, as those of messages are, and what it means.
  struct Known {
    std::uint8_t size = 0; // 0: nothing is known
    std::array<char, 31> text;
    std::variant<SendEvent, ReceiveEvent, WaitEvent> what;

    std::string_view line() const { return {text.data(), size}; }
  };
  static constexpr std::size_t most_known = 64; // since there may be thousands of streams

  bool read(std::string_view line);      // whether it is an event; not if there is a fault
  bool read_anew(std::string_view line); // likewise
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
  bool has_types_ = false;           // its lines end with data types
  std::uint64_t default_type_ = 1;   // its size
  std::string place_;                // of the last `location`
  std::vector<std::uint64_t> turns_; // calls that each of the form's communicators could have had
  std::vector<Known> known_;         // by a hash of the line; empty: lines are seldom there again
  std::size_t remembered_ = 0;       // lines
  std::size_t known_again_ = 0;
  std::vector<std::string_view> room_;
  std::span<const std::string_view> words_; // of the line
  TraceEvent event_;
  TiSigns signs_;
  std::optional<Error> fault_;
};

// Whether it is a line of a trace, which begins with a rank and a word of the vocabulary.
bool is_ti_line(std::string_view line);

// Its first word is none, or begins with '#'.
bool is_blank_or_comment(std::string_view line);

} // namespace kakehashi
