// XML text → its elements and their places.
#pragma once

#include "base/error.hpp"

#include <memory>
#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace kakehashi {

struct XmlFile {
  std::string file;
  std::string text;
  std::unique_ptr<pugi::xml_document> document;

  pugi::xml_node root() const { return document->document_element(); }
};

// Errors: the text is not well-formed (with line and column), nested too deeply, or without any element.
Result<XmlFile> parse_xml(std::string text, const std::string& file);

// Returns "line 3, column 7" for an offset into a text.
std::string place_in(std::string_view text, std::size_t offset);

// Returns an error in the file at an element.
Error fault_at(const XmlFile& xml, pugi::xml_node element, std::string message);

} // namespace kakehashi
