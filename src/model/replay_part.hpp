// The part of a recorded application that is replayed: what is in a region of the program, or between two moments.
#pragma once

#include "base/units.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace kakehashi {

// A moment of each rank: so long after its first call, as it was recorded, or where it comes into a region first.
struct PartBorder {
  Seconds time;
  std::string region; // empty: the time counts
  std::string text;   // "1 s", "region solve"
};

struct ReplayPart {
  std::string region; // of the program; empty: all of it
  std::optional<PartBorder> from;
  std::optional<PartBorder> to; // what begins there is behind it

  bool is_all() const { return region.empty() && !from && !to; }
  bool has_times() const { return (from && from->region.empty()) || (to && to->region.empty()); }
};

// "1 s", or "region solve".
std::optional<PartBorder> border_of(std::string_view text);
inline constexpr std::string_view expected_border =
    "a time such as \"1.5 s\", or \"region NAME\" for where a rank comes into that region of the program first";

// Whether it ends before it begins, by its times.
bool ends_too_early(const ReplayPart& part);

// "region solve of FILE from 1 s to 2 s"
std::string text_of(const ReplayPart& part, const std::string& file);

} // namespace kakehashi
