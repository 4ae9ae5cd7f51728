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

// Fills the room with text from a place on, and tells how much there was; less than the room only at the end.
using ReadAt = std::function<Result<std::size_t>(std::uint64_t place, std::span<char> room)>;

// Opens the file for each block that it reads, so thousands of files can be read side by side.
ReadAt read_from_file(std::string file);

class LineReader {
public:
  LineReader(ReadAt read, std::size_t block);

  // The next line without its end, valid until the next call; nothing at the end, or at a fault.
  std::optional<std::string_view> next();
  std::uint64_t line() const { return line_; } // its number, from 1 on
  const std::optional<Error>& fault() const { return fault_; }

private:
  static constexpr std::size_t longest_line = 64 << 20;

  bool fill(); // whether there is more text

  ReadAt read_;
  std::string buffer_;
  std::size_t begin_ = 0;    // of what has not been handed out
  std::size_t searched_ = 0; // no end of a line before here
  std::size_t end_ = 0;
  std::uint64_t place_ = 0; // of the end, in the text
  bool at_end_ = false;
  std::uint64_t line_ = 0;
  std::optional<Error> fault_;
};

// How much each of so many readers may hold.
constexpr std::size_t block_size(std::size_t readers) {
  constexpr std::size_t together = 64 << 20;
  return std::clamp<std::size_t>(together / std::max<std::size_t>(1, readers), 4 << 10, 64 << 10);
}

} // namespace kakehashi
