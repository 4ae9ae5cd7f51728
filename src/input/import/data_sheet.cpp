#include "input/import/data_sheet.hpp"

#include "input/import/assembly.hpp"
#include "input/import/processor.hpp"

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

} // namespace

bool DataSheet::states_any() const {
  return sockets > 0 || cores > 0 || !processor.empty() || !memory.empty() || !cache.empty();
}

Result<Imported> read_data_sheet(const DataSheet& stated) {
  Errors errors;
  auto memory = memory_of_family(stated.processor);
  if (!stated.memory.empty()) {
    memory = memory_of(stated.memory);
    if (!memory)
      errors.push_back(misread("--memory", stated.memory, "the channels of a socket and their MT/s, such as 8x3200"));
  }
  if (!stated.cache.empty()) {
    const auto cache = parse_bytes(stated.cache);
    if (!cache || cache->count == 0)
      errors.push_back(misread("--cache", stated.cache, "the caches of a socket, such as \"256 MiB\""));
    else {
      if (!memory)
        memory.emplace().source = sheet("--cache");
      memory->cache = cache;
    }
  }
  if (!errors.empty())
    return errors;

  Imported imported;
  auto& node = imported.node.emplace();
  node.processor = stated.processor;
  std::vector<std::string> sockets;
  for (int i = 0; i < std::max(1, stated.sockets); ++i) {
    sockets.push_back(fmt::format("cpu{}", i));
    node.devices.push_back(
        {sockets.back(), DeviceKind::cpu,
         sheet(stated.processor.empty() ? "--sockets and --cores" : stated.processor + ", --sockets"), stated.cores,
         memory});
  }
  join_sockets(node, sockets, stated.processor);
  imported.description = "a data sheet";
  return imported;
}

} // namespace kakehashi
