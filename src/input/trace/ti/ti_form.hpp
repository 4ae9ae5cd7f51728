// Facts that a reader of time-independent traces needs and that the traces lack.
#pragma once

#include "base/stream.hpp"
#include "base/units.hpp"

#include <functional>
#include <map>

namespace kakehashi {

// The sizes of data types that the application defined.
struct DerivedTypes {
  std::optional<Bytes> any;
  // For a type by its number, for messages by "tag N", for a kind of call by its word.
  std::map<std::string, Bytes, std::less<>> some{};
};

// Collective calls in communicators other than the world: the calls with these words from this place.
struct CommunicatorCalls {
  std::string name;
  std::vector<std::vector<int>> groups; // ranks in the world; a rank is in at most one of the groups
  std::vector<std::string> words;       // empty: all
  std::string at;                       // FILE:LINE, as in `location`; empty: anywhere
  std::uint64_t turn = 1;               // the number of this one in every `of` such calls of a rank; from 1
  std::uint64_t of = 1;
};

struct TiForm {
  int ranks = 0;
  DerivedTypes derived_types{};
  std::vector<CommunicatorCalls> communicators{};
};

// The world, and each group.
std::vector<RankGroup> communicators_of(const TiForm& form);

} // namespace kakehashi
