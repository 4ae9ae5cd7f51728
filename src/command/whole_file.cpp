#include "command/whole_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace kakehashi {
namespace {

// Whether all of the text is on the disk.
bool write_all(int descriptor, const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const auto count = write(descriptor, text.data() + written, text.size() - written);
    if (count < 0 && errno != EINTR)
      return false;
    written += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
  return fsync(descriptor) == 0;
}

} // namespace

Errors replace_file(const std::string& file, const std::string& text) {
  const auto failure = [&] {
    return Errors{{ErrorKind::run, file, "", std::string("cannot be written: ") + std::strerror(errno), ""}};
  };
  std::error_code status;
  const auto target = std::filesystem::canonical(file, status).string();
  struct stat before {};
  if (status || stat(target.c_str(), &before) != 0 || access(target.c_str(), W_OK) != 0)
    return failure();
  auto beside = target + ".XXXXXX";
  const int descriptor = mkstemp(beside.data());
  if (descriptor < 0)
    return failure();
  const bool is_whole = fchmod(descriptor, before.st_mode & 07777) == 0 && write_all(descriptor, text);
  const bool is_closed = close(descriptor) == 0;
  if (is_whole && is_closed && rename(beside.c_str(), target.c_str()) == 0)
    return {};
  auto errors = failure();
  unlink(beside.c_str());
  return errors;
}

} // namespace kakehashi
