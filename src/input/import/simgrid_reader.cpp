#include "input/import/formats.hpp"

#include "input/import/assembly.hpp"
#include "input/import/simgrid.hpp"
#include "input/import/text_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace kakehashi {
namespace {

using std::string_view;

constexpr std::size_t most_nodes = 10000; // the limit in the schema of platforms

constexpr int most_passes = 20;

// A route as a zone states it.
struct Route {
  pugi::xml_node element;
  SimgridMap::Point from, to;
  std::vector<std::string> links;
};

// Reads the zones. Inner zones may use the links of outer ones, so links are read first.
class ZoneReader {
public:
  ZoneReader(const XmlFile& xml, std::vector<std::string>& notes) : xml_(xml), notes_(notes) {}

  void read(pugi::xml_node zone) {
    add_links(zone);
    add_points(zone);
    add_routes(zone);
    // Routes of few links show where these links end.
    std::stable_sort(routes_.begin(), routes_.end(),
                     [](const Route& a, const Route& b) { return a.links.size() < b.links.size(); });
    place_routes();
    note_differences(zone);
  }
  Errors take() { return std::move(errors_); }
  const SimgridMap& map() const { return map_; }

private:
  // If no two ends fit a link, all routes over it get links of their own.
  void place_routes() {
    const auto without_routes = map_;
    for (int pass = 0;; ++pass) {
      if (pass == most_passes) // further passes are not worth the time
        for (const auto& route : routes_)
          unplaced_.insert(route.links.begin(), route.links.end());
      for (const auto& route : routes_)
        if (std::any_of(route.links.begin(), route.links.end(),
                        [&](const std::string& link) { return unplaced_.contains(link); }))
          map_.add_direct(route.from, route.to, route.links);
        else
          map_.add_route(route.from, route.to, route.links);
      if (map_.left_out().empty())
        return;
      unplaced_.insert(map_.left_out().begin(), map_.left_out().end());
      map_ = without_routes;
    }
  }

  void fault(pugi::xml_node element, std::string message) {
    if (errors_.size() < 20)
      errors_.push_back(fault_at(xml_, element, std::move(message)));
  }

  void add_link(pugi::xml_node element) {
    const auto link = read_simgrid_link(xml_, element, "bandwidth", "latency");
    if (link)
      map_.add_link(element.attribute("id").value(), *link);
    else
      fault(element, link.errors().front().message);
  }

  void add_links(pugi::xml_node zone) {
    for (const auto element : zone.children()) {
      const string_view name = element.name();
      if (name == "link" || name == "backbone")
        add_link(element);
      else if (name == "zone" || name == "AS")
        add_links(element);
    }
  }

  void add_points(pugi::xml_node zone) {
    const string_view routing = zone.attribute("routing").value();
    if (routing == "Vivaldi" || routing == "Wifi" || routing == "WIFI")
      return fault(zone, fmt::format("routing: {}: such a zone has no links with a capacity between its hosts, which a "
                                     "platform needs; expected Full, Floyd, Dijkstra, Star or a cluster",
                                     routing));
    std::optional<SimgridMap::Point> hub; // in zones whose hosts have links of their own
    if (const auto router = zone.child("router"); router && routing == "Cluster")
      hub = map_.add_router(router.attribute("id").value());
    const auto hub_point = [&] { return hub ? *hub : *(hub = map_.add_router("")); };
    for (const auto element : zone.children()) {
      const string_view name = element.name();
      const std::string own = element.attribute("id").value();
      if (name == "host") {
        map_.add_host(own);
      } else if (name == "router" && !map_.find(own)) {
        map_.add_router(own);
      } else if (name == "cluster") {
        auto errors = add_cluster(xml_, element, map_, notes_);
        errors_.insert(errors_.end(), errors.begin(), errors.end());
      } else if (name == "cabinet") {
        add_cabinet(element, hub_point());
      } else if (name == "zone" || name == "AS") {
        add_points(element);
      } else if (name == "peer" || name == "include") {
        fault(element, fmt::format("<{}> is not read; expected hosts, links and routes, or clusters", name));
      }
    }
    for (const auto element : zone.children("host_link"))
      add_route(element, element.attribute("id").value(), std::nullopt, hub_point(),
                {std::string(element.attribute("up").value())});
    for (const auto element : zone.children("route")) // the routes of a star lead to its middle
      if (!element.attribute("dst") || string_view(element.attribute("dst").value()) == "*")
        add_route(element, element.attribute("src").value(), std::nullopt, hub_point(), links_of(element));
  }

  void add_cabinet(pugi::xml_node element, SimgridMap::Point hub) {
    const auto link = read_simgrid_link(xml_, element, "bw", "lat");
    const auto numbers = numbers_of(element.attribute("radical").value());
    if (!link || !numbers)
      return fault(element, link ? "radical: expected numbers such as \"0-15,20\"" : link.errors().front().message);
    for (const auto number : *numbers)
      map_.connect(map_.add_host(fmt::format("{}{}{}", element.attribute("prefix").value(), number,
                                             element.attribute("suffix").value())),
                   hub, *link);
  }

  static std::vector<std::string> links_of(pugi::xml_node route) {
    std::vector<std::string> links;
    for (const auto element : route.children())
      if (string_view(element.name()).starts_with("link"))
        links.emplace_back(element.attribute("id").value());
    return links;
  }

  // `to` is a name; without one, `end` is the point.
  void add_route(pugi::xml_node element, const std::string& from, const std::optional<std::string>& to,
                 SimgridMap::Point end, std::vector<std::string> links) {
    const auto start = map_.find(from);
    const auto found = to ? map_.find(*to) : std::optional(end);
    for (const auto& [name, point] : {std::pair(from, start), std::pair(to.value_or(""), found)})
      if (!point)
        return fault(element, mismatch(in_quotes(name), "the name of a host or router"));
    for (auto& link : links) {
      // A link that differs by direction has one name for each direction.
      if (!map_.has_link(link) && (link.ends_with("_UP") || link.ends_with("_DOWN")))
        link.erase(link.rfind('_'));
      if (!map_.has_link(link))
        return fault(element, mismatch(in_quotes(link), "the name of a link"));
    }
    if (*start != *found)
      routes_.push_back({element, *start, *found, std::move(links)});
  }

  void add_routes(pugi::xml_node zone) {
    for (const auto element : zone.children()) {
      const string_view name = element.name();
      if (name == "zone" || name == "AS")
        add_routes(element);
      else if (name == "route" && element.attribute("dst") && string_view(element.attribute("dst").value()) != "*")
        add_route(element, element.attribute("src").value(), element.attribute("dst").value(), 0, links_of(element));
      else if ((name == "zoneRoute" || name == "ASroute") && element.attribute("gw_dst"))
        add_route(element, element.attribute("gw_src").value(), element.attribute("gw_dst").value(), 0,
                  links_of(element));
    }
  }

  void note_differences(pugi::xml_node zone) {
    if (!unplaced_.empty())
      notes_.push_back(fmt::format("routes go over {} in ways that no two ends explain, so each route over them is a "
                                   "link of its own, which it shares with no other",
                                   fmt::join(unplaced_, ", ")));
    const auto shared = zone.find_node([](pugi::xml_node node) {
      const string_view policy = node.attribute("sharing_policy").value();
      return (string_view(node.name()) == "link" && (policy.empty() || policy == "SHARED")) || policy == "FATPIPE";
    });
    if (shared)
      notes_.push_back("links that both directions share (SHARED), or that nobody shares (FATPIPE), have the full "
                       "capacity in each direction here");
  }

  const XmlFile& xml_;
  std::vector<std::string>& notes_;
  SimgridMap map_;
  std::vector<Route> routes_;
  std::set<std::string> unplaced_;
  Errors errors_;
};

// SMPI's defaults: software takes no time, and a message from 64 KiB on waits for its receive.
Fabric plain_fabric() {
  Regime eager;
  eager.to = Bytes{65536};
  eager.source = assumed("as SMPI without corrections: no software costs, eager below 64 KiB");
  auto rendezvous = eager;
  rendezvous.from = Bytes{65536};
  rendezvous.to.reset();
  rendezvous.trips = 2;
  Fabric fabric;
  fabric.name = "net";
  fabric.links = {link_type("ethernet")};
  fabric.rules.emplace_back();
  fabric.rules.back().regimes = {eager, rendezvous};
  return fabric;
}

} // namespace

Result<Imported> read_simgrid(const XmlFile& xml, const ImportOptions&) {
  Imported imported;
  ZoneReader reader(xml, imported.notes);
  reader.read(xml.root());
  if (auto errors = reader.take(); !errors.empty())
    return errors;
  const auto hosts = reader.map().hosts().size();
  if (hosts == 0)
    return fault_at(xml, xml.root(), "there is no host in this platform");
  if (hosts > most_nodes)
    return fault_at(xml, xml.root(),
                    fmt::format("there are {} hosts in this platform, expected at most {}", hosts, most_nodes));
  imported.machine = reader.map().blueprint();
  if (hosts > 1 && imported.machine->outside.links.empty())
    return fault_at(xml, xml.root(), "there is no route between its hosts; a platform needs links between them");
  if (!imported.machine->outside.links.empty()) {
    imported.notes.push_back(
        "the factors of smpirun's model by size (smpi/lat-factor, smpi/bw-factor) and its overheads "
        "(smpi/os, smpi/or) are not imported, neither its defaults nor the file's, so small messages "
        "take half of its time or less; with --cfg=network/model:CM02 it takes links as they are");
    imported.machine->fabrics.emplace_back(plain_fabric(), "What SimGrid's platform has: links only. All costs of the "
                                                           "software are assumed to be none.");
  }
  imported.description = fmt::format("SimGrid's platform of {}", counted(hosts, "host"));
  return imported;
}

} // namespace kakehashi
