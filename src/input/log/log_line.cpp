#include "input/log/log_parts.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

constexpr std::size_t longest_line = 1000;
constexpr std::size_t longest_tag = 100; // Open MPI's tag may contain a job, a rank and a time stamp

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_control(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
}

// Returns the position after the escape sequence that starts at this ESC: CSI ends with its letter, OSC with BEL or
// ESC, any other with the first character that is no intermediate one (ECMA-48).
std::size_t behind_escape(std::string_view line, std::size_t at) {
  if (++at == line.size())
    return at;
  const char kind = line[at++];
  if (kind == '[') {
    while (at < line.size() && line[at] >= ' ' && line[at] < '@')
      ++at;
    return std::min(at + 1, line.size());
  }
  if (kind == ']') {
    while (at < line.size() && line[at] != '\a' && line[at] != '\x1b')
      ++at;
    return at < line.size() && line[at] == '\a' ? at + 1 : at;
  }
  for (char last = kind; last >= ' ' && last < '0' && at < line.size(); ++at)
    last = line[at];
  return at;
}

} // namespace

std::string plain_line(std::string_view line) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  line = line.substr(0, longest_line);
  if (line.starts_with(byte_order_mark))
    line.remove_prefix(byte_order_mark.size());
  std::string plain;
  for (std::size_t at = 0; at < line.size();)
    if (line[at] == '\x1b')
      at = behind_escape(line, at);
    else {
      plain += is_control(line[at]) ? ' ' : line[at];
      ++at;
    }
  return std::string(trimmed(without_rank(trimmed(plain))));
}

std::string_view without_rank(std::string_view line) {
  for (const std::string_view tag : {"<stdout>:", "<stderr>:"})
    if (const auto at = line.substr(0, longest_tag).find(tag); at != std::string_view::npos)
      return line.substr(at + tag.size());
  const bool bracket = line.starts_with('[');
  const std::size_t first = bracket ? 1 : 0;
  std::size_t end = first;
  while (end < line.size() && is_digit(line[end]))
    ++end;
  if (end == first || end == line.size() || line[end] != (bracket ? ']' : ':'))
    return line;
  const auto rest = line.substr(end + 1);
  if (!bracket && !rest.empty() && is_digit(rest.front()) && rest.find(':') < 3)
    return line; // a time of day
  return rest;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (auto comma = line.find(','); comma != std::string_view::npos; comma = line.find(',')) {
    cells.push_back(trimmed(line.substr(0, comma)));
    line.remove_prefix(comma + 1);
  }
  cells.push_back(trimmed(line));
  return cells;
}

} // namespace kakehashi
