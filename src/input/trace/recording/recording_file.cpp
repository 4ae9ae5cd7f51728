#include "input/trace/recording/recording_records.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <zstd.h>

namespace kakehashi {
namespace {

constexpr std::string_view magic = "kakehashi recording\n";
constexpr std::uint64_t largest_frame = 64 << 20;

struct CloseDecoder {
  void operator()(ZSTD_DCtx* decoder) const { ZSTD_freeDCtx(decoder); }
};

} // namespace

void RecordingFile::fail(std::string message, ErrorKind kind) {
  if (fault_.empty()) {
    fault_ = std::move(message);
    fault_kind_ = kind;
  }
  at_ = frame_.size();
}

// Frames state their size, so an incomplete one was cut off or damaged.
Result<std::string> RecordingFile::compressed_frame() {
  const auto damaged = [&] {
    return file_error(ErrorKind::input, "", fmt::format("the file is damaged after byte {}", place_));
  };
  std::string bytes(std::size_t{1} << 14, '\0');
  while (true) {
    const auto read = read_(place_, bytes);
    if (!read)
      return read.errors();
    if (*read == 0)
      return std::string();
    const bool is_rest = *read < bytes.size();
    const auto size = ZSTD_findFrameCompressedSize(bytes.data(), *read);
    if (!ZSTD_isError(size)) {
      bytes.resize(size);
      return bytes;
    }
    const auto content = ZSTD_getFrameContentSize(bytes.data(), *read);
    const bool is_header_cut = is_rest && *read < 18;
    if (content == ZSTD_CONTENTSIZE_ERROR && !is_header_cut)
      return damaged();
    if (is_rest) {
      if (!is_header_cut && *read > ZSTD_compressBound(std::min<std::uint64_t>(content, largest_frame)))
        return damaged();
      return std::string();
    }
    if (content > largest_frame || bytes.size() > 2 * largest_frame)
      return damaged();
    bytes.resize(4 * bytes.size());
  }
}

bool RecordingFile::read_frame() {
  if (!is_begun_) {
    is_begun_ = true;
    std::string begin(magic.size(), '\0');
    const auto read = read_(0, begin);
    if (!read)
      return fail(read.errors().front().message, read.errors().front().kind), false;
    if (*read < magic.size() || begin != magic)
      return fail("not a recording of Kakehashi's"), false;
    place_ = magic.size();
  }
  const auto bytes = compressed_frame();
  if (!bytes)
    return fail(bytes.errors().front().message, bytes.errors().front().kind), false;
  at_ = 0;
  frame_.clear();
  if (bytes->empty())
    return false;
  const auto content = ZSTD_getFrameContentSize(bytes->data(), bytes->size());
  const std::unique_ptr<ZSTD_DCtx, CloseDecoder> decoder(ZSTD_createDCtx());
  if (content <= largest_frame)
    frame_.resize(content);
  const auto size = content <= largest_frame
                        ? ZSTD_decompressDCtx(decoder.get(), frame_.data(), frame_.size(), bytes->data(), bytes->size())
                        : ~std::size_t{0};
  if (ZSTD_isError(size) || size != content)
    return fail(fmt::format("the file is damaged after byte {}", place_)), false;
  place_ += bytes->size();
  return true;
}

// The tail follows the last frame, unless that frame got its records before the process was killed.
bool RecordingFile::read_tail() {
  std::array<std::uint64_t, 2> header{}; // length of the file that it follows, and of its complete records
  std::string bytes(sizeof header, '\0');
  if (!fault_.empty() || !tail_)
    return false;
  if (const auto read = tail_(0, bytes); !read || *read < bytes.size())
    return false;
  std::memcpy(header.data(), bytes.data(), sizeof header);
  if (header[0] != place_ || header[1] == 0)
    return false;
  frame_.assign(std::min(header[1], largest_frame), '\0');
  const auto read = tail_(sizeof header, frame_);
  frame_.resize(read ? *read : 0);
  return !frame_.empty();
}

bool RecordingFile::has_more() {
  while (fault_.empty() && at_ == frame_.size()) {
    if (has_ended_)
      return false;
    if (!read_frame()) {
      has_ended_ = true;
      if (!read_tail())
        return false;
    }
  }
  return fault_.empty();
}

std::uint64_t RecordingFile::number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && at_ < frame_.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(frame_[at_++]);
    value |= std::uint64_t{byte & 127u} << shift;
    if (byte < 128)
      return value;
  }
  fail("a record ends too early");
  return 0;
}

std::int64_t RecordingFile::signed_number() {
  const auto value = number();
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

std::size_t RecordingFile::count() {
  const auto value = number();
  if (value > frame_.size() - at_) {
    fail(fmt::format("a list of {} does not fit into its record", value));
    return 0;
  }
  return value;
}

std::string RecordingFile::text() {
  const auto size = count();
  const auto begin = at_;
  at_ += size;
  return printable(frame_.substr(begin, size));
}

} // namespace kakehashi
