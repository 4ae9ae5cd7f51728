#ifdef KAKEHASHI_OTF2
#include "input/trace/otf2/otf2_events.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <utility>

namespace kakehashi {
namespace {

struct RawGroup {
  bool is_of_mpi = false;
  bool is_self = false;
  bool has_world_ranks = false;
  std::vector<std::uint64_t> members; // ranks in the world
};

struct RawCommunicator {
  std::uint32_t self = 0;
  std::uint32_t name = 0;
  std::uint32_t group = 0;
};

// The archive's definitions, by its own numbers.
struct Raw {
  Otf2Definitions definitions;
  std::unordered_map<std::uint32_t, std::string> strings;
  std::unordered_map<std::uint32_t, RawGroup> groups;
  std::vector<RawCommunicator> communicators;
  std::map<std::uint32_t, std::uint64_t> processes; // the first location in each group of locations
};

Raw& raw(void* data) {
  return *static_cast<Raw*>(data);
}

OTF2_CallbackCode on_clock(void* data, std::uint64_t resolution, std::uint64_t, std::uint64_t, std::uint64_t) {
  raw(data).definitions.ticks_per_second = static_cast<double>(std::max<std::uint64_t>(1, resolution));
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_string(void* data, OTF2_StringRef self, const char* text) {
  raw(data).strings[self] = text;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_region(void* data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef, OTF2_StringRef,
                            OTF2_RegionRole, OTF2_Paradigm paradigm, OTF2_RegionFlag, OTF2_StringRef, std::uint32_t,
                            std::uint32_t) {
  const auto found = raw(data).strings.find(name);
  const auto text = found == raw(data).strings.end() ? std::string() : found->second;
  if (paradigm == OTF2_PARADIGM_MPI || text.starts_with("MPI_"))
    raw(data).definitions.mpi_functions[self] = text;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_location(void* data, OTF2_LocationRef self, OTF2_StringRef, OTF2_LocationType type, std::uint64_t,
                              OTF2_LocationGroupRef group) {
  if (type == OTF2_LOCATION_TYPE_CPU_THREAD)
    raw(data).processes.try_emplace(group, self);
  return OTF2_CALLBACK_SUCCESS;
}

// A group may be defined more than once, first without its members, or for another paradigm; EZTrace does both. MPI's
// definition comes before others, and one with members before one without.
OTF2_CallbackCode on_group(void* data, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type, OTF2_Paradigm paradigm,
                           OTF2_GroupFlag flags, std::uint32_t count, const std::uint64_t* members) {
  const bool is_of_mpi = paradigm == OTF2_PARADIGM_MPI;
  if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS && (!is_of_mpi || count == 0))
    return OTF2_CALLBACK_SUCCESS;
  auto& group = raw(data).groups[self];
  const auto worth = [](bool of_mpi, bool has_members) { return 2 * of_mpi + has_members; };
  if (worth(is_of_mpi, count > 0) < worth(group.is_of_mpi, !group.members.empty()))
    return OTF2_CALLBACK_SUCCESS;
  group.is_of_mpi = is_of_mpi;
  group.is_self = type == OTF2_GROUP_TYPE_COMM_SELF;
  group.has_world_ranks = (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0;
  if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
    raw(data).definitions.locations.assign(members, members + count);
    group.members.resize(count);
    std::iota(group.members.begin(), group.members.end(), std::uint64_t{0});
  } else {
    group.members.assign(members, members + count);
  }
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_communicator(void* data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef,
                                  OTF2_CommFlag) {
  auto& all = raw(data).communicators;
  const auto known = std::ranges::find(all, self, &RawCommunicator::self);
  (known == all.end() ? all.emplace_back() : *known) = {self, name, group};
  return OTF2_CALLBACK_SUCCESS;
}

// Numbers the communicators, the world first. Each is a communicator of its own, even with the members of another.
// Returns a fault, or nothing.
std::string number_communicators(Raw& all) {
  auto& made = all.definitions;
  std::vector<int> world(made.locations.size());
  std::iota(world.begin(), world.end(), 0);
  made.communicators.push_back({"the world", world});
  bool has_world = false;
  for (const auto& [self, name, group] : all.communicators) {
    const auto found = all.groups.find(group);
    if (found == all.groups.end())
      return fmt::format("communicator {} has the group {}, which is not defined", self, group);
    const auto& [is_of_mpi, is_self, has_world_ranks, ranks] = found->second;
    for (const auto rank : ranks)
      if (rank >= world.size())
        return mismatch(fmt::format("rank {} in the group of communicator {}", rank, self),
                        fmt::format("a rank of the world, from 0 to {}", world.size() - 1));
    const std::vector<int> members(ranks.begin(), ranks.end());
    auto& known = made.communicator_of[self];
    known.is_self = is_self;
    known.has_world_ranks = has_world_ranks;
    if (is_self || (members == world && !std::exchange(has_world, true)))
      continue;
    known.index = made.communicators.size();
    const auto text = all.strings.find(name);
    const bool has_name = text != all.strings.end() && !text->second.empty();
    made.communicators.push_back({has_name ? text->second : fmt::format("communicator {}", self), members});
  }
  return "";
}

} // namespace

Otf2Reader open_otf2_reader(const std::string& file) {
  Otf2Reader reader(OTF2_Reader_Open(file.c_str()));
  if (reader)
    OTF2_Reader_SetSerialCollectiveCallbacks(reader.get());
  return reader;
}

Result<Otf2Definitions> read_otf2_definitions(const std::string& file) {
  const auto fault = [&](std::string message) { return file_error(ErrorKind::input, file, std::move(message)); };
  const auto reader = open_otf2_reader(file);
  if (!reader)
    return fault("not an OTF2 archive");
  Raw all;
  auto* definitions = OTF2_Reader_GetGlobalDefReader(reader.get());
  auto* callbacks = OTF2_GlobalDefReaderCallbacks_New();
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_communicator);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
  OTF2_Reader_RegisterGlobalDefCallbacks(reader.get(), definitions, callbacks, &all);
  OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
  std::uint64_t read = 0;
  if (OTF2_Reader_ReadAllGlobalDefinitions(reader.get(), definitions, &read) != OTF2_SUCCESS)
    return fault("its definitions cannot be read");
  // Unless the archive states MPI's locations, they are the first of each process.
  if (all.definitions.locations.empty())
    for (const auto& [group, location] : all.processes)
      all.definitions.locations.push_back(location);
  if (all.definitions.locations.empty())
    return fault("no MPI ranks are defined in it");
  if (const auto wrong = number_communicators(all); !wrong.empty())
    return fault(wrong);
  return std::move(all.definitions);
}

} // namespace kakehashi
#endif
