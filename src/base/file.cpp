#include "base/file.hpp"

#include "base/units.hpp"

#include <array>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>

namespace kakehashi {

Result<std::string> read_text(const std::string& file, std::size_t limit) {
  const auto fault = [&](std::string message) { return file_error(ErrorKind::input, file, std::move(message)); };
  std::error_code status;
  // The system reads a name only up to a NUL, which may be another file.
  if (file.find('\0') != std::string::npos || !std::filesystem::exists(file, status))
    return fault("no such file");
  if (!std::filesystem::is_regular_file(file, status))
    return fault("not a regular file");
  if (std::filesystem::file_size(file, status) > limit)
    return fault(fmt::format("larger than {}", to_text(Bytes{limit})));
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  std::array<char, 1 << 16> part;
  while (stream.read(part.data(), part.size()) || stream.gcount() > 0) { // a part at a time: then no error throws
    text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > limit)
      return fault(fmt::format("larger than {}", to_text(Bytes{limit})));
  }
  if (!stream.eof())
    return fault("cannot be read");
  return text;
}

Errors read_parts(const std::string& file, const std::function<void(std::string_view)>& take) {
  std::ifstream stream(file, std::ios::binary);
  std::array<char, 1 << 16> part;
  while (stream.read(part.data(), part.size()) || stream.gcount() > 0)
    take({part.data(), static_cast<std::size_t>(stream.gcount())});
  if (!stream.eof())
    return {file_error(ErrorKind::input, file, "cannot be read")};
  return {};
}

ErrorKind kind_of_fault(int number) {
  switch (number) {
  case EMFILE:
  case ENFILE:
  case ENOMEM:
  case ENOSPC:
  case EAGAIN:
  case EIO: return ErrorKind::system;
  default: return ErrorKind::input;
  }
}

Result<std::string> read_standard_input(std::size_t limit) {
  const auto fault = [](std::string message) {
    return file_error(ErrorKind::input, "standard input", std::move(message));
  };
  std::string text(limit + 1, '\0');
  std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (std::cin.bad())
    return fault("cannot be read");
  text.resize(static_cast<std::size_t>(std::cin.gcount()));
  if (text.size() > limit)
    return fault(fmt::format("larger than {}", to_text(Bytes{limit})));
  return text;
}

std::string beside(const std::string& file, const std::string& path) {
  return (std::filesystem::path(file).parent_path() / path).lexically_normal().string();
}

} // namespace kakehashi
