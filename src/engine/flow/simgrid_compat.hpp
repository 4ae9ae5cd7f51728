// The differences between SimGrid 3.32 and 4.x, and what neither offers.
#pragma once

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <simgrid/version.h>

// SimGrid's clock goes on where the engine before it in this process ended, and its headers have no way to set it back.
// This is the one member that we need of a class whose header is not installed; 3.32 and 4.x have it alike.
namespace simgrid::kernel {
class EngineImpl {
public:
  static double now_;
};
} // namespace simgrid::kernel

namespace kakehashi::simgrid_compat {

namespace s4u = simgrid::s4u;

inline void reset_clock() {
  simgrid::kernel::EngineImpl::now_ = 0;
}

#if SIMGRID_VERSION >= 40000
inline constexpr const char* timing_precision = "precision/timing";
inline constexpr const char* work_precision = "precision/work-amount";
inline void set_root(s4u::Engine& engine, simgrid::kernel::routing::NetZoneImpl* zone) {
  zone->set_parent(engine.get_netzone_root()->get_impl());
}
inline s4u::Host* add_host(s4u::NetZone* zone, const std::string& name) {
  return zone->add_host(name, 1e9);
}
inline s4u::Link* add_link(s4u::NetZone* zone, const std::string& name, double bandwidth) {
  return zone->add_link(name, bandwidth);
}
template <class Callback> void on_completion(Callback callback) {
  s4u::Comm::on_completion_cb(std::move(callback));
}
#else
inline constexpr const char* timing_precision = "surf/precision";
inline constexpr const char* work_precision = "maxmin/precision";
inline void set_root(s4u::Engine&, simgrid::kernel::routing::NetZoneImpl*) {} // the only zone is the root
inline s4u::Host* add_host(s4u::NetZone* zone, const std::string& name) {
  return zone->create_host(name, 1e9);
}
inline s4u::Link* add_link(s4u::NetZone* zone, const std::string& name, double bandwidth) {
  return zone->create_link(name, bandwidth);
}
template <class Callback> void on_completion(Callback callback) {
  s4u::Activity::on_completion_cb(std::move(callback));
}
#endif

} // namespace kakehashi::simgrid_compat
