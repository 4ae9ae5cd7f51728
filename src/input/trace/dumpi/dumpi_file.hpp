// A rank's file in SST's DUMPI format → its calls, one after the other.
//
// A file has 8 bytes that name the format, the calls, records about them, and at its end the places of these. Numbers
// are big-endian. A call has its number, which times it has, these, and its arguments, whose form follows from the
// number (dumpi_calls.inc).
#pragma once

#include "base/line_reader.hpp"
#include "base/units.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

struct DumpiFile {
  std::string file;
  std::uint64_t bytes = 0;
  std::uint64_t calls = 0;              // place of the first call
  std::vector<std::int64_t> type_sizes; // by number; 0: unknown
};

// Errors: it cannot be read, is no such file, is cut, or was written by a version before 0.6.9, whose calls are others.
Result<DumpiFile> open_dumpi_file(const std::string& file);

// An argument: a number, or a list. The state of a message is a list of its sources and tags in turns.
struct DumpiValue {
  std::int64_t number = 0;
  std::vector<std::int64_t> list;
};

struct DumpiCall {
  std::uint64_t place = 0; // in the file, in bytes
  std::size_t function = 0;
  bool has_times = false;
  Seconds start; // by the rank's clock
  Seconds stop;
  std::vector<DumpiValue> values; // those that are not there are empty

  std::int64_t number(std::size_t i) const { return values[i].number; }
  const std::vector<std::int64_t>& list(std::size_t i) const { return values[i].list; }
};

// The name of an MPI function without "MPI_", and the function's number; none: there is no such function.
std::string_view dumpi_name(std::size_t function);
std::size_t dumpi_function(std::string_view name);
std::size_t dumpi_functions(); // their number

class DumpiCalls {
public:
  // The file must outlive it.
  DumpiCalls(const DumpiFile& file, std::size_t block) : file_(&file), block_(block), place_(file.calls) {}

  // Returns the next call; null at the end, and at a fault. It stays until the next one.
  const DumpiCall* next();
  const std::optional<Error>& fault() const { return fault_; }

private:
  bool fill(std::size_t bytes);
  std::uint64_t take(int bytes);
  std::int64_t take_signed(int bytes);
  std::size_t take_length(std::size_t bytes);
  void read_times(unsigned mask);
  void read_value(char form, DumpiValue& value);
  void read_states(DumpiValue& value);
  Seconds take_time();
  void fail(std::string message);

  const DumpiFile* file_;
  std::size_t block_;
  std::uint64_t place_; // of the buffer's end
  std::string buffer_;
  std::size_t at_ = 0; // in the buffer
  bool begun_ = false;
  bool has_states_ = false;
  double days_ = 0; // what the 16 bits of seconds have lost so far
  Seconds last_;
  DumpiCall call_;
  std::optional<Error> fault_;
};

} // namespace kakehashi
