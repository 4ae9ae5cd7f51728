// The colours of drawings and pages by their purpose: one row each, with its value on light and on dark paper.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace kakehashi {

enum class Paint {
  ink,
  muted,
  grid,
  paper,
  panel,
  good,
  bad,
  series_0, // eight series
  series_1,
  series_7 = series_0 + 7,
  use_0, // load of a link: five steps
  use_1,
  use_4 = use_0 + 4,
  heat_0, // amount between two places: five steps
  heat_4 = heat_0 + 4
};

struct PaintRow {
  std::string_view name; // name of the CSS variable and class
  std::string_view light;
  std::string_view dark;
};
inline constexpr std::array<PaintRow, 25> paint_rows{{
    {"ink", "#1c2430", "#e6eaf0"},   {"muted", "#586474", "#a3afbf"}, {"grid", "#dde2e9", "#343d4a"},
    {"paper", "#ffffff", "#14181f"}, {"panel", "#f4f6f9", "#1d232c"}, {"good", "#217a41", "#6fcf8f"},
    {"bad", "#b3261e", "#ff8a80"},   {"s0", "#1f6fb2", "#6cb2f0"},    {"s1", "#c2560c", "#f2955a"},
    {"s2", "#2b8a4b", "#6fcf8f"},    {"s3", "#8250a8", "#c39be8"},    {"s4", "#8f6c00", "#d9b44a"},
    {"s5", "#0f8080", "#5fcfcf"},    {"s6", "#b0357a", "#f08fc0"},    {"s7", "#66707d", "#a9b4c2"},
    {"u0", "#b4bcc8", "#566170"},    {"u1", "#6d9fd0", "#5b93c9"},    {"u2", "#d1a112", "#d9b02e"},
    {"u3", "#dd6f1f", "#f08a3c"},    {"u4", "#b8202a", "#ff5f5f"},    {"h0", "#dbe8f5", "#1d3047"},
    {"h1", "#a9cbea", "#27507a"},    {"h2", "#6ba3d6", "#3a75ad"},    {"h3", "#2f74b5", "#5fa0dc"},
    {"h4", "#123f73", "#b3d6f9"},
}};

constexpr const PaintRow& row_of(Paint paint) {
  return paint_rows[static_cast<std::size_t>(paint)];
}

// The ninth series looks like the first.
constexpr Paint series_paint(std::size_t index) {
  return static_cast<Paint>(static_cast<std::size_t>(Paint::series_0) + index % 8);
}
// Turns a share from 0 to 1 into one of five steps.
constexpr Paint step_paint(Paint first, double share) {
  const double step = share * 5;
  return static_cast<Paint>(static_cast<int>(first) + (step < 0 ? 0 : step >= 5 ? 4 : static_cast<int>(step)));
}

} // namespace kakehashi
