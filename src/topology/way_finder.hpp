// Two devices, a fabric and the links that may be used → the shortest way between them, without a search of the whole
// machine: inside the node of either end, and between the nodes over what joins them. Nodes do not carry what is
// neither from nor to them, unless there is no other way.
#pragma once

#include "topology/search.hpp"

#include <deque>

namespace kakehashi {

class WayFinder {
public:
  explicit WayFinder(const Platform& platform); // keeps a reference to the platform

  // The directions of the shortest way over links of more than `above`; between nodes past the nearest gateways of both
  // ends, if the fabric names any; with loop-back inside a node to the gateway nearest to `from` and from there on. Of
  // equally short ways the destination's number chooses, if they are to be spread.
  std::optional<std::vector<std::size_t>> find(const Fabric& fabric, std::size_t from, std::size_t to,
                                               BytesPerSecond above);
  // How many such ways there are.
  double count(const Fabric& fabric, std::size_t from, std::size_t to, BytesPerSecond above);

private:
  // Parts of a way, each of which a search finds.
  struct Part {
    WaySearch* search; // null: the one hop of `direction`
    std::size_t from;
    std::size_t to;
    std::size_t direction;
  };
  struct Plan {
    Length length;
    std::vector<Part> parts;
    std::size_t end; // where it enters the last node, or the last device
  };
  using Plans = std::vector<Plan>; // equally good ones

  struct NodeParts {
    std::vector<std::size_t> devices;
    std::vector<std::size_t> links; // inside
    std::vector<std::size_t> ports; // devices with links that leave the node
    std::optional<WaySearch> search;
  };

  // Where a device stands among those that join nodes: itself, or the one device that its one link leads to.
  struct Attachment {
    std::size_t at = 0;
    std::optional<std::size_t> out; // direction towards it; none: it is there itself
    std::size_t number = 0;         // of what hangs on switches, those of one switch following each other
  };

  void number_ends();
  std::size_t number_of(std::size_t device) const;
  bool is_end(std::size_t device) const; // it forwards nothing
  WaySearch* inside(std::size_t device); // null: it is in no node
  WaySearch& between();
  std::vector<std::size_t> ports_of(std::size_t device) const;
  // None if links of more than `above` lead to none.
  std::vector<std::size_t> nearest_gateways(const Fabric& fabric, std::size_t device, const Usable& usable);
  bool add_inside(std::size_t from, std::size_t to, const Usable& usable, Plan& plan);
  bool add_hop(std::size_t direction, const Usable& usable, Plan& plan) const;
  bool add_between(std::size_t from, std::size_t to, const Usable& usable, Plan& plan);
  Plans plans(std::size_t from, std::size_t to, const Usable& usable);
  Plans plans(const Fabric& fabric, std::size_t from, std::size_t to, const Usable& usable);
  std::optional<std::vector<std::size_t>> through_nodes(const Fabric& fabric, std::size_t from, std::size_t to,
                                                        const Usable& usable);

  const Platform* platform_;
  std::deque<NodeParts> nodes_;
  std::vector<std::optional<Attachment>> attachments_; // of each device; none: no link leads from it out of its node
  std::vector<std::size_t> joining_devices_;
  std::vector<std::size_t> joining_links_;
  std::optional<WaySearch> between_;
  std::optional<WaySearch> whole_; // where nodes must carry what is not theirs
};

} // namespace kakehashi
