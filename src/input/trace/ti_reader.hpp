// SimGrid's time-independent traces, as `smpirun -trace-ti` writes and `smpirun -replay` reads them → events.
//
//   RANK WORD ARGUMENT…
//
// Words are read in capitals and small letters alike, as versions of SimGrid differ in them. Sizes count elements of
// the data type that is named at the end of the line; without one, it is bytes, or doubles after an `init` that has an
// argument. Of words on several requests a trace does not tell which they are: they are taken for all that are open.
// A synchronous send is taken for a usual one, without what asking the receiver costs where that would not ask. `init`,
// `finalize`, `location` and the words on communicators make no events: a trace does not tell to which communicator a
// call belongs, and SimGrid takes all for the world's.
#pragma once

#include "input/trace/line_reader.hpp"
#include "model/trace_event.hpp"

namespace kakehashi {

struct TiForm {
  int ranks = 0;
  std::optional<Bytes> derived_type; // the size of data types that the application made, which traces do not tell
};

// The lines of one rank. Those of a file that all ranks share come with their numbers before them.
class TiStream : public EventStream {
public:
  TiStream(std::string file, LineReader lines, int rank, const TiForm& form, bool are_numbered);

  const std::string& file() const override { return file_; }
  const TraceEvent* next() override;
  const std::optional<Error>& fault() const override { return fault_; }

private:
  bool read(std::string_view line); // whether it is an event; not if there is a fault
  void fail(std::string message, std::string suggestion = "");

  std::string file_;
  LineReader lines_;
  int rank_;
  TiForm form_;
  bool are_numbered_;
  std::uint64_t default_type_ = 1; // its size
  std::vector<std::string_view> words_;
  TraceEvent event_;
  std::optional<Error> fault_;
};

// Whether it is a line of a trace, which begins with a rank and a word of the vocabulary.
bool is_ti_line(std::string_view line);

// Its first word is none, or begins with '#'.
bool is_blank_or_comment(std::string_view line);

} // namespace kakehashi
