// The requests of a recorded rank to GPUs, and the work that these did → work on a clock of its own, and waits for it.
//
// A stream does one work after the other, each after its start. Work also waits for events, as the rank asks for; and
// for what ended last on another stream before the work began, if the work could have begun earlier: the default
// stream, and copies that share an engine, behave so. The rest of the time until the work begins is the host's and the
// driver's, and is kept.
#pragma once

#include "input/trace/recording/recording_ahead.hpp"
#include "model/trace_event.hpp"

#include <deque>
#include <map>
#include <unordered_map>

namespace kakehashi {

// The work that GPUs did, by the number of its start.
class RecordedWork {
public:
  explicit RecordedWork(const std::string& file) : ahead_(file) {}
  // Returns nothing if it is unknown. Call it once for each start.
  std::optional<DeviceWorkRecord> take(std::uint64_t number);

private:
  RecordingAhead<DeviceWorkRecord> ahead_;
};

struct DeviceSteps {
  std::optional<DeviceWorkEvent> work;
  std::optional<DeviceWaitEvent> wait;
  Seconds waited; // the part of the call's recorded time in which it waited
  Seconds rest;   // the rest of the call's time
};

class RecordedDevice {
public:
  explicit RecordedDevice(const std::string& file) : works_(file) {}
  // `time` is that of the call, in ns.
  DeviceSteps take(const DeviceRecord& record, std::uint64_t time);

private:
  struct Done {
    std::uint64_t number; // the replay's own number
    std::uint64_t end;    // ns in the recording
  };
  struct DeviceStream {
    std::deque<Done> done;     // by end, without those that ended before the current call
    std::optional<Done> last;  // the last that was started
    std::vector<Done> ordered; // what its next work has to wait for
  };
  using StreamName = std::pair<std::uint64_t, std::uint64_t>; // context, stream

  std::optional<DeviceWorkEvent> start(const DeviceRecord& record, Done& done);
  std::optional<Done> cause_of(const DeviceWorkRecord& work, const DeviceRecord& started);
  std::vector<Done> awaited(const DeviceRecord& record) const;

  RecordedWork works_;
  std::map<StreamName, DeviceStream> streams_;
  std::unordered_map<std::uint64_t, std::optional<Done>> events_; // none: nothing had been started
  std::uint64_t last_number_ = 0;
};

} // namespace kakehashi
