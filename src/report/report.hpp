// A finding as every format prints it: remarks and tables for people, a row for each observation, and a tree with
// everything. Each of these is made when a format asks for it.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <iterator>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kakehashi {

struct Note {
  std::string text;
  std::size_t depth = 0; // 1: it belongs to the previous note
};

// One of several items that a previous note introduces.
struct Item {
  std::string text;
};

// How text stands out on a terminal.
enum class Tone { plain, remark, good, fair, bad };

// A column of a listing, as wide as its longest cell.
struct Head {
  std::string text;
  std::size_t width = 0; // the least width
  bool is_left = false;
  std::size_t gap = 1;  // blanks before it
  std::string key = {}; // its name in JSON, if it has one
};
Head left(std::string text, std::size_t width = 0, std::size_t gap = 1);
Head right(std::string text, std::size_t width = 0, std::size_t gap = 1);

struct ListedCell {
  ListedCell(std::string text, std::size_t columns = 1) : text(std::move(text)), columns(columns) {}
  ListedCell(std::string_view text) : text(text) {}
  ListedCell(const char* text) : text(text) {}
  template <std::integral Count>
  requires(!std::same_as<Count, bool>) ListedCell(Count count)
      : text(std::to_string(count)), value(static_cast<double>(count)) {}

  std::string text;
  std::size_t columns = 1; // number of columns that it spans
  Tone tone = Tone::plain;
  std::size_t toned = std::string::npos;  // number of its first characters that have the tone
  std::optional<double> value = {};       // the value of a number, as JSON has it
  std::optional<std::string> in_csv = {}; // if CSV has another text
};
ListedCell in_tone(ListedCell cell, Tone tone, std::size_t toned = std::string::npos);

using ListedRow = std::vector<ListedCell>; // may have fewer cells than columns; it is a remark if its first cell is

struct Listing {
  std::string title; // may be empty
  std::vector<Head> heads;
  std::vector<ListedRow> rows;
  bool has_heading = true;              // shown in text
  std::size_t most = std::string::npos; // number of rows in text
  bool keeps_widths = false; // heads keep their widths, because rows are written before the next ones are known
  bool is_remark = false;    // text puts "#" before each of its lines
  std::string below = {};    // a remark below the heading
  std::string name = {};     // name of the table on a page, if it has no title
};

// A row for each observation.
struct Sheet {
  std::vector<std::string> names; // in CSV; empty: it has no such column
  std::vector<ListedRow> rows;
  std::vector<Head> heads = {}; // on pages, which have no column whose head is empty

  void append(Sheet part) { // a part with the same columns
    part.rows.insert(part.rows.begin(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    *this = std::move(part);
  }
};

using ReportParts = std::vector<std::variant<Note, Item, Listing>>;

// The destination of parts, and how many have been written. Further parts may follow, and further rows of the last one.
struct PartsOut {
  std::ostream& out;
  bool has_colour = false; // whether it is a terminal, for which text is also escaped
  std::size_t parts = 0;
  std::size_t rows = 0; // number of rows of the last part
};

// Write the parts and rows that are new.
void write_text(const ReportParts& parts, PartsOut& to);
void write_markdown(const ReportParts& parts, PartsOut& to);

// Gives a writer what is new: rows of the last listing, then parts.
template <class Writer> void write_new(const ReportParts& parts, PartsOut& to, const Writer& writer) {
  if (const auto* listing = to.parts > 0 ? std::get_if<Listing>(&parts[to.parts - 1]) : nullptr)
    writer.put_rows(*listing);
  for (; to.parts < parts.size(); ++to.parts) {
    to.rows = 0;
    std::visit(writer, parts[to.parts]);
  }
}

void write_text(const ReportParts& parts, std::ostream& out);

// It refers to the finding that it was made from.
struct Report {
  std::function<ReportParts()> parts;
  std::function<Sheet()> sheet; // null: there is none
  std::function<nlohmann::ordered_json()> tree;
};

} // namespace kakehashi
