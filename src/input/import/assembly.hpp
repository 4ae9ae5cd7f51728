// Usual kinds of cables, and functions to build assemblies of parts.
#pragma once

#include "model/blueprint.hpp"

#include <string>
#include <string_view>

namespace kakehashi {

Source assumed(std::string what);
Source stated(std::string where); // what the imported file states

// Replaces all characters but letters, digits, '-' and '_', as names in platforms need it; never empty.
std::string plain_name(std::string_view text);

// The usual latency, and in the source that it is assumed.
Cable with_usual_latency(Cable cable);

Cable pcie_cable(int generation, int lanes, Source source);
Cable infiniband_cable(std::string_view signalling, int lanes, Source source);
Cable rated_cable(std::string_view type, BytesPerSecond line_rate, Source source); // nvlink, ethernet
Cable stated_cable(std::string_view type, BytesPerSecond bandwidth, Source source);

// Returns `count` parallel cables as one link.
Cable in_parallel(Cable cable, std::size_t count);

// The latency of one hop over a link whose file states none; assumed.
Seconds usual_latency(LinkType type);

// Returns the names of the devices of a kind, in order.
std::vector<std::string> devices_of(const Assembly& parts, DeviceKind kind);

// Adds a link; if a link of that type already joins the two devices, adds the cable's capacity to it.
void join(Assembly& parts, const std::string& from, const std::string& to, const Cable& cable);

// What joins many sockets, as one device.
inline constexpr std::string_view interconnect = "interconnect";

// Joins sockets by the link that their kind usually has: all pairs, or, from nine sockets on, through one device that
// stands for the interconnect. `model` is the processor's name from the system; it may be empty.
void join_sockets(Assembly& parts, const std::vector<std::string>& sockets, std::string_view model);

// Adds a note that each NUMA domain became a socket, if there are more domains than servers have sockets. Programs that
// list only NUMA domains cause this.
void note_domains(std::vector<std::string>& notes, std::string_view program, std::size_t sockets);

// "node007" of 100 nodes: all numbers are equally wide, since names are sorted as text.
std::string numbered(std::string_view prefix, std::size_t number, std::size_t count);

} // namespace kakehashi
