// Two devices, a fabric and the usable links → the shortest way between them. It does not search the whole machine: it
// goes inside the nodes of both ends, and between nodes over the devices that join nodes. Other nodes do not carry the
// message, unless there is no other way.
#pragma once

#include "topology/search.hpp"

#include <deque>

namespace kakehashi {

class WayFinder {
public:
  explicit WayFinder(const Platform& platform); // keeps a reference to the platform

  // Returns the directions of the shortest way over links with more capacity than `above`. If the fabric names
  // gateways, the way between nodes passes the nearest gateway of each end, over a link of its own out of the node if
  // it is an adapter, and with loop-back the way inside a node passes the gateway nearest to `from`. Of equally short
  // ways the destination's number chooses one, if the fabric spreads its messages.
  std::optional<std::vector<std::size_t>> find(const Fabric& fabric, std::size_t from, std::size_t to,
                                               BytesPerSecond above);
  // Returns the number of equally short ways.
  double count(const Fabric& fabric, std::size_t from, std::size_t to, BytesPerSecond above);

private:
  // A part of a way, which one search finds.
  struct Part {
    WaySearch* search; // null: the part is one hop, `direction`
    std::size_t from;
    std::size_t to;
    std::size_t direction;
  };
  struct Plan {
    Length length;
    std::vector<Part> parts;
    std::size_t end; // the device where the way enters the last node, or the last device
  };
  using Plans = std::vector<Plan>; // equally good plans

  struct NodeParts {
    std::vector<std::size_t> devices;
    std::vector<std::size_t> links; // links inside the node
    std::vector<std::size_t> ports; // devices with links out of the node
    std::optional<WaySearch> search;
  };

  // Where a device is attached to the devices that join nodes: at itself, or at the device to which its only link
  // leads.
  struct Attachment {
    std::size_t at = 0;
    std::optional<std::size_t> out; // direction of that link; none: the device itself is the place
    std::size_t number = 0;         // among the ends on switches; ends of one switch follow each other
  };

  void number_ends();
  std::size_t number_of(std::size_t device) const;
  bool is_end(std::size_t device) const; // whether it forwards nothing
  WaySearch* inside(std::size_t device); // null: it is in no node
  WaySearch& between();
  std::vector<std::size_t> ports_of(std::size_t device) const;
  std::span<const std::size_t> exits_of(std::size_t device) const; // directions of its links out of its node
  bool leads_out(std::size_t device, const Usable& usable) const;  // over links of any capacity
  // Returns none if links with more capacity than `above` lead to no gateway. Unless the way loops back, an adapter
  // without a link out of its node is none.
  std::vector<std::size_t> nearest_gateways(const Fabric& fabric, std::size_t device, const Usable& usable);
  bool add_inside(std::size_t from, std::size_t to, const Usable& usable, Plan& plan);
  bool add_hop(std::size_t direction, const Usable& usable, Plan& plan) const;
  bool add_between(std::size_t from, std::size_t to, const Usable& usable, Plan& plan);
  Plans plans(std::size_t from, std::size_t to, const Usable& usable);
  Plans plans(const Fabric& fabric, std::size_t from, std::size_t to, const Usable& usable);
  std::vector<std::optional<std::size_t>> first_hops(std::size_t gateway) const;
  bool add_through_nodes(std::size_t from, std::size_t to, const Usable& usable, Plan& plan);
  Plans through_nodes(const Fabric& fabric, std::size_t from, std::size_t to, const Usable& usable);

  const Platform* platform_;
  std::deque<NodeParts> nodes_;
  std::vector<std::size_t> exits_;                     // directions of links out of nodes, in the order of their tails
  std::vector<std::optional<Attachment>> attachments_; // each device's; none: no link leads from it out of its node
  std::vector<std::size_t> joining_devices_;
  std::vector<std::size_t> joining_links_;
  std::optional<WaySearch> between_;
  std::optional<WaySearch> whole_; // used if nodes must carry messages of others
};

} // namespace kakehashi
