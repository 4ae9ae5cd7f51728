// Cables of the usual kinds, and what assemblies of parts are made with.
#pragma once

#include "model/blueprint.hpp"

#include <string>
#include <string_view>

namespace kakehashi {

Source assumed(std::string what);
Source stated(std::string where); // by the imported file

// Letters, digits, '-' and '_', as names in platforms are; never empty.
std::string plain_name(std::string_view text);

Cable pcie_cable(int generation, int lanes, Source source);
Cable infiniband_cable(std::string_view signalling, int lanes, Source source);
Cable rated_cable(std::string_view type, BytesPerSecond line_rate, Source source); // nvlink, ethernet
Cable stated_cable(std::string_view type, BytesPerSecond bandwidth, Source source);

// So many cables side by side, as one link.
Cable bundle(Cable cable, std::size_t count);

// The latency of a link that nobody states: of one hop, assumed.
Seconds usual_latency(LinkType type);

// The names of the devices of a kind, in order.
std::vector<std::string> devices_of(const Assembly& parts, DeviceKind kind);

// Adds a link, or, where the two are already joined by one of that type, its capacity to that one.
void join(Assembly& parts, const std::string& from, const std::string& to, const Cable& cable);

// Joins sockets by what their kind usually has: all with each other, or, from nine on, through one device that stands
// for the interconnect. `model` is the processor's name as the system gives it; it may be empty.
void join_sockets(Assembly& parts, const std::vector<std::string>& sockets, std::string_view model);

// Adds a note that each NUMA domain became a socket, as they do where a program names only these, if there are more
// than servers have sockets.
void note_domains(std::vector<std::string>& notes, std::string_view program, std::size_t sockets);

// "node007" of 100 nodes: as wide as the largest number, since names are sorted as text.
std::string numbered(std::string_view prefix, std::size_t number, std::size_t count);

} // namespace kakehashi
