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
#include <deque>
#include <set>

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
  std::string place_;                // place of the last `location`
  std::vector<std::uint64_t> turns_; // number of calls that each communicator of the form could have had
  std::vector<Known> known_;         // places are hashes of lines; empty: lines seldom recur
  std::size_t remembered_ = 0;       // number of lines
  std::size_t known_again_ = 0;
  std::vector<std::string_view> room_;
  std::span<const std::string_view> words_; // words of the current line
  TraceEvent event_;
  TiSigns signs_;
  std::optional<Error> fault_;
};

// Whether it is a line of a trace, which begins with a rank and a word of the vocabulary.
bool is_ti_line(std::string_view line);

// Whether it has no words, or begins with '#'.
bool is_blank_or_comment(std::string_view line);

// The lines of a rank as events → the same events with what the lines omit: which requests a word means, and which
// receives are from nobody. Part of this follows from the other ranks' lines, part from later lines.
//
//   waitall   all open requests, except those that a wait names before they can have begun again
//   test      the last test of a request that nobody waits for is a wait: it must have succeeded
//   testall…  the same, for all open requests

// Facts about this trace that follow from the other ranks' traces. Tag -1 is any tag.
struct TiFacts {
  // The number of receives without a source that get a message; further ones are from nobody. Tags that are missing:
  // all of them get one.
  std::map<int, std::uint64_t> received_unnamed;
  std::set<int> silent; // ranks that never send what a sendrecv of this rank receives
  std::set<int> deaf;   // ranks that never receive what a sendrecv of this rank sends
};
inline constexpr int any_tag_fact = -1;

// Questions that remain open.
struct TiLeftOver {
  TiSign receives; // receives that are never waited for
};

// The facts must outlive it.
class TiRequests : public EventStream {
public:
  // `see` is called with each event as its line has it.
  TiRequests(std::unique_ptr<TiStream> lines, int rank, const TiFacts& facts,
             std::function<void(const TraceEvent&)> see = {});

  const std::string& file() const override { return lines_->file(); }
  const TraceEvent* next() override;
  const std::optional<Error>& fault() const override { return lines_->fault(); }
  const TiSigns& signs() const { return lines_->signs(); }
  TiLeftOver left_over() const; // complete at the end

private:
  struct Open {
    RequestName name;
    std::uint64_t line;
    bool is_persistent;
  };
  // How many events it looks ahead.
  static constexpr std::size_t horizon = 10000;

  const TraceEvent* read();
  bool fill(); // reads one more event ahead; false if there is none
  const TraceEvent* following(std::size_t index);
  bool settle(TraceEvent& event); // false if nothing is left of the event
  bool settle_both(TraceEvent& event);
  bool settle_receive(const ReceiveEvent& receive);
  bool settle_wait(WaitEvent& wait);
  void settle_wait_any();
  void settle_test(TraceEvent& event);
  void settle_wait_all(WaitAllEvent& all);
  bool is_last_test(const RequestName& name);
  bool is_last_test_of_all();
  std::deque<Open>::iterator find_open(const RequestName& name);

  std::unique_ptr<TiStream> lines_;
  int rank_;
  const TiFacts& facts_;
  std::function<void(const TraceEvent&)> see_;
  std::deque<TraceEvent> following_;
  TraceEvent event_;
  std::deque<Open> open_;
  std::vector<RequestName> over_;          // requests for which the last waitall waited
  std::map<int, std::uint64_t> unnamed_;   // number of receives without a source so far
  std::set<std::pair<int, int>> buffered_; // receiver and tag of buffered sends
  std::uint64_t waits_for_any_ = 0;        // each ended a request without naming it
};

// All ranks' time-independent traces, read once → what they show of each other, and what has to be assumed.
struct TiSurvey {
  std::vector<TiFacts> facts; // facts for each rank
  std::vector<std::string> warnings;
};

// `open` opens the lines of a rank. Faults are left to those who read the lines again.
TiSurvey survey(const std::function<std::unique_ptr<TiStream>(int rank)>& open, int ranks);

} // namespace kakehashi
