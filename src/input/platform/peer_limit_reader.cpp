#include "input/platform/part_readers.hpp"

#include "input/platform/field_reader.hpp"

#include <fmt/format.h>

namespace kakehashi {

void read_peer_limits(const nlohmann::json& root, Platform& platform, Faults& faults) {
  if (!root.contains("peer_limits"))
    return;
  const auto& list = root["peer_limits"];
  const auto hides = [](const PeerLimit& earlier, const PeerLimit& later) {
    return earlier.requester == later.requester && earlier.memory == later.memory && earlier.access == later.access &&
           (!earlier.crosses || earlier.crosses == later.crosses);
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto at = pointer_to("/peer_limits", i);
    const auto limit = read_fields<PeerLimit>(list[i], at, {}, faults);
    for (std::size_t j = 0; j < i; ++j)
      if (hides(platform.peer_limits[j], limit)) {
        faults.add(at, fmt::format("this limit can never apply, because {} fits all that it fits",
                                   pointer_to("/peer_limits", j)));
        break;
      }
    platform.peer_limits.push_back(limit);
  }
}

} // namespace kakehashi
