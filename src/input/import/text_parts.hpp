// Lines of text and elements of XML → what they state, with their places.
#pragma once

#include "base/error.hpp"
#include "base/text.hpp"

#include <memory>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// The output of a tool → its lines and words.

// The lines without their ends, and without the escapes with which terminals underline text.
std::vector<std::string> plain_lines(std::string_view text);
// Replaces each byte that is no UTF-8 by '?', so that names may go into messages and platforms.
std::string valid_text(std::string text);
// The text between the first two quotes after a place; empty if there are none.
std::string_view quoted(std::string_view line, std::size_t from = 0);

// XML text → its elements and their places.
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
