// A finding as every format prints it: remarks and tables that people read, a row for each observation, and a tree of
// all that there is. Each is made when a format asks for it.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

namespace kakehashi {

struct Note {
  std::string text;
  std::size_t depth = 0; // 1: it belongs to the note before it
};

// One of several, which a note before them announces.
struct Item {
  std::string text;
};

// Lines as a suite of benchmarks prints them.
struct Preformatted {
  std::string text;
};

// A column of a listing. It is as wide as its longest cell.
struct Head {
  std::string text;
  std::size_t width = 0; // at least
  bool is_left = false;
  std::size_t gap = 1; // before it
};
Head left(std::string text, std::size_t width = 0, std::size_t gap = 1);
Head right(std::string text, std::size_t width, std::size_t gap = 1);

struct ListedCell {
  ListedCell(std::string text, std::size_t columns = 1) : text(std::move(text)), columns(columns) {}
  ListedCell(std::string_view text) : text(text) {}
  ListedCell(const char* text) : text(text) {}
  template <std::integral Count>
  requires(!std::same_as<Count, bool>) ListedCell(Count count) : text(std::to_string(count)) {}

  std::string text;
  std::size_t columns = 1; // that it goes over
};

using ListedRow = std::vector<ListedCell>; // it may end early

struct Listing {
  std::string title; // may be empty
  std::vector<Head> heads;
  std::vector<ListedRow> rows;
  bool has_heading = true;              // in text
  std::size_t most = std::string::npos; // rows in text
};

void write_text(const Listing& listing, std::ostream& out); // as in a report

struct Sheet {
  std::vector<std::string> names;
  std::vector<ListedRow> rows;
};

using ReportParts = std::vector<std::variant<Note, Item, Preformatted, Listing>>;

// It refers to the finding that it was made of.
struct Report {
  std::function<ReportParts()> parts;
  std::function<Sheet()> sheet; // null: there is none
  std::function<nlohmann::ordered_json()> tree;
};

} // namespace kakehashi
