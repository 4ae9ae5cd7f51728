#include "input/trace/ti/ti_words.hpp"

#include "base/number.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// The sizes of MPI's data types in SimGrid 3.32's numbering, as its MPI_Type_size returns them. 55 and 56, MPI_UB and
// MPI_LB, have none.
constexpr std::array<std::uint8_t, 60> type_sizes{
    8,  4,  1,  2,  8,  4, 1,  8,  1, 1,  // double int char short long float byte long-long signed-char unsigned-char
    2,  4,  8,  8,  16, 4, 1,  1,  2, 4,  // unsigned short … long-long, long-double wchar bool int8 int16 int32
    8,  1,  2,  4,  8,  8, 16, 32, 8, 8,  // int64, uint8 … uint64, complex of float, double, long double, aint offset
    8,  16, 16, 8,  8,  8, 16, 16, 4, 4,  // pairs: float-int … 2long; real real4
    8,  16, 8,  16, 16, 4, 2,  4,  8, 16, // real8 real16, complex8 … complex32, integer1 … integer16
    32, 1,  8,  16, 32, 0, 0,  1,  8, 8}; // long-double-int, C++ bool and complex, ub lb, packed ptr count

// SimGrid's MPI_ANY_SOURCE and MPI_PROC_NULL; MPI_UNDEFINED, which it writes for both; and the numbers of old versions.
constexpr std::array any_source{-555, -333, -1};
constexpr std::array nobodies{-666, -333, -1};
constexpr std::array any_tags{-444, -1};

std::string shown(std::string_view word) {
  return fmt::format("\"{}\"", word.substr(0, 40));
}

} // namespace

std::uint64_t size_of_type(int number) {
  const auto index = static_cast<std::size_t>(number);
  return number >= 0 && index < type_sizes.size() ? type_sizes[index] : 0;
}

const TiText& TiArguments::take() {
  const auto& word = words_.front();
  words_ = words_.subspan(1);
  return word;
}

void TiArguments::fail(std::string_view found, std::string_view expected) {
  if (fault_.empty())
    fault_ = mismatch(found, expected);
}

double TiArguments::number(std::string_view expected) {
  const auto word = take().text;
  const auto value = number_in<double>(word);
  if (value && std::isfinite(*value) && *value >= 0)
    return *value;
  fail(shown(word), expected);
  return 0;
}

std::uint64_t TiArguments::whole(std::string_view expected) {
  if (words_.front().number >= 0)
    return static_cast<std::uint64_t>(take().number);
  const auto word = words_.front().text;
  if (const auto value = number_in<std::uint64_t>(word); value && *value <= largest_size.count) {
    take();
    return *value;
  }
  const double value = number(expected); // in a form such as 1e6
  if (value <= static_cast<double>(largest_size.count) && value == std::floor(value))
    return static_cast<std::uint64_t>(value);
  fail(shown(word), expected);
  return 0;
}

std::optional<int> TiArguments::integer(std::string_view expected) {
  const auto& word = take();
  if (word.number >= 0)
    return word.number;
  const auto value = number_in<int>(word.text);
  if (!value)
    fail(shown(word.text), expected);
  return value;
}

std::vector<std::uint64_t> TiArguments::counts() {
  std::vector<std::uint64_t> found;
  for (int i = 0; i < ranks(); ++i)
    found.push_back(count());
  return found;
}

std::optional<int> TiArguments::source() {
  return rank_or(any_source);
}

std::optional<int> TiArguments::target() {
  return rank_or(nobodies);
}

std::optional<int> TiArguments::rank_or(std::span<const int> none) {
  const auto value = integer("a rank");
  if (!value || std::find(none.begin(), none.end(), *value) != none.end())
    return std::nullopt;
  if (*value < 0 || *value >= ranks())
    fail(fmt::format("rank {}", *value), fmt::format("a rank from 0 to {}", ranks() - 1));
  return value;
}

std::optional<int> TiArguments::tag() {
  const auto value = integer("a tag");
  if (!value || std::find(any_tags.begin(), any_tags.end(), *value) != any_tags.end())
    return std::nullopt;
  if (*value < 0)
    fail(fmt::format("tag {}", *value), "a tag from 0 on");
  return value;
}

int TiArguments::root() {
  if (left() == 0)
    return 0;
  const auto value = integer("a rank as root");
  if (value && (*value < 0 || *value >= ranks()))
    fail(fmt::format("rank {} as root", *value), fmt::format("a rank from 0 to {}", ranks() - 1));
  return value.value_or(0);
}

// Collective calls use negative tags for their own messages, and a wait for a nonblocking call has one of these.
bool TiArguments::is_of_collective() {
  const auto value = words_.front().number < 0 ? number_in<int>(words_.front().text) : std::nullopt;
  return value && *value < 0 && std::find(any_tags.begin(), any_tags.end(), *value) == any_tags.end();
}

std::optional<Bytes> TiArguments::derived_size(int type, std::optional<int> tag) const {
  const auto& some = derived_types_.some;
  for (const auto& key : {type < 0 ? std::string() : std::to_string(type), tag ? fmt::format("tag {}", *tag) : "",
                          std::string(line_.word)})
    if (const auto found = some.find(key); found != some.end())
      return found->second;
  return derived_types_.any;
}

// Numbers beyond MPI's own types come from versions that number the application's types, too.
std::uint64_t TiArguments::type(std::optional<int> tag) {
  if (left() == 0)
    return line_.default_type;
  const auto value = integer("the number of a data type");
  if (!value)
    return 0;
  if (*value >= 0 && static_cast<std::size_t>(*value) < type_sizes.size())
    return type_sizes[static_cast<std::size_t>(*value)];
  if (const auto size = derived_size(*value, tag))
    return size->count;
  if (*value == -1)
    fail("data type -1, one that the application made",
         "\"derived_type\", the size of an element, in the scenario; the trace does not record it");
  else
    fail(fmt::format("data type {}", *value),
         fmt::format("a data type from 0 to {}, or its size as \"derived_type\" in the scenario",
                     type_sizes.size() - 1));
  return 0;
}

bool TiArguments::expect(std::size_t words, std::string_view arguments) {
  if (left() < words)
    fail(counted(left(), "argument"), fmt::format("at least {}: {}", words, arguments));
  return left() >= words;
}

bool TiArguments::are_zeros(std::size_t words) const {
  const auto next = words_.first(std::min(words, words_.size()));
  return std::all_of(next.begin(), next.end(), [](const TiText& word) { return word.text == "0"; });
}

Bytes TiArguments::bytes(std::uint64_t elements, std::uint64_t type) {
  if (type > 0 && elements > largest_size.count / type) {
    fail(fmt::format("{} elements of {} B", elements, type), bytes_range);
    return {};
  }
  return {elements * type};
}

void TiArguments::scale(std::vector<std::uint64_t>& elements, std::uint64_t type) {
  for (auto& each : elements)
    each = bytes(each, type).count;
}

} // namespace kakehashi
