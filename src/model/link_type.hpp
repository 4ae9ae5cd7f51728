// The types of links, one row each in link_type.cpp: the data-sheet fields that a type takes, and its rate of payload.
#pragma once

#include "base/units.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace kakehashi {

// An index into the table of link types.
struct LinkType {
  std::uint8_t row = 0;
  auto operator<=>(const LinkType&) const = default;
};
inline constexpr std::size_t most_link_types = 32; // searches keep a set of types in this many bits

// The numbers of a link's data sheet. Its type decides which of them it may have.
struct LinkRating {
  std::optional<TransfersPerSecond> transfers;
  std::optional<int> generation; // generation of PCI Express, from 1
  std::optional<int> lanes;
  Bytes max_payload{256};                // max payload of a PCI Express packet
  std::optional<std::size_t> signalling; // index into infiniband_rates()
  std::optional<BytesPerSecond> line_rate;
};

// The signalling rates of InfiniBand.
struct InfinibandRate {
  std::string_view name;
  double data_gbits; // Gbit/s on one lane, after the line code
};
std::span<const InfinibandRate> infiniband_rates();
// The rates that are sold.
inline constexpr std::array ethernet_gbits{1.0, 10.0, 25.0, 40.0, 50.0, 100.0, 200.0, 400.0, 800.0};

struct LinkTypeRow {
  std::string_view name;               // in files and messages
  std::vector<std::string_view> takes; // names of data-sheet fields in files
  std::vector<std::string_view> needs; // the fields that it must have, unless the bandwidth is stated
  std::vector<int> widths;             // the possible numbers of lanes
  bool joins_sockets = false;          // it joins the sockets of a node, so a PCIe device may read memory across it
  BytesPerSecond (*capacity)(
      const LinkRating& rating); // the capacity of one direction; the rating has the needed fields
};
std::span<const LinkTypeRow> link_types();

const LinkTypeRow& row_of(LinkType type);
std::string_view name_of(LinkType type);
std::optional<LinkType> find_link_type(std::string_view name);
LinkType link_type(std::string_view name); // requires a name in the table

} // namespace kakehashi
