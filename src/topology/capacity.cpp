#include "topology/capacity.hpp"

namespace kakehashi {
namespace {

double payload_share(double payload, double overhead) {
  return payload / (payload + overhead);
}

} // namespace

// A full-width link moves 2 bytes of data in each transfer and direction: 8 GT/s are 16 GB/s.
// Source: Intel, "An Introduction to the Intel QuickPath Interconnect" (6.4 GT/s: 12.8 GB/s a direction); UPI is as
// wide.
BytesPerSecond point_to_point_capacity(const PointToPoint& link) {
  return {2 * link.rate.value};
}

// GT/s of a lane, and the share of them that the line code leaves: 8b/10b up to generation 2, 128b/130b up to 5, 242 of
// 256 bytes of a flit in 6. Each packet adds 24 bytes to its payload: 4 framing and sequence, 16 header with a 64-bit
// address, 4 LCRC. Source: PCI Express base specifications 1.0 to 6.0.
BytesPerSecond pcie_capacity(const Pcie& link) {
  constexpr double transfers[] = {2.5e9, 5e9, 8e9, 16e9, 32e9, 64e9};
  const double code = link.generation <= 2 ? 8.0 / 10 : link.generation <= 5 ? 128.0 / 130 : 242.0 / 256;
  const double raw = transfers[link.generation - 1] / 8 * code * link.lanes;
  return {raw * payload_share(static_cast<double>(link.max_payload.count), 24)};
}

// Gbit/s of data on a lane after the line code (8b/10b to QDR, 64b/66b from FDR10 on). Each 2048-byte packet carries 26
// bytes more: local route header 8, base transport header 12, CRCs 6. Source: InfiniBand architecture specification,
// volumes 1 and 2.
BytesPerSecond infiniband_capacity(const Infiniband& link) {
  constexpr double data_gbits[] = {2, 4, 8, 10, 14.0625 * 64 / 66, 25, 50, 100};
  return {data_gbits[static_cast<std::size_t>(link.rate)] * 1e9 / 8 * link.lanes * payload_share(2048, 26)};
}

// A frame carries 1460 bytes of TCP payload and takes 1538 on the wire: preamble 8, Ethernet 18, gap 12, IP and TCP
// headers 40. Source: IEEE 802.3, RFC 791, RFC 793.
BytesPerSecond ethernet_capacity(const LineRate& link) {
  return {link.rate.value * payload_share(1460, 78)};
}

Capacity capacity_of(const Link& link) {
  if (link.bandwidth)
    return {*link.bandwidth, link.bandwidth_back.value_or(*link.bandwidth)};
  const auto derive = [&](const auto& rating) -> BytesPerSecond {
    using Rating = std::decay_t<decltype(rating)>;
    if constexpr (std::is_same_v<Rating, PointToPoint>)
      return point_to_point_capacity(rating);
    else if constexpr (std::is_same_v<Rating, Pcie>) // peach2 cables are PCIe too
      return pcie_capacity(rating);
    else if constexpr (std::is_same_v<Rating, Infiniband>)
      return infiniband_capacity(rating);
    else // nvlink and tofu sheets give the payload rate
      return link.type == LinkType::ethernet ? ethernet_capacity(rating) : rating.rate;
  };
  const auto capacity = std::visit(derive, *link.rating);
  return {capacity, capacity};
}

} // namespace kakehashi
