// The differences between SimGrid 3.32 and 4.x, and nothing else.
#pragma once

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>
#include <simgrid/version.h>

namespace kakehashi::simgrid_compat {

namespace s4u = simgrid::s4u;

#if SIMGRID_VERSION >= 40000
inline constexpr const char* timing_precision = "precision/timing";
inline constexpr const char* work_precision = "precision/work-amount";
inline s4u::NetZone* root_zone(s4u::Engine& engine) {
  return engine.get_netzone_root()->add_netzone_full("platform");
}
inline s4u::Host* add_host(s4u::NetZone* zone, const std::string& name) {
  return zone->add_host(name, 1e9);
}
inline s4u::Link* add_link(s4u::NetZone* zone, const std::string& name, double bandwidth) {
  return zone->add_link(name, bandwidth);
}
inline void add_route(s4u::NetZone* zone, s4u::Host* from, s4u::Host* to, const std::vector<s4u::LinkInRoute>& links) {
  zone->add_route(from, to, links, false);
}
template <class Callback> void on_completion(Callback callback) {
  s4u::Comm::on_completion_cb(std::move(callback));
}
#else
inline constexpr const char* timing_precision = "surf/precision";
inline constexpr const char* work_precision = "maxmin/precision";
inline s4u::NetZone* root_zone(s4u::Engine&) {
  return s4u::create_full_zone("platform");
}
inline s4u::Host* add_host(s4u::NetZone* zone, const std::string& name) {
  return zone->create_host(name, 1e9);
}
inline s4u::Link* add_link(s4u::NetZone* zone, const std::string& name, double bandwidth) {
  return zone->create_link(name, bandwidth);
}
inline void add_route(s4u::NetZone* zone, s4u::Host* from, s4u::Host* to, const std::vector<s4u::LinkInRoute>& links) {
  zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, links, false);
}
template <class Callback> void on_completion(Callback callback) {
  s4u::Activity::on_completion_cb(std::move(callback));
}
#endif

} // namespace kakehashi::simgrid_compat
