// What a data sheet says of a link → the bytes per second that its payload can have in one direction.
#pragma once

#include "model/platform.hpp"

namespace kakehashi {

BytesPerSecond point_to_point_capacity(const PointToPoint& link); // qpi, upi
BytesPerSecond pcie_capacity(const Pcie& link);
BytesPerSecond infiniband_capacity(const Infiniband& link);
BytesPerSecond ethernet_capacity(const LineRate& link);

// Both directions; a stated bandwidth beats the derived one.
struct Capacity {
  BytesPerSecond forward;
  BytesPerSecond backward;
};
Capacity capacity_of(const Link& link);

} // namespace kakehashi
