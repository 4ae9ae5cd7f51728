// The file that names a time-independent trace → a stream for each rank.
//
// The file lists file names, one per line: one for each rank, or one that all ranks share. Or it is such a shared trace
// itself. Names are relative to the list's folder, or else to the current folder.
#pragma once

#include "base/line_reader.hpp"
#include "input/trace/ti/ti_form.hpp"
#include "model/trace_event.hpp"

#include <cstdio>
#include <memory>
#include <vector>

namespace kakehashi {

// Texts that grow at the same time, each in small blocks → one temporary file, from which each text can be read by
// itself.

// It needs a buffer for each text and 8 B for each block in the file. The file disappears with the spool.
class Spool {
public:
  Spool(std::size_t texts, std::size_t block);

  // False if the disk is full.
  bool append(std::size_t text, std::string_view more);
  // Called once, after everything has been appended.
  bool finish();
  std::uint64_t size(std::size_t text) const { return texts_[text].size; } // valid after finish()

  Result<std::size_t> read(std::size_t text, std::uint64_t place, std::span<char> room) const;

private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct Text {
    std::string buffer;
    std::vector<std::uint64_t> blocks; // places in the file; all blocks but the last have the same length
    std::uint64_t size = 0;
  };
  bool write(Text& text);

  std::size_t block_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::uint64_t end_ = 0;
  std::vector<Text> texts_;
};

// Reads all traces once, for what they show of each other. Errors: a file is missing, the number of files is not that
// of the ranks, or a shared file has lines of other ranks.
Result<std::shared_ptr<const TraceSource>> open_ti(const std::string& file, const TiForm& form);

} // namespace kakehashi
