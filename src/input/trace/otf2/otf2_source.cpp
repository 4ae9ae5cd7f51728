#include "input/trace/otf2/otf2_source.hpp"

#include <fmt/format.h>

#ifdef KAKEHASHI_OTF2
#include "base/child.hpp"
#include "base/line_reader.hpp"
#include "input/trace/otf2/otf2_events.hpp"

#include <array>
#include <filesystem>

namespace kakehashi {
namespace {

// Keeps OTF2 from printing, since our faults state its errors.
OTF2_ErrorCode stay_silent(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char*, va_list) {
  return code;
}

Otf2Events& at(void* data, OTF2_TimeStamp time) {
  auto& events = *static_cast<Otf2Events*>(data);
  events.begin(time);
  return events;
}

OTF2_CallbackCode done(const Otf2Events& events) {
  return events.fault().empty() ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

using Location = OTF2_LocationRef;
using Time = OTF2_TimeStamp;
using Position = std::uint64_t;
using Attributes = OTF2_AttributeList*;

template <class Apply> OTF2_CallbackCode apply(void* data, Time time, Apply what) {
  auto& events = at(data, time);
  what(events);
  return done(events);
}

// The callbacks for records that matter.
struct Callbacks {
  Callbacks() {
    auto* all = handle;
    OTF2_EvtReaderCallbacks_SetEnterCallback(all,
                                             [](Location, Time t, Position, void* d, Attributes, OTF2_RegionRef r) {
                                               return apply(d, t, [&](Otf2Events& e) { e.enter(r); });
                                             });
    OTF2_EvtReaderCallbacks_SetLeaveCallback(all,
                                             [](Location, Time t, Position, void* d, Attributes, OTF2_RegionRef r) {
                                               return apply(d, t, [&](Otf2Events& e) { e.leave(r); });
                                             });
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(all, [](Location, Time t, Position, void* d, Attributes,
                                                       std::uint32_t to, OTF2_CommRef comm, std::uint32_t tag,
                                                       std::uint64_t bytes) {
      return apply(d, t, [&](Otf2Events& e) { e.send(to, comm, tag, bytes, std::nullopt); });
    });
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(all, [](Location, Time t, Position, void* d, Attributes,
                                                        std::uint32_t to, OTF2_CommRef comm, std::uint32_t tag,
                                                        std::uint64_t bytes, std::uint64_t request) {
      return apply(d, t, [&](Otf2Events& e) { e.send(to, comm, tag, bytes, request); });
    });
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(
        all, [](Location, Time t, Position, void* d, Attributes, std::uint64_t request) {
          return apply(d, t, [&](Otf2Events& e) { e.end_send(request); });
        });
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(
        all,
        [](Location, Time t, Position, void* d, Attributes, std::uint32_t from, OTF2_CommRef comm, std::uint32_t tag,
           std::uint64_t) { return apply(d, t, [&](Otf2Events& e) { e.receive(from, comm, tag); }); });
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(
        all, [](Location, Time t, Position, void* d, Attributes, std::uint64_t request) {
          return apply(d, t, [&](Otf2Events& e) { e.begin_receive(request); });
        });
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(all, [](Location, Time t, Position, void* d, Attributes,
                                                        std::uint32_t from, OTF2_CommRef comm, std::uint32_t tag,
                                                        std::uint64_t, std::uint64_t request) {
      return apply(d, t, [&](Otf2Events& e) { e.end_receive(from, comm, tag, request); });
    });
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(
        all, [](Location, Time t, Position, void* d, Attributes, std::uint64_t request) {
          return apply(d, t, [&](Otf2Events& e) { e.cancel(request); });
        });
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(all, [](Location, Time t, Position, void* d, Attributes) {
      return apply(d, t, [](Otf2Events& e) { e.begin_collective(); });
    });
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(
        all, [](Location, Time t, Position, void* d, Attributes, OTF2_CollectiveOp operation, OTF2_CommRef comm,
                std::uint32_t root, std::uint64_t sent, std::uint64_t received) {
          return apply(d, t, [&](Otf2Events& e) { e.collective(operation, comm, root, sent, received); });
        });
#if OTF2_VERSION_MAJOR >= 3
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(
        all, [](Location, Time t, Position, void* d, Attributes, std::uint64_t request) {
          return apply(d, t, [&](Otf2Events& e) { e.begin_nonblocking(request); });
        });
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(
        all, [](Location, Time t, Position, void* d, Attributes, OTF2_CollectiveOp operation, OTF2_CommRef comm,
                std::uint32_t root, std::uint64_t sent, std::uint64_t received, std::uint64_t request) {
          return apply(d, t, [&](Otf2Events& e) { e.end_nonblocking(operation, comm, root, sent, received, request); });
        });
#endif
  }
  ~Callbacks() {
    OTF2_EvtReaderCallbacks_Delete(handle);
  }
  OTF2_EvtReaderCallbacks* handle = OTF2_EvtReaderCallbacks_New();
};

// It opens the archive only while it reads records.
class Otf2Stream : public EventStream {
public:
  Otf2Stream(std::string file, std::shared_ptr<const Otf2Definitions> definitions, int rank)
      : file_(std::move(file)), definitions_(std::move(definitions)), rank_(rank), events_(*definitions_, rank) {}

  const std::string& file() const override { return file_; }
  std::string_view unit() const override { return unit_; }
  const std::optional<Error>& fault() const override { return fault_; }
  Otf2Gaps gaps() const { return events_.gaps(); }

  const TraceEvent* next() override {
    while (!fault_) {
      if (auto event = events_.take(at_end_)) {
        event_ = std::move(*event);
        return &event_;
      }
      if (at_end_)
        return nullptr;
      read_records();
    }
    return nullptr;
  }

private:
  static constexpr std::uint64_t records_at_once = 4096;

  void fail(std::string message) {
    fault_ = input_error(file_, fmt::format("{} {}", unit_, events_.records()), std::move(message));
  }

  void read_records() {
    const auto location = definitions_->locations[static_cast<std::size_t>(rank_)];
    const auto reader = open_otf2_reader(file_);
    if (!reader)
      return fail("the archive cannot be read");
    auto* archive = reader.get();
    OTF2_Reader_SelectLocation(archive, location);
    const bool has_local = OTF2_Reader_OpenDefFiles(archive) == OTF2_SUCCESS;
    OTF2_Reader_OpenEvtFiles(archive);
    if (has_local) { // local definitions may renumber what events refer to
      std::uint64_t read = 0;
      if (auto* definitions = OTF2_Reader_GetDefReader(archive, location)) {
        OTF2_Reader_ReadAllLocalDefinitions(archive, definitions, &read);
        OTF2_Reader_CloseDefReader(archive, definitions);
      }
      OTF2_Reader_CloseDefFiles(archive);
    }
    auto* records = OTF2_Reader_GetEvtReader(archive, location);
    if (!records)
      return fail("there are no events of this rank");
    OTF2_Reader_RegisterEvtCallbacks(archive, records, Callbacks().handle, &events_);
    if (place_ > 0 && OTF2_EvtReader_Seek(records, place_ + 1) != OTF2_SUCCESS) { // it counts from 1
      at_end_ = true;
      return;
    }
    std::uint64_t read = 0;
    const auto status = OTF2_Reader_ReadLocalEvents(archive, records, records_at_once, &read);
    place_ += read;
    at_end_ = read < records_at_once;
    if (!events_.fault().empty())
      fail(events_.fault());
    else if (status != OTF2_SUCCESS)
      fail("its events cannot be read");
  }

  std::string file_;
  std::shared_ptr<const Otf2Definitions> definitions_;
  int rank_;
  std::string unit_ = fmt::format("rank {}, event", rank_);
  Otf2Events events_;
  std::uint64_t place_ = 0; // number of records read, of any kind
  bool at_end_ = false;
  TraceEvent event_;
  std::optional<Error> fault_;
};

std::vector<std::string> files_of(const std::string& file) {
  const auto stem = std::filesystem::path(file).replace_extension();
  std::vector<std::string> files{file, stem.string() + ".def"};
  std::error_code status;
  for (const auto& each : std::filesystem::directory_iterator(stem, status))
    files.push_back(each.path().string());
  return files;
}

class Otf2Archive : public TraceSource {
public:
  Otf2Archive(std::string file, Otf2Definitions definitions, std::vector<std::string> warnings)
      : file_(std::move(file)), definitions_(std::make_shared<const Otf2Definitions>(std::move(definitions))),
        warnings_(std::move(warnings)) {}

  std::unique_ptr<EventStream> open(int rank) const override { return open_rank(rank); }
  std::unique_ptr<Otf2Stream> open_rank(int rank) const {
    return std::make_unique<Otf2Stream>(file_, definitions_, rank);
  }
  const std::vector<std::string>& warnings() const override { return warnings_; }
  std::size_t ranks() const { return definitions_->locations.size(); }
  std::uint64_t bytes() const override { return 0; } // unknown, and they are no text
  std::vector<std::string> files() const override { return files_of(file_); }
  const std::vector<RankGroup>& communicators() const override { return definitions_->communicators; }

private:
  std::string file_;
  std::shared_ptr<const Otf2Definitions> definitions_;
  std::vector<std::string> warnings_;
};

// The gaps of an archive, one line each.
std::string text_of(const Otf2Gaps& gaps) {
  std::string text;
  for (const auto& [name, count] : gaps.silent_calls)
    text += fmt::format("{} of {} {} no record of what {} moved, and {} left out\n", counted(count, "call"), name,
                        count == 1 ? "has" : "have", count == 1 ? "it" : "they", count == 1 ? "is" : "are");
  for (const auto& [count, what] :
       {std::pair{gaps.endless_receives, "receive"}, std::pair{gaps.endless_calls, "nonblocking collective call"}})
    if (count > 0)
      text += fmt::format("{} {} begun, and the archive has no record of the end; {} left out\n", counted(count, what),
                          count == 1 ? "is" : "are", count == 1 ? "it is" : "they are");
  return text;
}

// An anchor begins with two bytes and then the format's name. The library leaks memory if it opens any other file.
bool is_anchor(const std::string& file) {
  std::array<char, 6> begin{};
  const auto read = read_from_file(file)(0, begin);
  return read && *read == begin.size() && std::string_view(begin.data() + 2, 4) == "OTF2";
}

// Reads everything as a run would; returns the gaps, or the fault if the archive cannot be opened. The library trusts a
// damaged archive, so this happens first in a process of its own.
Result<std::vector<std::string>> gaps_of(const std::string& file) {
  std::uintmax_t bytes = 0;
  std::error_code status;
  for (const auto& each : std::filesystem::directory_iterator(std::filesystem::path(file).replace_extension(), status))
    bytes += each.is_regular_file(status) ? each.file_size(status) : 0;
  constexpr std::uintmax_t bytes_a_second = 1 << 20; // a tenth of the rate on a slow machine
  const auto seconds = static_cast<unsigned>(std::min<std::uintmax_t>(60 + bytes / bytes_a_second, 100000));
  const auto read_all = [&]() -> std::string {
    auto definitions = read_otf2_definitions(file);
    if (!definitions)
      return definitions.errors().front().message;
    const Otf2Archive archive(file, std::move(*definitions), {});
    Otf2Gaps gaps;
    for (std::size_t rank = 0; rank < archive.ranks(); ++rank) {
      const auto events = archive.open_rank(static_cast<int>(rank));
      while (events->next()) {
      }
      if (events->fault())
        return "\n"; // the reader reports the fault when it reads the records again
      gaps.add(events->gaps());
    }
    return '\n' + text_of(gaps);
  };
  const auto end = do_in_child(read_all, seconds);
  if (!end)
    return end.errors();
  if (end->crash)
    return file_error(ErrorKind::input, file,
                      fmt::format("the archive is damaged: the library that reads it fails ({})", *end->crash));
  if (!end->result.starts_with('\n'))
    return file_error(ErrorKind::input, file, end->result);
  std::vector<std::string> gaps;
  for (std::size_t begin = 1; begin < end->result.size();) {
    const auto stop = end->result.find('\n', begin);
    gaps.push_back(fmt::format("{}: {}", file, end->result.substr(begin, stop - begin)));
    begin = stop + 1;
  }
  return gaps;
}

} // namespace

Result<std::shared_ptr<const TraceSource>> open_otf2(const std::string& file, int ranks) {
  std::error_code status;
  for (const auto& each : files_of(file))
    if (!std::filesystem::is_regular_file(each, status))
      return file_error(ErrorKind::input, each, status ? "no such file" : "not a regular file");
  if (!is_anchor(file))
    return file_error(ErrorKind::input, file, "not an OTF2 archive");
  OTF2_Error_RegisterCallback(stay_silent, nullptr);
  auto gaps = gaps_of(file);
  if (!gaps)
    return gaps.errors();
  auto definitions = read_otf2_definitions(file);
  if (!definitions)
    return definitions.errors();
  if (definitions->locations.size() != static_cast<std::size_t>(ranks))
    return file_error(
        ErrorKind::input, file,
        mismatch(counted(definitions->locations.size(), "rank"), fmt::format("{}, as in the scenario", ranks)));
  return {std::make_shared<const Otf2Archive>(file, std::move(*definitions), std::move(*gaps))};
}

} // namespace kakehashi

#else

namespace kakehashi {

Result<std::shared_ptr<const TraceSource>> open_otf2(const std::string& file, int) {
  return file_error(ErrorKind::input, file,
                    "this program was built without OTF2; install libotf2-trace-dev and build it again");
}

} // namespace kakehashi

#endif
