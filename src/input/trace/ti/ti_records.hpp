// The events of all ranks' lines as records of a few bytes, half as long as the text, which is read only once.
#pragma once

#include "input/trace/ti/ti_counting.hpp"
#include "input/trace/ti/ti_reader.hpp"

#include <cstdio>

namespace kakehashi {

// Texts that grow at the same time, in blocks: the first in memory, the others in one temporary file, which disappears
// with the spool.
class Spool {
public:
  explicit Spool(std::size_t texts, std::size_t most_in_memory = 16 << 20)
      : most_in_memory_(most_in_memory), texts_(texts) {}

  // Appends something that stays in one block. These return false if the disk is full.
  bool append(std::size_t text, std::string_view whole);
  bool finish(std::size_t text); // nothing is appended to it any more

  // Empty after the last block. `room` keeps a block that is read from the file.
  Result<std::string_view> block(std::size_t text, std::size_t number, std::string& room) const;

private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct Block {
    std::string inside; // empty: it is in the file
    std::uint64_t place = 0;
    std::size_t size = 0;
  };
  struct Text {
    std::string buffer;
    std::vector<Block> blocks;
  };
  bool write(Text& text);

  std::size_t most_in_memory_;
  std::size_t in_memory_ = 0;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::uint64_t end_ = 0; // of the file
  std::vector<Text> texts_;
};

class TiRecords {
public:
  // One file for each rank, or one for all of them.
  TiRecords(std::vector<std::string> files, std::size_t ranks)
      : files_(std::move(files)), spool_(ranks), counting_(ranks), written_(ranks) {}

  // These return false if the disk is full. Each rank's reader is the same for all of its lines.
  bool add(TiReader& reader, std::string_view line, std::uint64_t number);
  bool finish(const TiReader& reader);

  int ranks() const { return static_cast<int>(written_.size()); }
  const std::vector<std::string>& files() const { return files_; }
  const std::string& file(int rank) const { return files_[files_.size() == 1 ? 0 : static_cast<std::size_t>(rank)]; }
  const TiSigns& signs(int rank) const { return written_[static_cast<std::size_t>(rank)].signs; }
  const std::optional<Error>& fault(int rank) const { return written_[static_cast<std::size_t>(rank)].fault; }
  const Spool& spool() const { return spool_; }
  const TiCounting& counting() const { return counting_; } // of all events

private:
  struct Written {
    std::uint64_t line = 0; // of the last event
    bool has_startall = false;
    TiSigns signs;
    std::optional<Error> fault;
  };
  bool note_startall(const TiReader& reader, Written& written);

  std::vector<std::string> files_;
  Spool spool_;
  TiCounting counting_;
  std::vector<Written> written_;
  std::vector<char> room_; // for a record
};

// The events of a rank's records. The records must outlive it.
class TiRecordReader {
public:
  TiRecordReader(const TiRecords& records, int rank) : records_(records), rank_(rank) {}

  const std::string& file() const { return records_.file(rank_); }
  bool next(TraceEvent& event); // false at the end, and at a fault
  const std::optional<Error>& fault() const { return fault_; }
  bool has_startall() const { return has_startall_; } // so far

private:
  bool fill();

  const TiRecords& records_;
  int rank_;
  std::size_t blocks_ = 0; // so far
  std::string_view left_;  // of the last one
  std::string room_;
  std::uint64_t line_ = 0;
  bool has_startall_ = false;
  std::optional<Error> fault_;
};

} // namespace kakehashi
