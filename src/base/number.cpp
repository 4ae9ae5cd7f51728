#include "base/number.hpp"

#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <string>

namespace kakehashi {
namespace {

#ifdef __cpp_lib_to_chars

const char* scan(std::string_view text, double& value, std::chars_format form) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value, form);
  return fault == std::errc() ? end : nullptr;
}

#else // libraries such as libc++ 19 have no from_chars for double

const char* scan(std::string_view text, double& value, std::chars_format form) {
  static const auto plain = newlocale(LC_ALL_MASK, "C", nullptr);
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  if (text.size() == sign || text[sign] == '+' || text[sign] == '-' || text[sign] == ' ' ||
      (text[sign] >= '\t' && text[sign] <= '\r'))
    return nullptr;
  const bool is_hexadecimal = form == std::chars_format::hex;
  std::string copy(text);
  if (is_hexadecimal)
    copy.insert(sign, "0x");
  else if (const auto x = sign + 1; x < copy.size() && copy[sign] == '0' && (copy[x] == 'x' || copy[x] == 'X'))
    copy.resize(x); // strtod would read hexadecimal digits
  char* end = nullptr;
  errno = 0;
  value = strtod_l(copy.c_str(), &end, plain);
  const auto read = static_cast<std::size_t>(end - copy.c_str());
  const std::size_t added = is_hexadecimal ? 2 : 0;
  return read <= sign + added || errno == ERANGE ? nullptr : text.data() + read - added;
}

#endif

} // namespace

template <std::same_as<double> T> std::optional<T> take_number(std::string_view& text, std::chars_format form) {
  double value = 0;
  const auto* end = scan(text, value, form);
  if (!end)
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}
template std::optional<double> take_number<double>(std::string_view& text, std::chars_format form);

} // namespace kakehashi
