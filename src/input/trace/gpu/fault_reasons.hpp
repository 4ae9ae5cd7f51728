// Faults at many places of a file → one error for each reason, with the first place and the number of others.
#pragma once

#include "base/error.hpp"

namespace kakehashi {

class FaultReasons {
public:
  // `noun` is what a place is: "line".
  explicit FaultReasons(std::string noun) : noun_(std::move(noun)) {}

  void add(std::string place, std::string reason);
  // Returns the reasons in the order of their first places. More than twenty are left out.
  Errors take(const std::string& file) const;

private:
  struct Reason {
    std::string text;
    std::string place; // the first one
    std::size_t others = 0;
  };
  std::string noun_;
  std::vector<Reason> reasons_;
};

} // namespace kakehashi
