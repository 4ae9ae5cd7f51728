// A processor's name → what data sheets state of it.
#pragma once

#include "base/error.hpp"
#include "model/blueprint.hpp"

namespace kakehashi {

// The name that the table has for a processor, however it is written: "epyc 9654", "Intel(R) Xeon(R) Gold 6148 CPU @
// 2.40GHz". Errors: its family is not known; with the known name that is closest.
Result<std::string> known_processor(const std::string& name);

// The memory in the family's data sheet, with all channels in use; none if the name does not show the family.
std::optional<Memory> memory_of_family(std::string_view processor);

// The time in which its cores add incoming vectors, if it is known to differ from the usual time.
std::optional<MpiSettings> reduction_of_family(std::string_view processor);

// The cores and last-level caches of a socket; none: the table does not have this processor.
struct ProcessorSize {
  int cores;
  Bytes cache;
};
std::optional<ProcessorSize> size_of_processor(std::string_view processor);

// More sockets are not joined in pairs, but through one device that stands for the interconnect.
inline constexpr std::size_t most_joined_sockets = 8;

// The links from one of so many sockets to another, or to the interconnect. The name may be empty.
Cable socket_cable(std::string_view processor, std::size_t sockets);

} // namespace kakehashi
