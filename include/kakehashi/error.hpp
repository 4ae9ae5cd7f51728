// The exception that the library throws for bad input (a file with faults, an unknown device) and for a run that fails
// (a deadlock). Exceptions that a user's program throws come out of run() unchanged.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace kakehashi::api {

class Error : public std::runtime_error {
public:
  // Takes at least one fault; what() has a line for each.
  explicit Error(std::vector<std::string> faults) : std::runtime_error(lines(faults)), faults_(std::move(faults)) {}

  // All faults, in the order of the file: "cluster.json: /links/3/bandwidth: got …, expected …".
  const std::vector<std::string>& faults() const { return faults_; }

private:
  static std::string lines(const std::vector<std::string>& faults) {
    std::string text;
    for (const auto& fault : faults)
      text += (text.empty() ? "" : "\n") + fault;
    return text;
  }

  std::vector<std::string> faults_;
};

} // namespace kakehashi::api
