#include "report/page/page.hpp"

#include "base/text.hpp"
#include "base/units.hpp"
#include "report/number_form.hpp"

#include <cmath>
#include <fmt/format.h>

namespace kakehashi {

const Drawing* main_drawing(const Page& page) {
  for (const auto& section : page.sections)
    for (const auto& part : section.parts)
      if (const auto* figure = std::get_if<Figure>(&part))
        return &figure->wide;
  return nullptr;
}

PageCell number_cell(double value, int decimals) {
  return {fmt::format("{:.{}f}", value, decimals), rounded(value)};
}

PageCell size_cell(std::uint64_t bytes) {
  return {to_text(Bytes{bytes}), static_cast<double>(bytes)};
}

PageCell volume_cell(double bytes) {
  const auto text = bytes < 1e3   ? fmt::format("{:g} B", bytes)
                    : bytes < 1e6 ? four_digits(bytes / 1e3) + " kB"
                    : bytes < 1e9 ? four_digits(bytes / 1e6) + " MB"
                                  : four_digits(bytes / 1e9) + " GB";
  return {text, rounded(bytes)};
}

PageCell percent_cell(double share, int decimals) {
  const double unit = std::pow(10, decimals);
  const double percent = std::round(100 * share * unit) / unit;
  return {fmt::format("{:.{}f} %", percent == 0 ? 0 : percent, decimals), rounded(share)}; // avoids -0.0
}

} // namespace kakehashi
