#include "report/draw/axis.hpp"

#include "base/units.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr double rounding = 1e-9;

bool is_linear(AxisForm form) {
  return form == AxisForm::linear || form == AxisForm::range;
}

// Returns the 1, 2 or 5 of a decade at or below a value, or at or above it.
double step_of_decade(double value, bool is_above) {
  const double decade = std::pow(10, std::floor(std::log10(value) + rounding));
  constexpr std::array steps{1.0, 2.0, 5.0, 10.0};
  double below = decade;
  for (const double step : steps) {
    if (is_above && step * decade >= value * (1 - rounding))
      return step * decade;
    if (!is_above && step * decade <= value * (1 + rounding))
      below = step * decade;
  }
  return below;
}

// Returns 1, 2 or 5 of a decade, so that at most `most` steps are needed.
double linear_step(double range, std::size_t most) {
  return step_of_decade(range / static_cast<double>(std::max<std::size_t>(most, 2) - 1), true);
}

std::vector<Tick> linear_ticks(double low, double high, std::size_t most) {
  const double step = linear_step(high - low, most);
  std::vector<Tick> ticks;
  for (double i = std::ceil(low / step - rounding); i * step <= high + rounding * step; ++i)
    ticks.push_back({i * step, axis_number(i * step)});
  return ticks;
}

std::vector<Tick> logarithm_ticks(double low, double high, std::size_t most) {
  const double decades = std::log10(high / low);
  const auto room = static_cast<double>(most);
  // Marks each decade, or every few; between them 2 and 5 if there is room, or else lines without numbers.
  const int stride = std::max(1, static_cast<int>(std::ceil((decades + 1) / room)));
  const bool has_all = 3 * decades + 1 <= room;
  std::vector<Tick> ticks;
  for (int exponent = static_cast<int>(std::floor(std::log10(low) + rounding));
       exponent <= std::ceil(std::log10(high) - rounding); ++exponent)
    for (const double step : {1.0, 2.0, 5.0}) {
      const double value = step * std::pow(10, exponent);
      if (value < low * (1 - rounding) || value > high * (1 + rounding))
        continue;
      const bool is_named = step == 1 ? exponent % stride == 0 || has_all : has_all;
      if (is_named || stride == 1)
        ticks.push_back({value, is_named ? axis_number(value) : ""});
    }
  return ticks;
}

std::vector<Tick> size_ticks(double low, double high, std::size_t most) {
  const int first = static_cast<int>(std::ceil(std::log2(low) - rounding));
  const int last = static_cast<int>(std::floor(std::log2(high) + rounding));
  int stride = 1;
  while (static_cast<std::size_t>((last - first) / stride + 1) > std::max<std::size_t>(most, 1))
    ++stride;
  std::vector<Tick> ticks;
  for (int exponent = first; exponent <= last; ++exponent)
    if (exponent % stride == 0)
      ticks.push_back({std::exp2(exponent), axis_size(std::exp2(exponent))});
  return ticks;
}

} // namespace

Axis::Axis(AxisForm form, std::span<const double> values, double from, double to)
    : form_(form), from_(from), to_(to), start_(from) {
  std::optional<double> low;
  std::optional<double> high;
  for (const double value : values) {
    if (!is_linear(form) && value <= 0) {
      has_zero_ = has_zero_ || form == AxisForm::sizes;
      continue;
    }
    low = std::min(low.value_or(value), value);
    high = std::max(high.value_or(value), value);
  }
  if (is_linear(form)) {
    const bool has_origin = form == AxisForm::linear;
    low_ = std::min(has_origin ? 0 : low.value_or(0), low.value_or(0));
    high_ = std::max(has_origin ? 0 : high.value_or(1), high.value_or(1));
    if (high_ <= low_)
      high_ = low_ + 1;
    const double step = linear_step(high_ - low_, 6);
    low_ = std::floor(low_ / step + rounding) * step;
    high_ = std::ceil(high_ / step - rounding) * step;
    return;
  }
  low_ = low.value_or(1);
  high_ = high.value_or(low_);
  if (form == AxisForm::logarithm) {
    low_ = step_of_decade(low_, false);
    high_ = step_of_decade(high_, true);
  }
  if (high_ <= low_)
    high_ = 2 * low_;
  constexpr double place_of_zero = 0.07; // as a share of the axis
  if (has_zero_)
    start_ = from + place_of_zero * (to - from);
}

double Axis::scaled(double value) const {
  return is_linear(form_) ? value : std::log(value);
}

bool Axis::has(double value) const {
  return is_linear(form_) || value > 0 || has_zero_;
}

double Axis::at(double value) const {
  assert(has(value));
  if (!is_linear(form_) && value <= 0)
    return from_;
  return start_ + (to_ - start_) * (scaled(value) - scaled(low_)) / (scaled(high_) - scaled(low_));
}

std::vector<Tick> Axis::ticks(std::size_t most) const {
  if (is_linear(form_))
    return linear_ticks(low_, high_, most);
  if (form_ == AxisForm::logarithm)
    return logarithm_ticks(low_, high_, most);
  auto ticks = size_ticks(low_, high_, most);
  if (has_zero_)
    ticks.insert(ticks.begin(), {0, "0"});
  return ticks;
}

std::string axis_number(double value) {
  if (std::abs(value) < rounding)
    return "0";
  if (std::abs(value) >= 1e6 || std::abs(value) < 1e-3)
    return fmt::format("{:.3g}", value);
  return fmt::format("{:g}", std::round(value * 1e4) / 1e4);
}

std::string axis_size(double bytes) {
  return bytes < 1024 ? fmt::format("{:g}", bytes) : to_text(Bytes{static_cast<std::uint64_t>(bytes)});
}

} // namespace kakehashi
