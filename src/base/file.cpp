#include "base/file.hpp"

#include "base/data_folder.hpp"
#include "base/units.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <sys/stat.h>
#include <unistd.h>

namespace kakehashi {

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

namespace {

Error not_readable(const std::string& file, int number) {
  if (number == ENOENT || number == ENOTDIR)
    return file_error(ErrorKind::input, file, "no such file");
  return file_error(kind_of_fault(number), file, std::string("cannot be read: ") + std::strerror(number));
}

} // namespace

// Opens without blocking: a pipe may have no other end, and the kernel's log no further messages.
Errors read_parts(const std::string& file, const std::function<bool(std::string_view)>& take) {
  if (file.find('\0') != std::string::npos) // the system reads a name up to its first NUL, which may be another file
    return {not_readable(file, ENOENT)};
  const int descriptor = open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0)
    return {not_readable(file, errno)};
  struct Closer {
    int descriptor;
    ~Closer() { close(descriptor); }
  } const closer{descriptor};
  struct stat status {};
  if (fstat(descriptor, &status) != 0)
    return {not_readable(file, errno)};
  if (!S_ISREG(status.st_mode))
    return {file_error(ErrorKind::input, file, "not a regular file")};
  std::array<char, 1 << 16> part;
  for (;;) {
    const auto count = read(descriptor, part.data(), part.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return {not_readable(file, errno)};
    if (count == 0 || !take({part.data(), static_cast<std::size_t>(count)}))
      return {};
  }
}

Result<std::string> read_text(const std::string& file, std::size_t limit) {
  std::string text;
  const auto errors = read_parts(file, [&](std::string_view part) {
    text += part;
    return text.size() <= limit;
  });
  if (!errors.empty())
    return errors;
  if (text.size() > limit)
    return file_error(ErrorKind::input, file, fmt::format("larger than {}", to_text(Bytes{limit})));
  return text;
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
  return or_shipped((std::filesystem::path(file).parent_path() / path).lexically_normal().string(), path);
}

} // namespace kakehashi
