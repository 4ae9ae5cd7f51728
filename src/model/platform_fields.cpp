#include "model/platform_fields.hpp"

namespace kakehashi {
namespace {

using Words = std::vector<std::string_view>;

constexpr std::string_view source_meaning = "where the numbers come from";

Words link_type_words(bool joining_sockets_only) {
  Words words;
  for (const auto& row : link_types())
    if (row.joins_sockets || !joining_sockets_only)
      words.push_back(row.name);
  return words;
}

Words signalling_words() {
  Words words;
  for (const auto& rate : infiniband_rates())
    words.push_back(rate.name);
  return words;
}

template <std::size_t N> Words all(const std::array<std::string_view, N>& names) {
  return {names.begin(), names.end()};
}

} // namespace

std::span<const Field<Regime>> regime_fields() {
  using enum Better;
  static const std::vector<Field<Regime>> fields{
      {.name = "from",
       .member = &Regime::from,
       .meaning = "first message size of the regime, or the name of a threshold of the fabric",
       .is_needed = true},
      {.name = "to",
       .member = &Regime::to,
       .meaning = "first message size beyond the regime, or the name of a threshold; left out: no limit"},
      {.name = "trips",
       .member = &Regime::trips,
       .meaning = "one-way latencies before the payload's last byte can flow: 1 eager, 3 rendezvous (request, grant, "
                  "data)",
       .range = {1, 9}},
      {.name = "o_send",
       .member = &Regime::send_overhead,
       .meaning = "time of the sending core; one for every kind of endpoint, or an object with one for each",
       .better = less,
       .core = Side::sender},
      {.name = "o_recv",
       .member = &Regime::receive_overhead,
       .meaning = "time of the receiving core; one for every kind of endpoint, or an object with one for each",
       .better = less,
       .core = Side::receiver},
      {.name = "per_byte_send",
       .member = &Regime::send_per_byte,
       .meaning = "time of the sending core for each byte; one for every kind of endpoint, or an object with one for "
                  "each",
       .better = less,
       .core = Side::sender},
      {.name = "per_byte_recv",
       .member = &Regime::receive_per_byte,
       .meaning = "time of the receiving core for each byte; one for every kind of endpoint, or an object with one "
                  "for each",
       .better = less,
       .core = Side::receiver},
      {.name = "setup",
       .member = &Regime::setup,
       .meaning = "delay before the payload in which no core is busy",
       .better = less},
      {.name = "cap",
       .member = &Regime::cap,
       .meaning = "highest rate of one message; left out: only links limit it",
       .better = more},
      {.name = "gap",
       .member = &Regime::gap,
       .meaning = "idle time of a connection between two payloads, and least time between two payloads of one sender",
       .better = less},
      {.name = "alignment",
       .member = &Regime::alignment,
       .meaning = "sizes that are no multiple take longer; left out: no size does"},
      {.name = "provider", .member = &Regime::provider, .meaning = "name of what carries such messages, for reports"},
      {.name = "source", .member = &Regime::source, .meaning = source_meaning},
  };
  return fields;
}

std::span<const Field<Alignment>> alignment_fields() {
  static const std::vector<Field<Alignment>> fields{
      {.name = "multiple",
       .member = &Alignment::multiple,
       .meaning = "sizes that are a multiple of this take no longer",
       .is_needed = true},
      {.name = "penalty",
       .member = &Alignment::penalty,
       .meaning = "time that all other sizes take longer",
       .better = Better::less,
       .is_needed = true},
  };
  return fields;
}

std::span<const Field<Adjustment>> adjustment_fields() {
  using enum Better;
  static const std::vector<Field<Adjustment>> fields{
      {.name = "crosses",
       .member = &Adjustment::crosses,
       .meaning = "the link type; it is one of the fabric's",
       .is_needed = true,
       .words = link_type_words(false)},
      {.name = "protocol",
       .member = &Adjustment::protocol,
       .meaning = "only for such regimes: eager those of one trip, rendezvous those of more; left out: both",
       .words = all(protocol_names)},
      {.name = "latency", .member = &Adjustment::latency, .meaning = "added to each trip", .better = less},
      {.name = "overhead",
       .member = &Adjustment::overhead,
       .meaning = "added to the core's time at both ends, for each trip",
       .better = less},
      {.name = "copy_factor",
       .member = &Adjustment::copy_factor,
       .meaning = "factor of the cores' time for each byte at either end",
       .better = less,
       .range = {1, 1000}},
      {.name = "gap", .member = &Adjustment::gap, .meaning = "added to the gap", .better = less},
      {.name = "source", .member = &Adjustment::source, .meaning = source_meaning},
  };
  return fields;
}

std::span<const Field<PeerLimit>> peer_limit_fields() {
  static const std::vector<Field<PeerLimit>> fields{
      {.name = "requester",
       .member = &PeerLimit::requester,
       .meaning = "kind of the device that asks",
       .is_needed = true,
       .words = {"coprocessor", "gpu", "hca", "nic", "peach2"}},
      {.name = "memory",
       .member = &PeerLimit::memory,
       .meaning = "kind of the device whose memory it is",
       .is_needed = true,
       .words = {"coprocessor", "gpu"}},
      {.name = "access",
       .member = &PeerLimit::access,
       .meaning = "what the requester does with the memory",
       .is_needed = true,
       .words = all(memory_access_names)},
      {.name = "crosses",
       .member = &PeerLimit::crosses,
       .meaning = "only if the way crosses such a link; left out: whether it does or not",
       .words = link_type_words(true)},
      {.name = "rate",
       .member = &PeerLimit::rate,
       .meaning = "the limit, for each pair of devices and direction",
       .better = Better::more,
       .is_needed = true},
      {.name = "source", .member = &PeerLimit::source, .meaning = source_meaning},
  };
  return fields;
}

std::span<const Field<LinkRating>> rating_fields() {
  using enum Better;
  static const std::vector<Field<LinkRating>> fields{
      {.name = "transfers", .member = &LinkRating::transfers, .meaning = "transfer rate", .better = more},
      {.name = "generation",
       .member = &LinkRating::generation,
       .meaning = "generation of PCI Express",
       .better = more,
       .range = {1, 6}},
      {.name = "lanes", .member = &LinkRating::lanes, .meaning = "number of lanes", .better = more, .range = {1, 32}},
      {.name = "max_payload",
       .member = &LinkRating::max_payload,
       .meaning = "payload of one packet: 128, 256, 512, 1024, 2048 or 4096 B",
       .better = more},
      {.name = "signalling",
       .member = &LinkRating::signalling,
       .meaning = "rate of a lane",
       .better = more,
       .words = signalling_words()},
      {.name = "line_rate", .member = &LinkRating::line_rate, .meaning = "rate of one direction", .better = more},
  };
  return fields;
}

} // namespace kakehashi
