#include "model/link_type.hpp"

#include <array>
#include <cassert>

namespace kakehashi {
namespace {

double payload_share(double payload, double overhead) {
  return payload / (payload + overhead);
}

// A full-width link moves 2 bytes in each transfer and direction. A cache line takes 8 flits of 8 bytes after a flit of
// header, so 8 GT/s are 16 GB/s raw and 14.2 GB/s of data. Source: Intel, "An Introduction to the Intel QuickPath
// Interconnect".
BytesPerSecond qpi_capacity(const LinkRating& link) {
  return {2 * link.transfers->value * payload_share(8, 1)};
}

// UPI is as wide as QPI. Its headers are not counted.
BytesPerSecond upi_capacity(const LinkRating& link) {
  return {2 * link.transfers->value};
}

// The transfers of a lane, and the share that the line code leaves: 8b/10b up to generation 2, 128b/130b up to 5, 242
// of 256 bytes of a flit in 6. Each packet adds 24 bytes to its payload: 4 framing and sequence, 16 header with a
// 64-bit address, 4 LCRC. Source: PCI Express base specifications 1.0 to 6.0.
BytesPerSecond lanes_capacity(int generation, int lanes, Bytes max_payload) {
  constexpr double transfers[] = {2.5e9, 5e9, 8e9, 16e9, 32e9, 64e9};
  const double code = generation <= 2 ? 8.0 / 10 : generation <= 5 ? 128.0 / 130 : 242.0 / 256;
  const double raw = transfers[generation - 1] / 8 * code * lanes;
  return {raw * payload_share(static_cast<double>(max_payload.count), 24)};
}
BytesPerSecond pcie_capacity(const LinkRating& link) {
  return lanes_capacity(*link.generation, *link.lanes, link.max_payload);
}

// A PEACH2 board's cable is PCI Express; that of the boards which were built has generation 2 and 8 lanes. Source:
// Hanawa et al., "Tightly Coupled Accelerators Architecture for Minimizing Communication Latency among Accelerators"
// (2013).
BytesPerSecond peach2_capacity(const LinkRating& link) {
  return lanes_capacity(link.generation.value_or(2), link.lanes.value_or(8), link.max_payload);
}

// Each 2048-byte packet carries 26 bytes more: local route header 8, base transport header 12, CRCs 6. Source:
// InfiniBand architecture specification, volumes 1 and 2.
BytesPerSecond infiniband_capacity(const LinkRating& link) {
  return {infiniband_rates()[*link.signalling].data_gbits * 1e9 / 8 * *link.lanes * payload_share(2048, 26)};
}

// A frame carries 1460 bytes of TCP payload and takes 1538 on the wire: preamble 8, Ethernet 18, gap 12, IP and TCP
// headers 40. Source: IEEE 802.3, RFC 791, RFC 793.
BytesPerSecond ethernet_capacity(const LinkRating& link) {
  return {link.line_rate->value * payload_share(1460, 78)};
}

// The data sheets of NVLink and Tofu give the rate of the payload.
BytesPerSecond line_capacity(const LinkRating& link) {
  return *link.line_rate;
}

} // namespace

// The line code leaves 8 of 10 bits up to QDR, 64 of 66 from FDR10 on. Source: InfiniBand architecture specification,
// volume 2.
std::span<const InfinibandRate> infiniband_rates() {
  static constexpr std::array rates{
      InfinibandRate{"SDR", 2},
      InfinibandRate{"DDR", 4},
      InfinibandRate{"QDR", 8},
      InfinibandRate{"FDR10", 10},
      InfinibandRate{"FDR", 14.0625 * 64 / 66},
      InfinibandRate{"EDR", 25},
      InfinibandRate{"HDR", 50},
      InfinibandRate{"NDR", 100},
      InfinibandRate{"XDR", 200},
  };
  return rates;
}

// The widths are those that the specifications of PCI Express and InfiniBand name. Two lanes of HDR and of NDR are sold
// as HDR100 and NDR200.
std::span<const LinkTypeRow> link_types() {
  static const std::vector<LinkTypeRow> rows{
      {"qpi", {"transfers"}, {"transfers"}, {}, true, qpi_capacity},
      {"upi", {"transfers"}, {"transfers"}, {}, true, upi_capacity},
      {"pcie",
       {"generation", "lanes", "max_payload"},
       {"generation", "lanes"},
       {1, 2, 4, 8, 12, 16, 32},
       false,
       pcie_capacity},
      {"nvlink", {"line_rate"}, {"line_rate"}, {}, false, line_capacity},
      {"infiniband", {"signalling", "lanes"}, {"signalling", "lanes"}, {1, 2, 4, 8, 12}, false, infiniband_capacity},
      {"ethernet", {"line_rate"}, {"line_rate"}, {}, false, ethernet_capacity},
      {"peach2", {"generation", "lanes", "max_payload"}, {}, {1, 2, 4, 8, 12, 16, 32}, false, peach2_capacity},
      {"tofu", {"line_rate"}, {"line_rate"}, {}, false, line_capacity},
  };
  assert(rows.size() <= most_link_types);
  return rows;
}

const LinkTypeRow& row_of(LinkType type) {
  assert(type.row < link_types().size());
  return link_types()[type.row];
}

std::string_view name_of(LinkType type) {
  return row_of(type).name;
}

std::optional<LinkType> find_link_type(std::string_view name) {
  const auto rows = link_types();
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].name == name)
      return LinkType{static_cast<std::uint8_t>(i)};
  return std::nullopt;
}

LinkType link_type(std::string_view name) {
  const auto found = find_link_type(name);
  assert(found);
  return *found;
}

} // namespace kakehashi
