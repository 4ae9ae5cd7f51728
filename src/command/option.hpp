// The options of a command as rows: the names of each, what it means, where its value goes, and which values it takes.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kakehashi {

// What keeps the value. A flag sets a bool; an optional one becomes false if the name begins with --no-.
using OptionPlace =
    std::variant<bool*, std::optional<bool>*, int*, std::size_t*, double*, std::string*, std::optional<std::string>*,
                 std::vector<int>*, std::vector<std::string>*, std::optional<double>*>;

// The values that are taken: some texts or numbers only, or any, or any but the empty one. A list takes an item each
// time that the option is given, or several with commas between them, or all words that follow, as an argument does. An
// argument that is one text, or a list that may not be empty, has to be there.
using OneOf = std::vector<std::string>;
struct Range {
  double least;
  double most;
  bool operator==(const Range&) const = default;
};
enum class Values { any, not_empty, comma_list, words };
using OptionForm = std::variant<Values, OneOf, Range>;

struct OptionRow {
  std::string names;      // "--format", "-o,--output", or that of an argument: "SCENARIO"
  std::string value_name; // "INT"; of a flag none
  std::string meaning;
  OptionPlace place; // shown in help as the usual value, unless that is empty or 0
  OptionForm form;
};

// One row, or those of groups one behind the other.
struct OptionRows {
  std::vector<OptionRow> all;

  // names: with that of the value behind it, if that is not its type's: "--set FIELD=VALUE".
  OptionRows(std::string_view names, std::string meaning, OptionPlace place, OptionForm form = Values::any);
  OptionRows(std::initializer_list<OptionRows> groups);
};

// --help, which every command has, and all of the program itself.
OptionRows help_row();
OptionRows program_rows();

std::vector<std::string> names_of(const OptionRow& row); // apart
bool is_positional(const OptionRow& row);
bool is_flag(const OptionRow& row);
bool is_number(const OptionRow& row);
bool has_value(const OptionRow& row);          // but false, 0 and nothing
std::string usual_value(const OptionRow& row); // may be empty
OneOf only_values(const OptionRow& row);       // empty: it takes others

// Files among the words that are not there, but come with the program, get the path under which it has them.
void find_shipped_files(const std::vector<OptionRow>& rows);

// The text of the option of that name; null if there is no such option.
const std::string* text_of(const std::vector<OptionRow>& rows, std::string_view name);

} // namespace kakehashi
