#include "base/wire.hpp"

#include "base/number.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace kakehashi {
namespace {

// Characters that a string may not have on the line, and the letter after a backslash that stands for each.
constexpr std::array<std::pair<char, char>, 5> escapes{
    {{'\\', '\\'}, {'\t', 't'}, {'\n', 'n'}, {'\r', 'r'}, {'\0', '0'}}};

} // namespace

void WireWriter::add_plain(std::string_view text) {
  if (has_field_)
    line_ += '\t';
  has_field_ = true;
  line_ += text;
}

void WireWriter::add(double number) {
  add_plain(fmt::format("{:a}", number));
}

void WireWriter::add(std::string_view text) {
  add_plain("");
  for (const char c : text) {
    const auto escape = std::find_if(escapes.begin(), escapes.end(), [c](const auto& each) { return each.first == c; });
    if (escape == escapes.end()) {
      line_ += c;
    } else {
      line_ += '\\';
      line_ += escape->second;
    }
  }
}

std::optional<std::string_view> WireReader::next() {
  if (!rest_)
    return std::nullopt;
  const auto end = rest_->find('\t');
  const auto field = rest_->substr(0, end);
  if (end == std::string_view::npos)
    rest_.reset();
  else
    rest_->remove_prefix(end + 1);
  return field;
}

bool WireReader::read(double& number) {
  auto field = next();
  if (!field)
    return false;
  const bool is_negative = field->starts_with('-');
  field->remove_prefix(is_negative);
  const bool is_finite = field->starts_with("0x");
  if (!is_finite && *field != "inf" && *field != "nan")
    return false;
  field->remove_prefix(is_finite ? 2 : 0);
  if (field->starts_with('-'))
    return false;
  const auto value = number_in<double>(*field, std::chars_format::hex);
  if (value)
    number = is_negative ? -*value : *value;
  return value.has_value();
}

bool WireReader::read(bool& flag) {
  const auto field = next();
  flag = field == "1";
  return flag || field == "0";
}

bool WireReader::read(std::string& text) {
  const auto field = next();
  if (!field)
    return false;
  text.clear();
  for (std::size_t i = 0; i < field->size(); ++i) {
    char c = (*field)[i];
    if (c == '\\') {
      if (++i == field->size())
        return false;
      const auto escape = std::find_if(escapes.begin(), escapes.end(),
                                       [letter = (*field)[i]](const auto& each) { return each.second == letter; });
      if (escape == escapes.end())
        return false;
      c = escape->first;
    }
    text += c;
  }
  return true;
}

} // namespace kakehashi
