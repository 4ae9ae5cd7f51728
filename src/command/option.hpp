// The options of a command as rows: the names of each, what it means, where its value goes, and which values it takes.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kakehashi {

// What keeps the value. A flag sets a bool; an optional one becomes false if the name begins with --no-.
using OptionPlace = std::variant<bool*, std::optional<bool>*, int*, std::size_t*, double*, std::string*,
                                 std::optional<std::string>*, std::vector<int>*, std::vector<std::string>*>;

// The values that are taken: of texts, which may have another name than TEXT in help, and a fault if they are empty,
struct AnyText {
  std::string_view name = "TEXT";
  std::string_view if_empty = "";
};
struct OneOf {
  std::vector<std::string> names;
};
// of numbers, where it is left out if there are no bounds,
struct Range {
  double least;
  double most;
};
// and of lists: parted by commas; one each time that the option is given; or as words that follow each other.
struct CommaList {
  std::string_view if_empty = ""; // an item
};
struct Repeated {
  std::string_view name = "TEXT";
};
struct WordList {
  int least = 1;
  int most = 1 << 29; // which CLI11 takes for any number
};
using OptionForm = std::variant<AnyText, OneOf, Range, CommaList, Repeated, WordList>;

struct OptionRow {
  std::string names; // "--format", "-o,--output", or that of an argument without one: "SCENARIO"
  std::string meaning;
  OptionPlace place; // shown in help as the usual value, unless that is empty or 0
  OptionForm form = {};
  bool is_required = false;
};

// One row, or those of groups one behind the other.
struct OptionRows {
  std::vector<OptionRow> all;

  OptionRows(std::string names, std::string meaning, OptionPlace place, OptionForm form = {}, bool is_required = false)
      : all{{std::move(names), std::move(meaning), place, std::move(form), is_required}} {}
  OptionRows(std::initializer_list<OptionRows> groups) {
    for (const auto& group : groups)
      all.insert(all.end(), group.all.begin(), group.all.end());
  }
};

// --help, which every command has.
OptionRows help_row();

// What help, the manual and completions show of a row.
std::vector<std::string> names_of(const OptionRow& row);
bool is_positional(const OptionRow& row);
bool is_flag(const OptionRow& row);
bool is_number(const OptionRow& row);
std::string value_name(const OptionRow& row);               // "INT"; of a flag none
std::string usual_value(const OptionRow& row);              // may be empty
std::vector<std::string> only_values(const OptionRow& row); // empty: it takes others

// The text of the option of that name; null if there is no such option.
const std::string* text_of(const std::vector<OptionRow>& rows, std::string_view name);

} // namespace kakehashi
