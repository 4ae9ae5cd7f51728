#include "input/import/xml.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
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
