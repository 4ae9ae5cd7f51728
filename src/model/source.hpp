// The source of a number.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace kakehashi {

enum class SourceKind { assumed, spec, document, calibrated, hand_fitted };
inline constexpr std::size_t longest_source = 400; // the longest text in a file, in bytes

struct Source {
  SourceKind kind = SourceKind::assumed;
  std::string from;                  // the data sheet, the document's words, or the curves
  std::vector<std::string> claims{}; // ids of the claims that state these numbers, or that they were set from
  std::vector<std::string> curves{}; // names of measured curves that they were read off, besides those in `from`
  bool operator==(const Source&) const = default;
  static constexpr auto fields(auto& self) {
    auto& [kind, from, claims, curves] = self;
    return std::tie(kind, from, claims, curves);
  }
};
inline constexpr std::array<std::string_view, 5> source_kind_names{"assumed", "spec", "document", "calibrated",
                                                                   "hand-fitted"};

} // namespace kakehashi
