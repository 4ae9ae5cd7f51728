// A long text → its lines, one after the other, in bounded memory.
#pragma once

#include "base/error.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace kakehashi {

// Fills the room with the text from a place on and returns how much it was; nothing only at the end.
using ReadAt = std::function<Result<std::size_t>(std::uint64_t place, std::span<char> room)>;

// Opens the file for each block that it reads, so that thousands of files can be read at the same time.
ReadAt read_from_file(std::string file);

class LineReader {
public:
  LineReader(ReadAt read, std::size_t block);

  // Returns the next line without its end, which is valid until the next call; nothing at the end, or at a fault.
  std::optional<std::string_view> next();
  bool has_line() const { return std::find(from(searched_), from(end_), '\n') != from(end_); } // next() need not read
  std::uint64_t line() const { return line_; } // number of the last line, from 1
  const std::optional<Error>& fault() const { return fault_; }

private:
  static constexpr std::size_t longest_line = 64 << 20;

  const char* from(std::size_t at) const { return buffer_.data() + at; }
  bool fill(); // reads more text; false if there is none

  ReadAt read_;
  std::string buffer_;
  std::size_t begin_ = 0;    // beginning of the text that has not been returned
  std::size_t searched_ = 0; // no line ends before this
  std::size_t end_ = 0;
  std::uint64_t place_ = 0; // place of the buffer's end in the text
  bool at_end_ = false;
  std::uint64_t line_ = 0;
  std::optional<Error> fault_;
};

// The size of each reader's block if there are `readers`.
constexpr std::size_t block_size(std::size_t readers) {
  constexpr std::size_t together = 64 << 20;
  return std::clamp<std::size_t>(together / std::max<std::size_t>(1, readers), 4 << 10, 64 << 10);
}

} // namespace kakehashi
