// A rank's file of a recording → its records' bytes, a frame at a time. docs/recording-format.md describes the file.
#pragma once

#include "base/error.hpp"
#include "input/trace/line_reader.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace kakehashi {

class RecordingFile {
public:
  // tail: of a process that was killed, the records that are in no frame; empty: there is none.
  RecordingFile(std::string file, ReadAt read, ReadAt tail = {})
      : file_(std::move(file)), read_(std::move(read)), tail_(std::move(tail)) {}

  const std::string& file() const { return file_; }

  // Whether there is more. At first, and whenever what there was has been read, this reads the next frame.
  bool has_more();
  // Of the record at hand; 0 after a fault.
  std::uint64_t number();
  std::int64_t signed_number();
  std::string text(); // on one line, for a terminal
  // A number of things that follow, each of at least one byte.
  std::size_t count();

  // The fault that stops the reader; empty: none.
  const std::string& fault() const { return fault_; }
  ErrorKind fault_kind() const { return fault_kind_; }
  void fail(std::string message, ErrorKind kind = ErrorKind::input);

private:
  bool read_frame();
  bool read_tail();
  Result<std::string> compressed_frame(); // empty: the file ends

  std::string file_;
  ReadAt read_;
  ReadAt tail_;
  std::uint64_t place_ = 0; // of the next frame
  std::string frame_;
  std::size_t at_ = 0;
  bool is_begun_ = false;
  bool has_ended_ = false; // all frames and the tail have been read; the file may end within another frame
  std::string fault_;
  ErrorKind fault_kind_ = ErrorKind::input;
};

} // namespace kakehashi
