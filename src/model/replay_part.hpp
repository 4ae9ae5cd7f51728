// The part of a recorded application that is replayed: a region of the program, or the time between two moments.
#pragma once

#include "base/units.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace kakehashi {

// A moment of each rank: a time after its first recorded call, or its first entry into a region.
struct PartBorder {
  Seconds time;
  std::string region; // empty: the time counts
  std::string text;   // as the user wrote it: "1 s", "region solve"
};

struct ReplayPart {
  std::string region; // empty: the whole program
  std::optional<PartBorder> from;
  std::optional<PartBorder> to; // the part does not include what begins at this moment

  bool is_all() const { return region.empty() && !from && !to; }
  bool has_times() const { return (from && from->region.empty()) || (to && to->region.empty()); }
};

// Reads "1 s" or "region solve".
std::optional<PartBorder> border_of(std::string_view text);
inline constexpr std::string_view expected_border =
    "a time such as \"1.5 s\", or \"region NAME\" for where a rank comes into that region of the program first";

// Whether both borders are times and the part ends before it begins.
bool ends_too_early(const ReplayPart& part);

// Writes "region solve of FILE from 1 s to 2 s".
std::string text_of(const ReplayPart& part, const std::string& file);

} // namespace kakehashi
