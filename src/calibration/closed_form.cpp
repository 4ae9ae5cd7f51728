#include "calibration/fit_steps.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

// Time of a byte on the wire: under the cap or on the narrowest link, whichever is slower.
double wire_byte(const RegimeValues& regime, const Observation& test) {
  const double link = test.narrowest ? 1e6 / test.narrowest->value : 0;
  return std::max(link, regime.cap_byte[test.path_class]);
}

double send_time(const RegimeValues& regime, const Observation& test, double size) {
  return of_kind(regime.send, test.from_kind) + size * of_kind(regime.send_byte, test.from_kind);
}

double receive_time(const RegimeValues& regime, const Observation& test, double size) {
  return of_kind(regime.receive, test.to_kind) + size * of_kind(regime.receive_byte, test.to_kind);
}

// The time for which the core at one end is busy in a sendrecv.
double core_time(const RegimeValues& regime, DeviceKind kind, double size) {
  return of_kind(regime.send, kind) + of_kind(regime.receive, kind) +
         size * (of_kind(regime.send_byte, kind) + of_kind(regime.receive_byte, kind));
}

// The core at each end sends, then receives, and both ends wait for each other. The pace is that of the slower core, or
// that of the way there and back.
double sendrecv_time(const RegimeValues& regime, const Observation& test, double size, double one_way) {
  const double first = core_time(regime, test.from_kind, size);
  const double second = core_time(regime, test.to_kind, size);
  const double between = one_way - send_time(regime, test, size) - receive_time(regime, test, size);
  return std::max({first, second, (first + second) / 2 + between});
}

} // namespace

double one_way_time(const RegimeValues& regime, const Observation& test, double size) {
  const bool is_fetched =
      regime.trips == 1 && test.fetched_from && size >= static_cast<double>(test.fetched_from->count);
  return (is_fetched ? in_microseconds(test.fetch) : 0) + send_time(regime, test, size) +
         regime.setup[test.path_class] + regime.trips * in_microseconds(test.trip) + size * wire_byte(regime, test) +
         receive_time(regime, test, size);
}

double predicted_value(const RegimeValues& regime, const Observation& test, double size, double answer) {
  const double one = one_way_time(regime, test, size);
  if (test.form == TestForm::one_way)
    return one;
  if (test.form == TestForm::sendrecv)
    return sendrecv_time(regime, test, size, one);
  // In a stream of messages the slowest of three stages sets the pace: the sender's core, the wire, or the receiver's
  // core.
  const double send = send_time(regime, test, size);
  const double receive = receive_time(regime, test, size);
  const double wire = regime.gap + size * wire_byte(regime, test);
  if (test.form == TestForm::exchange) // the second of two messages is one step behind the first
    return std::max({one + std::max({send, wire, receive}), 2 * core_time(regime, test.from_kind, size),
                     2 * core_time(regime, test.to_kind, size)});
  const bool both = test.form == TestForm::window_both_ways;
  const double pace = both ? std::max(send + receive, wire) : std::max({send, wire, receive});
  const double window_time = one + (test.window - 1) * pace + (both ? 0 : answer);
  return (both ? 2 : 1) * size * test.window / window_time;
}

} // namespace kakehashi
