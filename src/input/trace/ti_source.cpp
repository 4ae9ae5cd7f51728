#include "input/trace/ti_source.hpp"

#include "base/file.hpp"
#include "input/trace/spool.hpp"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>

namespace kakehashi {
namespace {

std::uint64_t size_of(const std::string& file) {
  std::error_code status;
  const auto size = std::filesystem::file_size(file, status);
  return status ? 0 : size;
}

LineReader lines_of(const std::string& file, std::size_t readers) {
  return {read_from_file(file), block_size(readers)};
}

// A file for each rank.
class SeparateFiles : public TraceSource {
public:
  SeparateFiles(std::vector<std::string> files, const TiForm& form) : files_(std::move(files)), form_(form) {}

  std::unique_ptr<EventStream> open(int rank) const override {
    const auto& file = files_[static_cast<std::size_t>(rank)];
    return std::make_unique<TiStream>(file, lines_of(file, files_.size()), rank, form_, false);
  }
  std::uint64_t bytes() const override {
    std::uint64_t bytes = 0;
    for (const auto& file : files_)
      bytes += size_of(file);
    return bytes;
  }

private:
  std::vector<std::string> files_;
  TiForm form_;
};

// A stream that has nothing but a fault.
class BrokenStream : public EventStream {
public:
  BrokenStream(std::string file, Error error) : file_(std::move(file)), fault_(std::move(error)) {}
  const std::string& file() const override { return file_; }
  const TraceEvent* next() override { return nullptr; }
  const std::optional<Error>& fault() const override { return fault_; }

private:
  std::string file_;
  std::optional<Error> fault_;
};

// One file whose lines belong to different ranks. When the first stream is opened it is read once, and its lines, each
// after its number, are sorted by rank.
class SharedFile : public TraceSource {
public:
  SharedFile(std::string file, const TiForm& form) : file_(std::move(file)), form_(form) {}

  std::unique_ptr<EventStream> open(int rank) const override {
    if (!spool_ && !fault_)
      sort();
    if (fault_)
      return std::make_unique<BrokenStream>(file_, *fault_);
    const auto text = static_cast<std::size_t>(rank);
    auto read = [spool = spool_, text](std::uint64_t place, std::span<char> room) {
      return spool->read(text, place, room);
    };
    return std::make_unique<TiStream>(file_, LineReader(std::move(read), block()), rank, form_, true);
  }
  std::uint64_t bytes() const override { return size_of(file_); }

private:
  std::size_t block() const { return block_size(static_cast<std::size_t>(form_.ranks)); }

  void sort() const {
    auto spool = std::make_shared<Spool>(static_cast<std::size_t>(form_.ranks), block());
    auto lines = lines_of(file_, 1);
    std::string numbered;
    while (const auto line = lines.next()) {
      if (is_blank_or_comment(*line))
        continue;
      const auto begin = line->substr(line->find_first_not_of(" \t\r"));
      int rank = -1;
      std::from_chars(begin.data(), begin.data() + begin.size(), rank);
      if (rank < 0 || rank >= form_.ranks) {
        const auto word = begin.substr(0, begin.find_first_of(" \t\r")).substr(0, 40);
        fault_ = Error{ErrorKind::input, file_, fmt::format("line {}", lines.line()),
                       mismatch(fmt::format("\"{}\"", word), fmt::format("a rank from 0 to {}", form_.ranks - 1)), ""};
        return;
      }
      numbered.clear();
      fmt::format_to(std::back_inserter(numbered), "{} {}\n", lines.line(), begin);
      if (!spool->append(static_cast<std::size_t>(rank), numbered))
        return fail("cannot be sorted by rank: no room for a temporary file");
    }
    if (lines.fault())
      fault_ = Error{ErrorKind::input, file_, lines.fault()->place, lines.fault()->message, ""};
    else if (!spool->finish())
      fail("cannot be sorted by rank: no room for a temporary file");
    for (int rank = 0; rank < form_.ranks && !fault_; ++rank)
      if (spool->size(static_cast<std::size_t>(rank)) == 0)
        fault_ = Error{ErrorKind::input, file_, "", fmt::format("there is no line of rank {}", rank), ""};
    spool_ = std::move(spool);
  }
  void fail(std::string message) const { fault_ = Error{ErrorKind::run, file_, "", std::move(message), ""}; }

  std::string file_;
  TiForm form_;
  mutable std::shared_ptr<const Spool> spool_;
  mutable std::optional<Error> fault_;
};

// Errors: what is no file that can be read.
Errors check_file(const std::string& file, const Error& missing) {
  std::error_code status;
  if (!std::filesystem::exists(file, status))
    return {missing};
  if (!std::filesystem::is_regular_file(file, status))
    return {{ErrorKind::input, file, "", "not a regular file", ""}};
  char first = 0;
  if (const auto read = read_from_file(file)(0, std::span(&first, 1)); !read)
    return read.errors();
  return {};
}

} // namespace

Result<std::shared_ptr<const TraceSource>> open_ti(const std::string& file, const TiForm& form) {
  if (auto errors = check_file(file, {ErrorKind::input, file, "", "no such file", ""}); !errors.empty())
    return errors;
  constexpr std::size_t longest_name = 4096;
  constexpr std::size_t most_told = 20;
  std::vector<std::string> files;
  Errors errors;
  auto lines = lines_of(file, 1);
  while (const auto line = lines.next()) {
    if (is_blank_or_comment(*line))
      continue;
    if (files.empty() && errors.empty() && is_ti_line(*line))
      return {std::make_shared<const SharedFile>(file, form)};
    if (line->size() > longest_name || errors.size() == most_told) {
      errors.push_back({ErrorKind::input, file, fmt::format("line {}", lines.line()),
                        "neither a line of a trace nor the name of a file that is there; nothing more is read", ""});
      return errors;
    }
    const auto begin = line->find_first_not_of(" \t\r");
    const std::string name(line->substr(begin, line->find_last_not_of(" \t\r") + 1 - begin));
    std::error_code status;
    auto found = beside(file, name);
    if (!std::filesystem::exists(found, status) && std::filesystem::exists(name, status))
      found = name;
    const Error missing{ErrorKind::input, file, fmt::format("line {}", lines.line()),
                        fmt::format("there is no file {}", found), ""};
    auto faults = check_file(found, missing);
    if (faults.empty() && size_of(found) == 0)
      faults.push_back({ErrorKind::input, found, "", "empty; even a rank that does nothing has its init", ""});
    errors.insert(errors.end(), faults.begin(), faults.end());
    files.push_back(std::move(found));
  }
  if (lines.fault())
    return Error{ErrorKind::input, file, lines.fault()->place, lines.fault()->message, ""};
  const auto ranks = static_cast<std::size_t>(form.ranks);
  if (files.size() != 1 && files.size() != ranks)
    errors.push_back(
        {ErrorKind::input, file, "",
         mismatch(counted(files.size(), "trace"), fmt::format("{}, one for each rank, or one that all share", ranks)),
         ""});
  if (!errors.empty())
    return errors;
  if (files.size() == 1)
    return {std::make_shared<const SharedFile>(files.front(), form)};
  return {std::make_shared<const SeparateFiles>(std::move(files), form)};
}

} // namespace kakehashi
