// The options of a command as rows: names, meaning, the place of the value, and the values that are allowed.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kakehashi {

// The variable that gets the value. A flag sets a bool; an optional bool becomes false if the name begins with --no-.
using OptionPlace =
    std::variant<bool*, std::optional<bool>*, int*, std::size_t*, double*, std::string*, std::optional<std::string>*,
                 std::vector<int>*, std::vector<std::string>*, std::optional<double>*>;

// The allowed values: certain texts or numbers, any, or any but the empty one. A list takes one item each time the
// option is given, several separated by commas, or (as for an argument) all words that follow. An argument is required
// if it is a single text, or a list that may not be empty.
using OneOf = std::vector<std::string>;
struct Range {
  double least;
  double most;
  bool operator==(const Range&) const = default;
};
enum class Values { any, not_empty, comma_list, words };
using OptionForm = std::variant<Values, OneOf, Range>;

struct OptionRow {
  std::string names;      // "--format", "-o,--output", or the name of an argument: "SCENARIO"
  std::string value_name; // "INT"; empty for a flag
  std::string meaning;
  OptionPlace place; // the help shows its content as the usual value, unless that is empty or 0
  OptionForm form;
};

// One row, or the rows of several groups.
struct OptionRows {
  std::vector<OptionRow> all;

  // `names` may include the value's name, if that is not its type's: "--set FIELD=VALUE".
  OptionRows(std::string_view names, std::string meaning, OptionPlace place, OptionForm form = Values::any);
  OptionRows(std::initializer_list<OptionRows> groups);
};

// --help, which every command has, and all options of the program itself.
OptionRows help_row();
OptionRows program_rows();

std::vector<std::string> names_of(const OptionRow& row); // separately
bool is_positional(const OptionRow& row);
bool is_flag(const OptionRow& row);
bool is_number(const OptionRow& row);
bool has_value(const OptionRow& row);          // whether there is a value other than false, 0 and nothing
std::string usual_value(const OptionRow& row); // may be empty
OneOf only_values(const OptionRow& row);       // empty: other values are allowed

// Files among the words that do not exist but come with the program get the path of the shipped file.
void find_shipped_files(const std::vector<OptionRow>& rows);

// Returns the text of the option with that name; null if there is no such option.
const std::string* text_of(const std::vector<OptionRow>& rows, std::string_view name);

} // namespace kakehashi
