// Facts that a reader of time-independent traces needs and the traces do not have.
#pragma once

#include "base/stream.hpp"
#include "base/units.hpp"

#include <functional>
#include <map>

namespace kakehashi {

// The sizes of data types that the application made.
struct DerivedTypes {
  std::optional<Bytes> any;
  std::map<std::string, Bytes, std::less<>> some{}; // of a type by its number, of messages by "tag N", of a word's
};

// Collective calls that belong to other communicators than the world: those of these words, made at this place.
struct CommunicatorCalls {
  std::string name;
  std::vector<std::vector<int>> groups; // ranks of the world; a rank is in one of them at most
  std::vector<std::string> words;       // none: all
  std::string at;                       // FILE:LINE, as `location` has them; empty: anywhere
  std::uint64_t turn = 1;               // of so many such calls of a rank each time this one, from 1 on
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
