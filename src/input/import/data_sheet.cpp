#include "input/import/compose.hpp"

#include "input/import/assembly.hpp"
#include "input/import/known_hardware.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <regex>

namespace kakehashi {
namespace {

Source sheet(const std::string& option) {
  return {SourceKind::spec, option + " of the command line"};
}

Error misread(const std::string& option, const std::string& text, const std::string& expected) {
  return usage_error(option + ": " + mismatch(in_quotes(text), expected));
}

// "8x3200": channels and MT/s.
std::optional<Memory> memory_of(const std::string& text) {
  std::smatch parts;
  if (!std::regex_match(text, parts, std::regex("([1-9][0-9]?)x([1-9][0-9]{2,4})")))
    return std::nullopt;
  Memory memory;
  memory.channels = std::stoi(parts[1]);
  memory.transfers = TransfersPerSecond{std::stod(parts[2]) * 1e6};
  memory.source = sheet("--memory");
  return memory.channels <= 64 ? std::optional(memory) : std::nullopt;
}

// What is stated of each socket.
struct Socket {
  std::string processor;
  int cores = 0;
  std::optional<Memory> memory;
  std::vector<MemoryPart> memories; // if it has several, instead of `memory`
  std::optional<Bytes> cache;
  std::optional<ProcessorSize> size;
};

Socket read_socket(const DataSheet& stated, Errors& errors) {
  Socket socket;
  if (!stated.processor.empty()) {
    auto name = known_processor(stated.processor);
    if (name)
      socket.processor = std::move(*name);
    else
      errors = name.errors();
  }
  socket.cores = stated.cores;
  socket.memory = memory_of_family(socket.processor);
  socket.size = size_of_processor(socket.processor);
  if (stated.memory.empty())
    socket.memories = memories_of_family(socket.processor);
  if (!socket.memories.empty())
    socket.memory.reset();
  if (!stated.memory.empty()) {
    socket.memory = memory_of(stated.memory);
    if (!socket.memory)
      errors.push_back(misread("--memory", stated.memory, "the channels of a socket and their MT/s, such as 8x3200"));
  }
  if (!stated.cache.empty()) {
    const auto cache = parse_bytes(stated.cache);
    if (!cache || cache->count == 0)
      errors.push_back(misread("--cache", stated.cache, "the caches of a socket, such as \"256 MiB\""));
    else
      socket.cache = *cache;
  }
  return socket;
}

// What is stated takes the place of what the file has; the processor's own numbers fill what it lacks.
void put_into(PlannedDevice& device, const Socket& socket) {
  if (!socket.processor.empty() && device.source)
    device.source->from = fmt::format("{}, {}", socket.processor, device.source->from);
  if (socket.cores > 0)
    device.cores = socket.cores;
  else if (device.cores == 0 && socket.size)
    device.cores = socket.size->cores;
  const auto before = device.memory ? device.memory->cache : std::nullopt;
  const int shared = device.memory && device.memory->cache_domain > 0 ? device.memory->cache_domain
                     : socket.size                                    ? socket.size->cache_domain
                                                                      : 0;
  device.memories = socket.memories;
  if (socket.memory)
    device.memory = socket.memory;
  const auto cache = socket.cache  ? socket.cache
                     : before      ? before
                     : socket.size ? std::optional(socket.size->cache)
                                   : std::nullopt;
  if (!cache)
    return;
  if (!device.memory)
    device.memory.emplace().source = sheet("--cache");
  device.memory->cache = cache;
  device.memory->cache_domain = shared;
  if (shared > 0)
    device.memory->domain_rate = domain_rate_of_family(socket.processor);
}

// Gives a node whose sockets are assumed as many as stated, and each its part of what the first one had.
bool deal_to_sockets(Assembly& node, std::size_t count) {
  const auto sockets = devices_of(node, DeviceKind::cpu);
  if (sockets.size() != 1 || node.devices.front().source->kind != SourceKind::assumed)
    return false;
  const auto is_card = [&](const PlannedLink& link) { return link.from == sockets.front(); };
  const auto cards = static_cast<std::size_t>(std::ranges::count_if(node.links, is_card));
  std::size_t next_card = 0;
  for (auto& link : node.links)
    if (is_card(link))
      link.from = fmt::format("cpu{}", next_card++ * count / cards);
  const auto first = node.devices.front();
  for (std::size_t i = 1; i < count; ++i) {
    auto socket = first;
    socket.name = fmt::format("cpu{}", i);
    node.devices.insert(node.devices.begin() + static_cast<std::ptrdiff_t>(i), std::move(socket));
  }
  join_sockets(node, devices_of(node, DeviceKind::cpu), node.processor);
  return true;
}

// Replaces the links between sockets by those of the processor.
void rejoin_sockets(Assembly& node) {
  const auto sockets = devices_of(node, DeviceKind::cpu);
  std::erase_if(node.links, [](const PlannedLink& link) { return row_of(link.cable.type).joins_sockets; });
  std::erase_if(node.devices, [](const PlannedDevice& device) { return device.name == interconnect; });
  join_sockets(node, sockets, node.processor);
}

} // namespace

bool DataSheet::states_any() const {
  return sockets > 0 || cores > 0 || !processor.empty() || !memory.empty() || !cache.empty();
}

Result<Imported> read_data_sheet(const DataSheet& stated) {
  Imported imported;
  auto& node = imported.node.emplace();
  for (int i = 0; i < std::max(1, stated.sockets); ++i)
    node.devices.push_back({fmt::format("cpu{}", i), DeviceKind::cpu, sheet("--sockets and --cores")});
  join_sockets(node, devices_of(node, DeviceKind::cpu), "");
  if (auto errors = complete(node, stated); !errors.empty())
    return errors;
  imported.description = "a data sheet";
  return imported;
}

Errors complete(Assembly& node, const DataSheet& stated) {
  Errors errors;
  const auto socket = read_socket(stated, errors);
  if (const auto found = devices_of(node, DeviceKind::cpu).size(); stated.sockets > 0) {
    const auto count = static_cast<std::size_t>(stated.sockets);
    if (found != count && !deal_to_sockets(node, count))
      errors.push_back(usage_error(fmt::format("--sockets: got {}, but the node's file has {}", count, found)));
  }
  if (!errors.empty())
    return errors;
  for (auto& device : node.devices)
    if (device.kind == DeviceKind::cpu)
      put_into(device, socket);
  if (!socket.processor.empty()) {
    node.processor = socket.processor;
    rejoin_sockets(node);
  }
  return {};
}

} // namespace kakehashi
