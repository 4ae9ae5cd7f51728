// The program's own make_simgrid_network and simgrid_name: they call those of the module.
#include "on_demand/simgrid_module.hpp"

#include <cassert>
#include <dlfcn.h>

namespace kakehashi {
namespace {

const SimGridModule* module() {
  static const auto* const found = [] {
    auto* library = dlopen("kakehashi-simgrid.so", RTLD_NOW | RTLD_LOCAL); // beside the program, or in lib/kakehashi
    return static_cast<const SimGridModule*>(library ? dlsym(library, "kakehashi_simgrid") : nullptr);
  }();
  return found;
}

} // namespace

bool load_simgrid() {
  return module() != nullptr;
}

std::unique_ptr<Network> make_simgrid_network(const std::deque<Channel>& channels, std::uint32_t seed, Seconds tick) {
  assert(module());
  return module()->make_network(channels, seed, tick);
}

std::string simgrid_name() {
  assert(module());
  return module()->name();
}

} // namespace kakehashi
