// What the reader of SimGrid's platforms is made of.
#pragma once

#include "input/import/text_parts.hpp"
#include "model/blueprint.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kakehashi {

// Points and links as SimGrid's files name them → a graph in which each link has two ends.

// A link of SimGrid.
struct SimgridLink {
  BytesPerSecond bandwidth;
  Seconds latency;
};

// SimGrid's routes are lists of links. Where a link ends follows from its neighbours in the routes.
class SimgridMap {
public:
  using Point = std::size_t;

  Point add_host(const std::string& name);
  Point add_router(const std::string& name);
  std::optional<Point> find(const std::string& name) const;
  void add_link(const std::string& name, SimgridLink link);
  bool has_link(const std::string& name) const { return links_.contains(name); }
  // Adds a new link between two points.
  void connect(Point from, Point to, SimgridLink link);
  // Adds the links of a route, in its order. left_out() then has the links to which no two ends fit.
  void add_route(Point from, Point to, const std::vector<std::string>& links);
  // Adds one link in place of a whole route, unless there is one between these points.
  void add_direct(Point from, Point to, const std::vector<std::string>& links);

  std::size_t size() const { return parent_.size(); }
  std::vector<std::string> hosts() const;
  const std::vector<std::string>& left_out() const { return left_out_; }
  // Returns nodes with one socket each, and everything else outside nodes.
  Blueprint blueprint() const;

private:
  struct Placed {
    SimgridLink link;
    std::optional<Point> first, second;
    bool is_left_out = false;
  };
  Point add_point();
  Point root_of(Point point) const;
  bool unite(Point a, Point b); // false: they are different hosts
  void leave_out(const std::string& name, Placed& link);

  mutable std::vector<Point> parent_; // union and find of points that are the same
  std::map<std::string, Point> points_;
  std::map<Point, std::string> hosts_; // hosts by root
  std::map<Point, std::string> routers_;
  std::map<std::string, Placed> links_;
  std::vector<Placed> own_links_;
  std::set<std::pair<Point, Point>> direct_;
  std::vector<std::string> left_out_;
};

// SimGrid's clusters → their hosts, and the switches and links between them.

// Read "125MBps", "1Gbps", "1.25E8"; "50us", "5E-5".
std::optional<BytesPerSecond> simgrid_bandwidth(std::string_view text);
std::optional<Seconds> simgrid_latency(std::string_view text);

// Reads the bandwidth and latency of an element. Errors: they are missing or have another form.
Result<SimgridLink> read_simgrid_link(const XmlFile& xml, pugi::xml_node element, const char* bandwidth,
                                      const char* latency);

// Reads "0-3,7" as 0, 1, 2, 3, 7.
std::optional<std::vector<std::size_t>> numbers_of(std::string_view radical);

// Adds a <cluster>. Notes list the parts of it that have no counterpart.
Errors add_cluster(const XmlFile& xml, pugi::xml_node cluster, SimgridMap& map, std::vector<std::string>& notes);

} // namespace kakehashi
