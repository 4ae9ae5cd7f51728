// A chain → the platform's numbers that its messages may depend on, each of which can be made better or worse.
#pragma once

#include "transport/path.hpp"

#include <functional>

namespace kakehashi {

struct Parameter {
  std::string place; // JSON pointer in the platform file; of links what they are
  std::string what;
  // Makes it better by that share: a time shorter, a rate higher.
  std::function<void(Platform&, double share)> improve;
};

// Without those that are zero or not stated.
std::vector<Parameter> parameters_of(const Platform& platform, const std::vector<const Chain*>& chains);

} // namespace kakehashi
