// SimGrid's clusters → their hosts, and the switches and links between them.
#pragma once

#include "input/import/simgrid_map.hpp"
#include "input/import/xml.hpp"

namespace kakehashi {

// Read "125MBps", "1Gbps", "1.25E8"; "50us", "5E-5".
std::optional<BytesPerSecond> simgrid_bandwidth(std::string_view text);
std::optional<Seconds> simgrid_latency(std::string_view text);

// Reads the bandwidth and latency of an element. Errors: they are missing or have another form.
Result<SimgridLink> read_simgrid_link(const XmlFile& xml, pugi::xml_node element, const char* bandwidth,
                                      const char* latency);

// Reads "0-3,7" as 0, 1, 2, 3, 7.
std::optional<std::vector<std::size_t>> numbers_of(std::string_view radical);

// Adds a <cluster>. Notes list the parts of it that have no counterpart.
Errors add_cluster(const XmlFile& xml, pugi::xml_node cluster, SimgridMap& map, std::vector<std::string>& notes);

} // namespace kakehashi
