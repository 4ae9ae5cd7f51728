// The definitions of an OTF2 archive → its ranks, communicators and MPI functions. Only where the library is.
#pragma once

#include "base/stream.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <otf2/otf2.h>
#include <string>
#include <unordered_map>
#include <vector>

namespace kakehashi {

struct CloseOtf2Reader {
  void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};
using Otf2Reader = std::unique_ptr<OTF2_Reader, CloseOtf2Reader>;

struct Otf2Communicator {
  std::size_t index = 0;        // among those that have members
  bool is_self = false;         // of each rank alone
  bool has_world_ranks = false; // events tell the world's ranks
};

struct Otf2Definitions {
  double ticks_per_second = 1;
  std::vector<std::uint64_t> locations;                                // of each rank
  std::vector<RankGroup> communicators;                                // the first is the world
  std::unordered_map<std::uint32_t, Otf2Communicator> communicator_of; // by the archive's number
  std::unordered_map<std::uint32_t, std::string> mpi_functions;        // their names
};

// Null if the archive cannot be opened.
Otf2Reader open_otf2_reader(const std::string& file);

Result<Otf2Definitions> read_otf2_definitions(const std::string& file);

} // namespace kakehashi
