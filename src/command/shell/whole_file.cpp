#include "command/shell/whole_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kakehashi {
namespace {

Error failure(const std::string& file, int number) {
  return file_error(ErrorKind::run, file,
                    number == 0 ? "cannot be written" : std::string("cannot be written: ") + std::strerror(number));
}

// Waits until the file is on the disk; false if that failed.
bool synchronise(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY);
  if (descriptor < 0)
    return false;
  const bool is_safe = fsync(descriptor) == 0;
  return close(descriptor) == 0 && is_safe;
}

mode_t usual_mode() {
  const auto mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

} // namespace

WholeFile::WholeFile(std::string file, std::string target, std::string beside)
    : file_(std::move(file)), target_(std::move(target)), beside_(std::move(beside)),
      stream_(beside_, std::ios::binary) {}

WholeFile::WholeFile(WholeFile&& other) noexcept
    : file_(std::move(other.file_)), target_(std::move(other.target_)), beside_(std::exchange(other.beside_, {})),
      mode_(other.mode_), stream_(std::move(other.stream_)) {}

Result<WholeFile> WholeFile::open(const std::string& file) {
  std::error_code status;
  auto target = std::filesystem::canonical(file, status).string();
  struct stat before {};
  const bool is_there = !status && stat(target.c_str(), &before) == 0;
  if (is_there && !S_ISREG(before.st_mode))
    return file_error(ErrorKind::run, file, "cannot be written: not a regular file");
  if (is_there && access(target.c_str(), W_OK) != 0)
    return failure(file, errno);
  if (!is_there)
    target = file;
  auto beside = target + ".XXXXXX";
  const int descriptor = mkstemp(beside.data());
  if (descriptor < 0)
    return failure(file, errno);
  close(descriptor);
  WholeFile whole(file, std::move(target), std::move(beside));
  whole.mode_ = is_there ? before.st_mode & 07777 : usual_mode();
  if (!whole.stream_)
    return failure(file, errno);
  return whole;
}

WholeFile::~WholeFile() {
  if (!beside_.empty())
    unlink(beside_.c_str());
}

Errors WholeFile::commit() {
  errno = 0;
  stream_.close();
  if (stream_ && synchronise(beside_) && chmod(beside_.c_str(), mode_) == 0 &&
      rename(beside_.c_str(), target_.c_str()) == 0) {
    beside_.clear();
    return {};
  }
  return {failure(file_, errno)};
}

Errors write_whole(const std::string& file, const std::function<void(std::ostream&)>& write) {
  auto whole = WholeFile::open(file);
  if (!whole)
    return whole.errors();
  write(whole->stream());
  return whole->commit();
}

Errors check_writable(const std::string& file) {
  const auto opened = WholeFile::open(file);
  return opened ? Errors() : opened.errors();
}

Errors replace_file(const std::string& file, const std::string& text) {
  if (access(file.c_str(), F_OK) != 0)
    return {failure(file, errno)};
  auto whole = WholeFile::open(file);
  if (!whole)
    return whole.errors();
  whole->stream() << text;
  return whole->commit();
}

} // namespace kakehashi
