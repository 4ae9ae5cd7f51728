#include "input/trace/dumpi/dumpi_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

namespace kakehashi {
namespace {

struct Form {
  std::string_view name;
  std::string_view arguments;
};
constexpr Form forms[] = {
#include "input/trace/dumpi/dumpi_calls.inc"
};
constexpr std::size_t end_of_calls = std::size(forms);

constexpr std::string_view dumpi_magic = "\xff\xaa\xdd"
                                         "DUMPI";
constexpr std::size_t index_bytes = 64; // the eight bytes, and seven places
constexpr std::uint64_t most_types = 1 << 16;

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char c : bytes)
    number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

Error damaged(const std::string& file, std::uint64_t place, std::string message) {
  return input_error(file, fmt::format("byte {}", place), std::move(message));
}

// Reads some bytes that must be there.
Result<std::string> part_of(const std::string& file, std::uint64_t place, std::size_t bytes) {
  std::string part(bytes, '\0');
  const auto read = read_from_file(file)(place, part);
  if (!read)
    return read.errors();
  if (*read != bytes)
    return damaged(file, place + *read, "the file ends here, which is too early");
  return part;
}

// The sizes of the types that the program used.
Result<std::vector<std::int64_t>> sizes_at(const std::string& file, std::uint64_t place) {
  std::vector<std::int64_t> sizes;
  if (place == 0)
    return sizes;
  const auto count = part_of(file, place, 4);
  if (!count)
    return count.errors();
  if (big_endian(*count) > most_types)
    return damaged(file, place, mismatch(fmt::format("{} datatypes", big_endian(*count)), "at most 65536"));
  const auto all = part_of(file, place + 4, 4 * static_cast<std::size_t>(big_endian(*count)));
  if (!all)
    return all.errors();
  for (std::size_t at = 0; at < all->size(); at += 4)
    sizes.push_back(static_cast<std::int32_t>(big_endian(std::string_view(*all).substr(at, 4))));
  return sizes;
}

} // namespace

std::string_view dumpi_name(std::size_t function) {
  return forms[function].name;
}

std::size_t dumpi_function(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(forms, name, &Form::name) - std::begin(forms));
}

std::size_t dumpi_functions() {
  return std::size(forms);
}

Result<DumpiFile> open_dumpi_file(const std::string& file) {
  std::error_code status;
  DumpiFile opened{file, std::filesystem::file_size(file, status), 0, {}};
  if (status)
    return file_error(ErrorKind::input, file, "no such file");
  const auto begin = part_of(file, 0, dumpi_magic.size());
  if (!begin)
    return begin.errors();
  if (*begin != dumpi_magic)
    return damaged(file, 0, "not a file of DUMPI");
  const auto index_place = opened.bytes - std::min<std::uint64_t>(opened.bytes, index_bytes);
  const auto index = part_of(file, index_place, index_bytes);
  if (!index || !index->starts_with(dumpi_magic))
    return damaged(file, index_place, "the file is cut: there are no places of its parts at its end");
  const auto place_number = [&](std::size_t i) { return big_endian(std::string_view(*index).substr(8 * i, 8)); };
  for (std::size_t i = 1; i < 8; ++i)
    if (place_number(i) >= opened.bytes)
      return damaged(file, index_place + 8 * i, mismatch(fmt::format("place {}", place_number(i)), "one in the file"));
  const auto version = part_of(file, place_number(4), 3);
  if (!version)
    return version.errors();
  const auto release = std::array{(*version)[0], (*version)[1], (*version)[2]};
  if (release < std::array<char, 3>{0, 6, 9})
    return damaged(file, place_number(4),
                   mismatch(fmt::format("version {}.{}.{}", +release[0], +release[1], +release[2]), "0.6.9 or later"));
  auto sizes = sizes_at(file, place_number(1));
  if (!sizes)
    return sizes.errors();
  opened.type_sizes = std::move(*sizes);
  opened.calls = place_number(5);
  return opened;
}

void DumpiCalls::fail(std::string message) {
  if (!fault_)
    fault_ = damaged(file_->file, call_.place, std::move(message));
}

// Whether so many bytes follow, which it reads.
bool DumpiCalls::fill(std::size_t bytes) {
  while (!fault_ && buffer_.size() - at_ < bytes) {
    buffer_.erase(0, at_);
    at_ = 0;
    const auto old = buffer_.size();
    buffer_.resize(std::max(block_, bytes));
    const auto read = read_from_file(file_->file)(place_, std::span(buffer_).subspan(old));
    if (!read)
      fault_ = read.errors().front();
    buffer_.resize(old + (read ? *read : 0));
    place_ += buffer_.size() - old;
    if (buffer_.size() == old)
      fail("the file ends in a call");
  }
  return !fault_;
}

std::uint64_t DumpiCalls::take(int bytes) {
  const auto length = static_cast<std::size_t>(bytes);
  if (fault_ || (buffer_.size() - at_ < length && !fill(length)))
    return 0;
  at_ += length;
  return big_endian({buffer_.data() + at_ - length, length});
}

std::int64_t DumpiCalls::take_signed(int bytes) {
  const int unused = 64 - 8 * bytes;
  return static_cast<std::int64_t>(take(bytes) << unused) >> unused;
}

// The number of entries of a list, of this size each.
std::size_t DumpiCalls::take_length(std::size_t bytes) {
  const auto length = take(4);
  const auto left = file_->bytes - std::min(file_->bytes, place_) + (buffer_.size() - at_);
  if (length * bytes <= left)
    return static_cast<std::size_t>(length);
  fail(mismatch(fmt::format("a list of {} entries in {}", length, dumpi_name(call_.function)),
                fmt::format("at most what the file's {} other bytes hold", left)));
  return 0;
}

Seconds DumpiCalls::take_time() {
  const auto seconds = static_cast<double>(take(2));
  return {seconds + 1e-9 * static_cast<double>(take(4))};
}

void DumpiCalls::read_times(unsigned mask) {
  constexpr double day = 65536; // s: the numbers of seconds have 16 bits
  if ((mask & 0x40) != 0)
    take(2); // the thread
  if ((mask & 4) != 0)
    for (int i = 0; i < 3; ++i)
      take(4); // the processor's times
  call_.has_times = (mask & 8) != 0;
  call_.start = call_.stop = {};
  if (call_.has_times)
    for (auto* time : {&call_.start, &call_.stop}) {
      *time = take_time() + Seconds{days_};
      if (*time + Seconds{day / 2} < last_) {
        days_ += day;
        *time += Seconds{day};
      }
      last_ = *time;
    }
  if ((mask & 0x80) != 0)
    for (auto counters = 2 * take(1); counters > 0 && !fault_; --counters)
      take(8);
}

void DumpiCalls::read_states(DumpiValue& value) {
  if (!has_states_)
    return;
  for (auto states = take_length(14); states > 0 && !fault_; --states) {
    take(4); // bytes
    value.list.push_back(take_signed(4));
    take(2); // whether it was cancelled, and the error
    value.list.push_back(take_signed(4));
  }
}

void DumpiCalls::read_value(char form, DumpiValue& value) {
  const auto width = [](char letter) { return letter == 'b' ? 1 : letter == 'h' ? 2 : letter == 'q' ? 8 : 4; };
  if (form >= 'a') {
    value.number = take_signed(width(form));
    return;
  }
  if (form == 'S')
    return read_states(value);
  if (form == 'J' || form == 'D' || form == 'E') { // their lists follow each other in one
    const auto inner = form == 'J' ? 'I' : form == 'D' ? 'B' : 'D';
    for (auto lists = take_length(4); lists > 0 && !fault_; --lists)
      read_value(inner, value);
    return;
  }
  const int bytes = width(static_cast<char>(form - 'A' + 'a'));
  for (auto entries = take_length(static_cast<std::size_t>(bytes)); entries > 0 && !fault_; --entries)
    value.list.push_back(take_signed(bytes));
}

const DumpiCall* DumpiCalls::next() {
  if (!begun_) {
    begun_ = true;
    take(4); // the seconds at the beginning of both clocks
    take(4);
  }
  if (fault_)
    return nullptr;
  call_.place = place_ - (buffer_.size() - at_);
  call_.function = end_of_calls;
  const auto function = static_cast<std::size_t>(take(2));
  if (fault_ || function == end_of_calls)
    return nullptr;
  if (function > end_of_calls || forms[function].arguments == "-") {
    fail(mismatch(fmt::format("a call with number {}", function), "one that DUMPI knows"));
    return nullptr;
  }
  call_.function = function;
  const auto mask = static_cast<unsigned>(take(1));
  has_states_ = (mask & 3) != 0;
  read_times(mask);
  const auto& arguments = forms[function].arguments;
  call_.values.resize(arguments.size() - static_cast<std::size_t>(std::ranges::count(arguments, '?')));
  for (auto& value : call_.values) { // whose lists keep their memory
    value.number = 0;
    value.list.clear();
  }
  std::int64_t caller = 0;
  std::int64_t root = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < arguments.size() && !fault_; ++i, ++at) {
    const bool is_of_root = arguments[i] == '?';
    i += is_of_root ? 1 : 0;
    if (!is_of_root || caller == root)
      read_value(arguments[i], call_.values[at]);
    if (arguments[i] == 'r' || arguments[i] == 'o')
      (arguments[i] == 'r' ? caller : root) = call_.values[at].number;
  }
  return fault_ ? nullptr : &call_;
}

} // namespace kakehashi
