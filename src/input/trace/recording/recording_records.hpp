// The bytes of a rank's recording → its records, each checked against the earlier ones.
#pragma once

#include "base/error.hpp"
#include "base/line_reader.hpp"
#include "base/stream.hpp"
#include "model/mpi_settings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace kakehashi {

// The file of a rank in a recording → the bytes of its records, one frame at a time. docs/inside/recording-format.md
// describes the file.
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

// Values in place of a rank of the world.
inline constexpr int nobody = -1;   // MPI_PROC_NULL
inline constexpr int outsider = -2; // a rank of another world, such as a spawned process
inline constexpr int anybody = -3;

enum class WorkUnit { time, processor_time, instructions };
enum class SendMode { standard, buffered, synchronous, ready, partitioned };
enum class WindowStep { fence, flush, post, start, complete, wait, free };
enum class DeviceStep { start, start_and_wait, wait_for_stream, wait_for_all, wait_for_event, mark, order };
enum class RecordingEnd { finalized, exited, aborted, signalled };

struct StartRecord {
  int rank = 0;
  int ranks = 1;
  WorkUnit unit = WorkUnit::time;
  std::string library;
  std::string program;
};
// `members` are ranks of the world, `remote` those of the other group of an intercommunicator. Neither: the rank is no
// member.
struct CommunicatorRecord {
  std::uint64_t number = 0;
  std::optional<std::uint64_t> parent; // none: the members made it without a parent
  std::vector<int> members;
  std::vector<int> remote;
};
struct WindowRecord {
  std::uint64_t number = 0;
  std::uint64_t communicator = 0;
};
// One side of a message: its source or its destination.
struct MessageEnd {
  std::uint64_t communicator = 0;
  int peer = nobody;
  std::optional<int> tag; // none: any
  std::uint64_t bytes = 0;
};
// Whether the end of a receive states what came.
inline bool is_wild(const MessageEnd& end) {
  return end.peer == anybody || !end.tag;
}
struct SendRecord {
  std::uint64_t request = 0; // 0: it blocks
  MessageEnd end;
  SendMode mode = SendMode::standard;
};
struct ReceiveRecord {
  std::uint64_t request = 0;
  MessageEnd end;
  SendMode mode = SendMode::standard;
};
struct SendReceiveRecord {
  std::uint64_t request = 0;
  MessageEnd send;
  MessageEnd receive;
};
struct Completion {
  std::uint64_t request = 0;
  std::optional<MessageEnd> received; // none: it was no receive, or one from nobody
  bool is_cancelled = false;
};
struct CompleteRecord {
  std::vector<Completion> ended;
};
struct CollectiveRecord {
  std::uint64_t request = 0;
  std::uint64_t communicator = 0;
  Collective collective = Collective::barrier;
  int root = 0;
  std::uint64_t bytes = 0;
  std::vector<std::uint64_t> sizes;
};
struct ExchangeRecord {
  std::uint64_t request = 0;
  std::uint64_t communicator = 0;
  std::vector<std::pair<int, std::uint64_t>> sends;
  std::vector<int> receives;
};
struct RemoteRecord {
  std::uint64_t request = 0;
  std::uint64_t window = 0;
  int target = nobody;
  std::uint64_t put = 0;
  std::uint64_t got = 0;
};
struct WindowStepRecord {
  std::uint64_t window = 0;
  WindowStep step = WindowStep::fence;
  std::vector<int> ranks; // empty: all
};
struct PolledRecord {
  std::uint64_t calls = 0;
  std::uint64_t time = 0;
};
struct ElapsedRecord {};
struct ProbedRecord {
  MessageEnd end;
};
struct EndRecord {
  RecordingEnd how = RecordingEnd::finalized;
  std::int64_t code = 0; // code of MPI_Abort, or the number of a signal
  std::string call;      // the call that it was in; empty: none
  std::vector<std::pair<std::string, std::uint64_t>> unrecorded;
};

// A place of the program that makes calls. It gets the next number, from 1.
struct SiteRecord {
  std::string object;
  std::uint64_t address = 0; // in the object
  std::string function;      // empty: unknown
  std::uint64_t shift = 0;   // inside the function
};
struct RegionRecord {
  std::string name; // name of the region that begins; empty: the last region that began ends
};

// A request of the rank to a GPU, or a wait for one.
struct DeviceRecord {
  DeviceStep step = DeviceStep::start;
  std::uint64_t at = 0; // ns since the recording began, whatever the unit of work is
  std::uint64_t context = 0;
  std::uint64_t stream = 0; // in the context
  std::uint64_t number = 0; // number of what is started, or of an event
};
// Work that a GPU has done.
struct DeviceWorkRecord {
  std::uint64_t context = 0;
  std::uint64_t stream = 0;
  std::uint64_t number = 0; // number of its start
  std::uint64_t start = 0;  // ns since the recording began
  std::uint64_t time = 0;   // how long it took, ns
};

struct Record {
  std::uint64_t work = 0; // since the previous record
  std::uint64_t time = 0; // time of the call, in ns
  std::uint64_t site = 0; // the call's place; 0: unknown
  std::variant<StartRecord, CommunicatorRecord, WindowRecord, SendRecord, ReceiveRecord, SendReceiveRecord,
               CompleteRecord, CollectiveRecord, ExchangeRecord, RemoteRecord, WindowStepRecord, PolledRecord,
               ElapsedRecord, ProbedRecord, EndRecord, SiteRecord, RegionRecord, DeviceRecord, DeviceWorkRecord>
      what;
};

class RecordingReader {
public:
  explicit RecordingReader(const std::string& file);
  RecordingReader(std::string name, ReadAt read) : file_(std::move(name), std::move(read)) {}

  const std::string& file() const { return file_.file(); }
  // Returns the next record; nothing at the end, or at a fault.
  std::optional<Record> next();
  std::uint64_t records() const { return records_; } // number of records read so far
  std::optional<Error> fault() const;

private:
  struct Known { // a communicator
    bool is_known = false;
    std::size_t size = 0; // number of ranks that collective calls list
  };

  Record read_record();
  int read_peer();
  std::vector<int> read_members();
  MessageEnd read_end();
  std::uint64_t read_communicator();
  std::uint64_t read_window();
  template <class Value> Value choice(std::uint64_t count, std::string_view what);

  StartRecord read_start();
  CommunicatorRecord read_made();
  WindowRecord read_window_made();
  SendReceiveRecord read_sendreceive();
  CompleteRecord read_complete();
  CollectiveRecord read_collective();
  ExchangeRecord read_exchange();
  RemoteRecord read_remote();
  WindowStepRecord read_step();
  EndRecord read_ending();
  SiteRecord read_site();
  DeviceRecord read_device();
  DeviceWorkRecord read_device_work();

  RecordingFile file_;
  std::uint64_t records_ = 0;
  int ranks_ = 0; // 0: unknown yet
  std::vector<Known> communicators_;
  std::uint64_t windows_ = 0;
  bool has_sites_ = false; // whether records have sites
  std::uint64_t sites_ = 0;
};

} // namespace kakehashi
