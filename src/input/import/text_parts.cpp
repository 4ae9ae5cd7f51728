#include "input/import/text_parts.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

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

namespace {

// Descriptions of machines are never nested so deeply. Readers recurse into elements.
constexpr int deepest_element = 500;

bool is_too_deep(const pugi::xml_document& document) {
  struct Walker : pugi::xml_tree_walker {
    bool for_each(pugi::xml_node&) override { return depth() < deepest_element; }
  } walker;
  return !const_cast<pugi::xml_document&>(document).traverse(walker);
}

} // namespace

std::string place_in(std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, std::min(offset, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const auto line_start = before.rfind('\n') + 1; // npos + 1 is 0
  return fmt::format("line {}, column {}", lines + 1, before.size() - line_start + 1);
}

Error fault_at(const XmlFile& xml, pugi::xml_node element, std::string message) {
  const auto offset = element.offset_debug();
  return input_error(xml.file, offset < 0 ? "" : place_in(xml.text, static_cast<std::size_t>(offset)),
                     std::move(message));
}

Result<XmlFile> parse_xml(std::string text, const std::string& file) {
  XmlFile xml{file, std::move(text), std::make_unique<pugi::xml_document>()};
  const auto outcome = xml.document->load_buffer(xml.text.data(), xml.text.size());
  const auto fault = [&](std::size_t offset, std::string message) {
    return input_error(file, place_in(xml.text, offset), std::move(message));
  };
  if (!outcome)
    return fault(static_cast<std::size_t>(outcome.offset),
                 fmt::format("this is not well-formed XML: {}; is the file complete?", outcome.description()));
  if (!xml.root())
    return fault(0, "this XML has no element");
  if (is_too_deep(*xml.document))
    return fault(0, fmt::format("the elements are nested more than {} deep", deepest_element));
  return xml;
}

} // namespace kakehashi
