#include "result/outcome.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::size_t fields = 5;

std::string plain(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return text;
}

} // namespace

std::string to_line(const Outcome& outcome) {
  return fmt::format("{:a}\t{:a}\t{}\t{}\t{}", outcome.time.value, outcome.rate, plain(outcome.step),
                     plain(outcome.reason), plain(outcome.failure));
}

std::optional<Outcome> outcome_of(std::string_view line) {
  std::array<std::string, fields> texts;
  for (std::size_t i = 0; i < fields; ++i) {
    const auto end = line.find('\t');
    if ((end == std::string_view::npos) != (i + 1 == fields))
      return std::nullopt;
    texts[i] = line.substr(0, end);
    line.remove_prefix(std::min(line.size(), end == std::string_view::npos ? line.size() : end + 1));
  }
  char* end = nullptr;
  Outcome outcome;
  outcome.time.value = std::strtod(texts[0].c_str(), &end);
  if (texts[0].empty() || *end != '\0')
    return std::nullopt;
  outcome.rate = std::strtod(texts[1].c_str(), &end);
  if (texts[1].empty() || *end != '\0')
    return std::nullopt;
  outcome.step = texts[2];
  outcome.reason = texts[3];
  outcome.failure = texts[4];
  return outcome;
}

} // namespace kakehashi
