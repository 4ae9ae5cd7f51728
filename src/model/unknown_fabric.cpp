#include "model/unknown_fabric.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {

Error unknown_fabric(const Platform& platform, const std::optional<std::string>& name) {
  std::vector<std::string> names;
  for (const auto& fabric : platform.fabrics)
    names.push_back(fabric.name);
  const auto expected = names.empty() ? "a platform with fabrics"
                        : platform.file.empty()
                            ? fmt::format("{}", fmt::join(names, " or "))
                            : fmt::format("a fabric of {}: {}", platform.file, fmt::join(names, ", "));
  return input_error("", "/fabric", mismatch(name ? in_quotes(*name) : "none", expected),
                     name ? closest(*name, names) : "");
}

} // namespace kakehashi
