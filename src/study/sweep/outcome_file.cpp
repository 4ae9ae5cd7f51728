#include "study/sweep/outcome_file.hpp"

#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/wire.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kakehashi {
namespace {

constexpr std::string_view name = "kakehashi-sweep ";
constexpr int version = 2;
constexpr std::size_t largest_file = std::size_t{1} << 30;

struct Heading {
  std::string name;
  std::uint64_t fingerprint = 0;
  std::string scenario;
  static constexpr auto fields(auto& self) {
    auto& [name, fingerprint, scenario] = self;
    return std::tie(name, fingerprint, scenario);
  }
};

std::string first_words() {
  return fmt::format("{}{}", name, version);
}

// Appends a checksum and the line end.
std::string sealed(std::string line) {
  const auto sum = hash_of(line);
  return fmt::format("{}\t{:016x}\n", std::move(line), sum);
}

// Returns the text before the checksum; nothing if the text has changed.
std::optional<std::string_view> opened(std::string_view line) {
  const auto end = line.rfind('\t');
  if (end == std::string_view::npos || fmt::format("{:016x}", hash_of(line.substr(0, end))) != line.substr(end + 1))
    return std::nullopt;
  return line.substr(0, end);
}

Error no_heading(const std::string& file, std::string_view line) {
  const bool is_ours = line.starts_with(name) && !line.starts_with(first_words() + '\t');
  return input_error(file, "line 1",
                     mismatch(is_ours ? "a result file of another version" : in_quotes(line),
                              "a result file that `kakehashi sweep --results` wrote"));
}

Error not_writable(const std::string& file, int number) {
  return file_error(ErrorKind::run, file, std::string("cannot be written: ") + std::strerror(number));
}

} // namespace

std::string outcome_heading(const Sweep& sweep) {
  return sealed(encode(Heading{first_words(), sweep.fingerprint, sweep.variants.front().scenario.file}));
}

std::string to_line(const OutcomeEntry& entry) {
  return sealed(encode(entry));
}

Result<OutcomeFile> read_outcomes(const std::string& file) {
  const auto text = read_text(file, largest_file);
  if (!text)
    return text.errors();
  OutcomeFile found;
  auto end = text->find('\n');
  const auto first = std::string_view(*text).substr(0, end);
  const auto sealed_heading = end == std::string::npos ? std::nullopt : opened(first);
  const auto heading = sealed_heading ? decode<Heading>(*sealed_heading) : std::nullopt;
  if (!heading || heading->name != first_words())
    return no_heading(file, first);
  found.fingerprint = heading->fingerprint;
  found.scenario = heading->scenario;
  std::size_t number = 1;
  for (auto begin = end + 1; begin < text->size(); begin = end + 1) {
    ++number;
    end = text->find('\n', begin);
    if (end == std::string::npos) { // the run was interrupted while it wrote this line
      found.whole_bytes = begin;
      return found;
    }
    const auto line = std::string_view(*text).substr(begin, end - begin);
    const auto content = opened(line);
    auto entry = content ? decode<OutcomeEntry>(*content) : std::nullopt;
    if (!entry)
      return input_error(file, fmt::format("line {}", number),
                         mismatch(in_quotes(line), "a candidate and what it gave, as it was written"));
    found.outcomes[entry->key] = std::move(entry->outcome);
  }
  found.whole_bytes = text->size();
  return found;
}

Result<OutcomeLog> OutcomeLog::open(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return not_writable(file, errno);
  OutcomeLog log(file, descriptor);
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode))
    return file_error(ErrorKind::run, file, "a pipe, which cannot be read again");
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    return log;
  const int number = errno;
  if (number == EWOULDBLOCK)
    return file_error(ErrorKind::run, file, "another sweep is writing it");
  return not_writable(file, number);
}

OutcomeLog::OutcomeLog(OutcomeLog&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)), bytes_(other.bytes_),
      errors_(std::move(other.errors_)) {}

OutcomeLog::~OutcomeLog() {
  if (descriptor_ >= 0)
    close(descriptor_);
}

// Cuts off a line that a failure left incomplete, which would make the file useless.
void OutcomeLog::fail() {
  errors_ = {not_writable(file_, errno)};
  [[maybe_unused]] const int is_cut = ftruncate(descriptor_, static_cast<off_t>(bytes_));
}

void OutcomeLog::keep_first(std::size_t bytes) {
  bytes_ = bytes;
  if (ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0)
    errors_ = {not_writable(file_, errno)};
}

void OutcomeLog::append(const std::string& line) {
  if (!errors_.empty())
    return;
  for (std::size_t written = 0; written < line.size();) {
    const auto count =
        pwrite(descriptor_, line.data() + written, line.size() - written, static_cast<off_t>(bytes_ + written));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return fail();
    written += static_cast<std::size_t>(count);
  }
  bytes_ += line.size();
}

Errors OutcomeLog::errors() const {
  struct stat status {};
  if (errors_.empty() && fstat(descriptor_, &status) == 0 && status.st_nlink == 0)
    return {file_error(ErrorKind::run, file_, "was removed while the sweep wrote it")};
  return errors_;
}

} // namespace kakehashi
