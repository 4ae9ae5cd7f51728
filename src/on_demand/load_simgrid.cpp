// Defines make_simgrid_network and simgrid_name for the program: they call those of the module.
#include "on_demand/simgrid_module.hpp"

#include <cassert>
#include <dlfcn.h>
#include <string>

namespace kakehashi {
namespace {

struct Loaded {
  const SimGridModule* module = nullptr;
  std::string fault; // fault of the system, if it has no module
};

const Loaded& loaded() {
  static const Loaded once = [] {
    // From beside the program, or from lib/kakehashi.
    auto* library = dlopen("kakehashi-simgrid.so", RTLD_NOW | RTLD_LOCAL);
    const auto* module = static_cast<const SimGridModule*>(library ? dlsym(library, "kakehashi_simgrid") : nullptr);
    const auto* fault = module ? nullptr : dlerror();
    return Loaded{module, fault ? fault : ""};
  }();
  return once;
}

const SimGridModule* module() {
  return loaded().module;
}

} // namespace

std::string simgrid_fault() {
  return loaded().fault;
}

bool load_simgrid() {
  return module() != nullptr;
}

std::unique_ptr<Network> make_simgrid_network(const std::deque<Channel>& channels, std::uint32_t seed, Seconds tick) {
  assert(module());
  // Without memory, SimGrid ends the program with a list of addresses. This allocation fails first, with a clear
  // message.
  constexpr std::size_t needed = std::size_t{16} << 20;
  char* volatile probe = new char[needed];
  delete[] probe;
  return module()->make_network(channels, seed, tick);
}

std::string simgrid_name() {
  assert(module());
  return module()->name();
}

} // namespace kakehashi
