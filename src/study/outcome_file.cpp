#include "study/outcome_file.hpp"

#include "base/file.hpp"
#include "base/wire.hpp"

#include <charconv>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::string_view heading = "kakehashi-sweep 1 ";
constexpr std::size_t digits = 16;
constexpr std::size_t largest_file = std::size_t{1} << 30;

} // namespace

std::string outcome_heading(const Sweep& sweep) {
  return fmt::format("{}{:016x} {}\n", heading, sweep.fingerprint, sweep.variants.front().scenario.file);
}

std::string to_line(const OutcomeEntry& entry) {
  return encode(entry) + '\n';
}

Result<OutcomeFile> read_outcomes(const std::string& file) {
  const auto text = read_text(file, largest_file);
  if (!text)
    return text.errors();
  const auto fault = [&](std::size_t line, std::string message) {
    return Error{ErrorKind::input, file, fmt::format("line {}", line), std::move(message), ""};
  };
  OutcomeFile found;
  auto end = text->find('\n');
  const auto first = text->substr(0, end);
  const auto has_number =
      first.size() > heading.size() + digits &&
      std::from_chars(first.data() + heading.size(), first.data() + heading.size() + digits, found.fingerprint, 16)
              .ptr == first.data() + heading.size() + digits;
  if (end == std::string::npos || !first.starts_with(heading) || !has_number)
    return fault(1, mismatch(in_quotes(first), "a result file that `kakehashi sweep --results` wrote"));
  found.scenario = first.substr(heading.size() + digits + 1);
  std::size_t number = 1;
  for (auto begin = end + 1; begin < text->size(); begin = end + 1) {
    ++number;
    end = text->find('\n', begin);
    if (end == std::string::npos) { // the run was interrupted here
      found.whole_bytes = begin;
      return found;
    }
    const auto line = std::string_view(*text).substr(begin, end - begin);
    auto entry = decode<OutcomeEntry>(line);
    if (!entry)
      return fault(number, mismatch(in_quotes(line), "a candidate and what it gave"));
    found.outcomes[entry->key] = std::move(entry->outcome);
  }
  found.whole_bytes = text->size();
  return found;
}

} // namespace kakehashi
