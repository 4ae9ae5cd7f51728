// Carries the payloads and keeps the time: the one interface that engines implement.
#pragma once

#include "engine/flow/event_queue.hpp"
#include "topology/topology.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace kakehashi {

// Events that are due within this time happen at the same time, for a rank that sends and receives then would otherwise
// do first what the last bit of a sum says.
inline constexpr Seconds blur{1e-13};

// Events happen at multiples of a tick. Otherwise what rounding adds to a time grows from message to message where
// nobody waits for anybody, until it decides who comes first. Few ranks need less of that, and show finer differences.
inline constexpr Seconds fine_tick{1e-11};
inline constexpr Seconds coarse_tick{1e-9};

class Network {
public:
  explicit Network(Seconds tick, std::uint32_t seed) : events_(tick, seed), tick_(tick), per_tick_(1 / tick.value) {}
  virtual ~Network() = default;

  Seconds on_tick(Seconds time) const {
    const double ticks = ticks_of(time);
    return ticks < longest ? static_cast<double>(static_cast<std::int64_t>(ticks)) * tick_ : time;
  }

  virtual std::string name() const = 0;
  Seconds now() const { return now_; }
  // Due after a delay of zero or more.
  void after(Seconds delay, Event event) {
    const Seconds time = now_ + delay;
    const double ticks = ticks_of(time);
    waits_until(ticks < longest ? events_.push(static_cast<std::int64_t>(ticks), event) : events_.push(time, event));
  }
  // Makes a set over these channels (indices into those that the network was made with; none: nothing is shared).
  // Sets may be added at any time.
  virtual std::size_t add_set(std::span<const std::size_t> channels) = 0;
  // Due when so many bytes (more than zero) have flowed over the set's channels, sharing them with all other transfers
  // by max-min, at no more than the cap.
  virtual void transfer(std::size_t set, Bytes size, std::optional<BytesPerSecond> cap, Event event) = 0;
  // Hands out events, in order of time, until nothing is due. The handler may start more. Of what is due at the same
  // time, delays come before transfers, each in the order in which they were started.
  virtual void run(const std::function<void(Event)>& handler) = 0;

  // Is called again and again while it runs, many times a second; what it throws ends the run.
  void on_beat(std::function<void()> beat) { beat_ = std::move(beat); }

  // The callee learns which transfers will complete soon, and which event is due next, so that it can fetch what they
  // need.
  void on_expectation(std::function<void(Event, bool is_next)> expect) { expect_ = std::move(expect); }

  // How often rates were solved for, if it counts that.
  virtual std::optional<std::size_t> solves() const { return std::nullopt; }

protected:
  // The clock and what is due belong to every network, so that to ask for them is no virtual call.
  Seconds now_;
  EventQueue events_;
  bool has_alarm_ = false; // set_alarm is to be called

  // To be called before each event, and with `now` where much was done since.
  void beat(bool now = false) {
    if ((++beats_ % 1024 == 0 || now) && beat_)
      beat_();
  }

  void expect(Event event, bool is_next) {
    if (expect_)
      expect_(event, is_next);
  }

private:
  static constexpr double edge = 0.513;   // round numbers are not at the edge of a tick
  static constexpr double longest = 1e14; // ticks; beyond it a double has too few digits

  double ticks_of(Seconds time) const { return time.value * per_tick_ + edge; }
  void waits_until(Seconds time) {
    if (has_alarm_)
      set_alarm(time);
  }
  virtual void set_alarm(Seconds) {} // an event will be due then

  Seconds tick_;
  double per_tick_;
  std::function<void()> beat_;
  std::function<void(Event, bool)> expect_;
  std::uint32_t beats_ = 0;
};

// Both keep a reference to the channels, to which more may be added. The seed shuffles what happens at the same time
// (0: not at all).

// SimGrid's network model, with every factor of its own switched off. At most one lives at a time; when it is gone,
// another may follow. SimGrid must have been loaded, for that and for its name.
bool load_simgrid();         // false: it cannot be loaded
std::string simgrid_fault(); // why not
std::unique_ptr<Network> make_simgrid_network(const std::deque<Channel>& channels, std::uint32_t seed = 0,
                                              Seconds tick = fine_tick);

// A network model of our own with the same max-min sharing, for many messages. A tolerance of 0 is exact. Each transfer
// stands for so many images.
std::unique_ptr<Network> make_fluid_network(const std::deque<Channel>& channels, double tolerance,
                                            std::uint32_t seed = 0, Seconds tick = fine_tick, int images = 1);
std::string fluid_name(double tolerance); // as the networks tell them
std::string simgrid_name();

} // namespace kakehashi
