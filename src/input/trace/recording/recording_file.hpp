// The file of a rank in a recording → the bytes of its records, one frame at a time. docs/inside/recording-format.md
// describes the file.
#pragma once

#include "base/error.hpp"
#include "base/line_reader.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace kakehashi {

class RecordingFile {
public:
  // `tail`: the records of a killed process that are in no frame; empty: there is none.
  RecordingFile(std::string file, ReadAt read, ReadAt tail = {})
      : file_(std::move(file)), read_(std::move(read)), tail_(std::move(tail)) {}

  const std::string& file() const { return file_; }

  // Whether there is more. It reads the next frame at the start, and whenever the last one is used up.
  bool has_more();
  // A number of the current record; 0 after a fault.
  std::uint64_t number();
  std::int64_t signed_number();
  std::string text(); // as one line for a terminal
  // The number of following things, each of at least one byte.
  std::size_t count();

  // The fault that stops the reader; empty: none.
  const std::string& fault() const { return fault_; }
  ErrorKind fault_kind() const { return fault_kind_; }
  void fail(std::string message, ErrorKind kind = ErrorKind::input);

private:
  bool read_frame();
  bool read_tail();
  Result<std::string> compressed_frame(); // empty: the file has ended

  std::string file_;
  ReadAt read_;
  ReadAt tail_;
  std::uint64_t place_ = 0; // where the next frame is
  std::string frame_;
  std::size_t at_ = 0;
  bool is_begun_ = false;
  bool has_ended_ = false; // all frames and the tail have been read; the file may end inside another frame
  std::string fault_;
  ErrorKind fault_kind_ = ErrorKind::input;
};

} // namespace kakehashi
