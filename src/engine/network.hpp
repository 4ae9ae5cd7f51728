// What carries the payloads and keeps the time: the one interface that engines implement.
#pragma once

#include "topology/topology.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>

namespace kakehashi {

// Something that is due. The network hands it back unchanged.
struct Event {
  std::uint32_t kind = 0;
  std::uint32_t id = 0;
};

class Network {
public:
  virtual ~Network() = default;

  virtual std::string name() const = 0;
  virtual Seconds now() const = 0;
  // Due after a delay of zero or more.
  virtual void after(Seconds delay, Event event) = 0;
  // Due when so many bytes (more than zero) have flowed along the path, sharing its channels with all other transfers
  // by max-min, at no more than the cap.
  virtual void transfer(std::size_t path, Bytes size, std::optional<BytesPerSecond> cap, Event event) = 0;
  // Hands out events, in order of time, until nothing is due. The handler may start more.
  virtual void run(const std::function<void(Event)>& handler) = 0;
};

// What a network needs to know of a path.
struct NetworkPath {
  std::size_t from = 0; // any numbers that tell endpoints apart
  std::size_t to = 0;
  std::vector<std::size_t> channels;
  std::vector<BytesPerSecond> caps; // all that transfers on this path may have
};

// SimGrid's network model, with every factor of its own switched off. One may live in a process.
std::unique_ptr<Network> make_simgrid_network(std::span<const Channel> channels, std::span<const NetworkPath> paths);

} // namespace kakehashi
