// The definitions of an OTF2 archive → its ranks, communicators and MPI functions. Needs the OTF2 library.
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
  std::size_t index = 0;        // among communicators with members
  bool is_self = false;         // each rank has its own, of itself alone
  bool has_world_ranks = false; // events state ranks of the world
};

struct Otf2Definitions {
  double ticks_per_second = 1;
  std::vector<std::uint64_t> locations;                                // of each rank
  std::vector<RankGroup> communicators;                                // the world comes first
  std::unordered_map<std::uint32_t, Otf2Communicator> communicator_of; // by the archive's number
  std::unordered_map<std::uint32_t, std::string> mpi_functions;        // names by number
};

// Returns null if the archive cannot be opened.
Otf2Reader open_otf2_reader(const std::string& file);

Result<Otf2Definitions> read_otf2_definitions(const std::string& file);

} // namespace kakehashi
