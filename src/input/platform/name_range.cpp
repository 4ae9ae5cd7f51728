#include "input/platform/name_range.hpp"

#include "base/number.hpp"
#include "input/platform/part_readers.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// Returns a number of at most six digits.
std::optional<std::size_t> number(std::string_view text) {
  return text.size() > 6 ? std::nullopt : number_in<std::size_t>(text);
}

// Adds the numbers of "0-3" or "8"; false if the text is no range.
bool add_numbers(std::string_view text, std::vector<std::string>& numbers) {
  const auto dash = std::min(text.find('-'), text.size());
  const auto first = number(text.substr(0, dash));
  const auto last = dash < text.size() ? number(text.substr(dash + 1)) : first;
  if (!first || !last || *first > *last)
    return false;
  for (auto each = *first; each <= *last; ++each)
    numbers.push_back(fmt::format("{:0{}}", each, dash));
  return true;
}

// Returns the texts for which a bracket stands; none if it holds no list of ranges. A single number of several digits
// is refused, since it may be a shell's choice of one digit.
std::optional<std::vector<std::string>> numbers_in(std::string_view text) {
  if (text.size() > 1 && text.find_first_of("-,") == std::string_view::npos)
    return std::nullopt;
  std::vector<std::string> numbers;
  for (;;) {
    const auto comma = std::min(text.find(','), text.size());
    if (!add_numbers(text.substr(0, comma), numbers))
      return std::nullopt;
    if (comma == text.size())
      return numbers;
    text.remove_prefix(comma + 1);
  }
}

} // namespace

std::optional<std::vector<std::string>> names_in(const std::string& text, const std::string& place, Faults& faults) {
  std::vector<std::string> names{""};
  std::string_view rest = text;
  for (auto open = rest.find('['); open != std::string_view::npos; open = rest.find('[')) {
    const auto close = rest.find(']', open);
    const auto numbers =
        close == std::string_view::npos ? std::nullopt : numbers_in(rest.substr(open + 1, close - open - 1));
    if (!numbers) {
      faults.add(place, mismatch(in_quotes(text), "ranges such as \"[0-7]\" or \"[00-15,20]\" in a name"));
      return std::nullopt;
    }
    if (names.size() * numbers->size() > most_devices) {
      faults.add(place, mismatch("more names", fmt::format("at most {}", most_devices)));
      return std::nullopt;
    }
    std::vector<std::string> longer;
    for (const auto& name : names)
      for (const auto& each : *numbers)
        longer.push_back(fmt::format("{}{}{}", name, rest.substr(0, open), each));
    names = std::move(longer);
    rest.remove_prefix(close + 1);
  }
  for (auto& name : names)
    name += rest;
  return names;
}

} // namespace kakehashi
