#include "input/trace/ti/ti_source.hpp"

#include <unistd.h>

namespace kakehashi {

Spool::Spool(std::size_t texts, std::size_t block) : block_(block), file_(std::tmpfile()), texts_(texts) {}

bool Spool::write(Text& text) {
  if (!file_)
    return false;
  text.blocks.push_back(end_);
  const auto& buffer = text.buffer;
  for (std::size_t written = 0; written < buffer.size();) {
    const auto count = pwrite(fileno(file_.get()), buffer.data() + written, buffer.size() - written,
                              static_cast<off_t>(end_ + written));
    if (count <= 0)
      return false;
    written += static_cast<std::size_t>(count);
  }
  end_ += buffer.size();
  text.size += buffer.size();
  text.buffer.clear();
  return true;
}

bool Spool::append(std::size_t number, std::string_view more) {
  auto& text = texts_[number];
  while (!more.empty()) {
    const auto part = more.substr(0, block_ - text.buffer.size());
    text.buffer += part;
    more.remove_prefix(part.size());
    if (text.buffer.size() == block_ && !write(text))
      return false;
  }
  return true;
}

bool Spool::finish() {
  for (auto& text : texts_) {
    if (!text.buffer.empty() && !write(text))
      return false;
    text.buffer.shrink_to_fit();
  }
  return true;
}

Result<std::size_t> Spool::read(std::size_t number, std::uint64_t place, std::span<char> room) const {
  const auto& text = texts_[number];
  std::size_t filled = 0;
  while (filled < room.size() && place < text.size) {
    const auto inside = place % block_;
    const auto wanted = std::min<std::uint64_t>({room.size() - filled, block_ - inside, text.size - place});
    const auto count = pread(fileno(file_.get()), room.data() + filled, wanted,
                             static_cast<off_t>(text.blocks[place / block_] + inside));
    if (count <= 0)
      return system_error("a temporary file cannot be read");
    filled += static_cast<std::size_t>(count);
    place += static_cast<std::uint64_t>(count);
  }
  return filled;
}

} // namespace kakehashi
