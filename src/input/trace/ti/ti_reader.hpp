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

#include "input/trace/ti/ti_form.hpp"
#include "model/trace_event.hpp"

namespace kakehashi {

struct TiLine;
struct TiWord;

// A word of a line, and the number that it is if it consists of one to nine digits.
struct TiText {
  std::string_view text;
  std::int32_t number; // -1: it is none
};

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

// The lines of one rank, one after the other. The form must outlive it.
class TiReader {
public:
  TiReader(std::string file, int rank, const TiForm& form);

  // Returns the event of the line with this number, which is valid until the next call. Null: it has none, or there was
  // a fault.
  const TraceEvent* read(std::string_view line, std::uint64_t number);
  int rank() const { return rank_; }
  void fail(const Error& fault); // the line cannot be read
  const std::optional<Error>& fault() const { return fault_; }
  const TiSigns& signs() const { return signs_; } // so far

private:
  bool read_message(std::string_view line);
  bool read_call(); // false: no event, or a fault
  bool read_arguments(const TiWord& word, bool blocking);
  void note(const TiWord& word);
  TiLine line_of(const TiWord& word);
  void fail(std::string message, std::string suggestion = "");
  void fail_for_lack(const TiWord& word, const TiLine& line, std::size_t needed);

  std::string file_;
  int rank_;
  const TiForm& form_;
  bool has_types_ = false;           // whether lines end with data types
  std::uint64_t default_type_ = 1;   // its size in bytes
  std::string place_;                // place of the last `location`
  std::vector<std::uint64_t> turns_; // number of calls that each communicator of the form could have had
  std::vector<TiText> words_;        // of the current line
  TraceEvent event_;
  TiSigns signs_;
  std::optional<Error> fault_;
};

// Whether it is a line of a trace, which begins with a rank and a word of the vocabulary.
bool is_ti_line(std::string_view line);

// Whether it has no words, or begins with '#'.
bool is_blank_or_comment(std::string_view line);

} // namespace kakehashi
