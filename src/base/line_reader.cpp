#include "base/line_reader.hpp"

#include "base/file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace kakehashi {

ReadAt read_from_file(std::string file) {
  return [file = std::move(file)](std::uint64_t place, std::span<char> room) -> Result<std::size_t> {
    const auto failure = [&] {
      return Error{kind_of_fault(errno), file, "", fmt::format("cannot be read: {}", std::strerror(errno)), ""};
    };
    const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
      return failure();
    std::size_t filled = 0;
    while (filled < room.size()) {
      const auto count =
          pread(descriptor, room.data() + filled, room.size() - filled, static_cast<off_t>(place + filled));
      if (count < 0 && errno == EINTR)
        continue;
      if (count < 0) {
        auto error = failure();
        close(descriptor);
        return error;
      }
      if (count == 0)
        break;
      filled += static_cast<std::size_t>(count);
    }
    close(descriptor);
    return filled;
  };
}

LineReader::LineReader(ReadAt read, std::size_t block) : read_(std::move(read)), buffer_(block, '\0') {}

bool LineReader::fill() {
  if (at_end_)
    return false;
  if (begin_ > 0) { // keep the beginning of a line
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    searched_ -= begin_;
    end_ -= begin_;
    begin_ = 0;
  } else if (end_ == buffer_.size()) {
    if (buffer_.size() >= longest_line) {
      fault_ = input_error("", fmt::format("line {}", line_ + 1), fmt::format("longer than {} bytes", longest_line));
      return false;
    }
    buffer_.resize(2 * buffer_.size());
  }
  const auto room = std::span(buffer_).subspan(end_);
  const auto count = read_(place_, room);
  if (!count) {
    fault_ = count.errors().front();
    return false;
  }
  at_end_ = *count == 0;
  place_ += *count;
  end_ += *count;
  return *count > 0;
}

std::optional<std::string_view> LineReader::next() {
  for (;;) {
    const auto* text = buffer_.data();
    const auto* found = static_cast<const char*>(std::memchr(text + searched_, '\n', end_ - searched_));
    if (!found) {
      searched_ = end_;
      if (fill())
        continue;
      if (fault_ || begin_ == end_)
        return std::nullopt;
    }
    const auto end = found ? static_cast<std::size_t>(found - text) : end_; // the last line may have no end
    const std::string_view line(buffer_.data() + begin_, end - begin_);
    begin_ = searched_ = std::min(end + 1, end_);
    ++line_;
    return line;
  }
}

} // namespace kakehashi
