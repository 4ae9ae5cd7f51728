#include "report/colour.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>

namespace kakehashi {
namespace {

constexpr std::string_view dim = "\033[2m";
constexpr std::string_view red = "\033[31m";
constexpr std::string_view green = "\033[32m";
constexpr std::string_view yellow = "\033[33m";
constexpr std::string_view plain = "\033[0m";

struct VerdictColour {
  std::string_view word;
  std::string_view colour;
};
constexpr std::array verdicts{VerdictColour{"  pass", green}, VerdictColour{"  fail", red},
                              VerdictColour{"  miss", yellow}};

// Where "+12.3 %" begins at the end of the line; npos: there is none.
std::size_t error_at(const std::string& line) {
  if (!line.ends_with(" %"))
    return std::string::npos;
  const auto at = line.find_last_not_of("0123456789.", line.size() - 3);
  return at == std::string::npos || (line[at] != '+' && line[at] != '-') ? std::string::npos : at;
}

std::string painted(const std::string& line, std::size_t from, std::size_t to, std::string_view colour) {
  return fmt::format("{}{}{}{}{}", line.substr(0, from), colour, line.substr(from, to - from), plain, line.substr(to));
}

} // namespace

std::string coloured(const std::string& line) {
  if (line.find_first_not_of(' ') != std::string::npos && line[line.find_first_not_of(' ')] == '#')
    return painted(line, 0, line.size(), dim);
  if (const auto at = error_at(line); at != std::string::npos) {
    const double error = std::abs(std::strtod(line.c_str() + at, nullptr));
    return painted(line, at, line.size(), error <= 10 ? green : error <= 25 ? yellow : red);
  }
  for (const auto& [word, colour] : verdicts)
    if (const auto at = line.find(word); at != std::string::npos)
      return painted(line, at, at + word.size(), colour);
  return line;
}

} // namespace kakehashi
