#include "input/import/lines.hpp"

#include <algorithm>
#include <cctype>

namespace kakehashi {

std::vector<std::string> plain_lines(std::string_view text) {
  std::vector<std::string> lines{""};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n')
      lines.emplace_back();
    else if (text[i] == '\x1b') // skip up to the letter that ends it
      while (i + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) == 0 && text[i] != '\n')
        ++i;
    else if (text[i] != '\r')
      lines.back() += text[i];
  }
  return lines;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

std::string valid_text(std::string text) {
  const auto is_next = [&](std::size_t at) { return at < text.size() && (text[at] & 0xc0) == 0x80; };
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = byte < 0x80 ? 1 : byte >= 0xc2 && byte < 0xe0 ? 2 : byte >= 0xe1 && byte < 0xed ? 3 : 0;
    bool is_valid = length > 0 && (byte >= 0x20 || byte == '\n' || byte == '\t' || byte == '\r' || byte == '\x1b');
    for (std::size_t k = 1; k < length; ++k)
      is_valid = is_valid && is_next(i + k);
    if (!is_valid)
      text[i] = '?';
    i += is_valid ? length : 1;
  }
  return text;
}

std::string_view quoted(std::string_view line, std::size_t from) {
  const auto begin = line.find('"', from);
  const auto end = begin == std::string_view::npos ? begin : line.find('"', begin + 1);
  return end == std::string_view::npos ? std::string_view{} : line.substr(begin + 1, end - begin - 1);
}

} // namespace kakehashi
