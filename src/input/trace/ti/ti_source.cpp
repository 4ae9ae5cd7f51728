#include "input/trace/ti/ti_source.hpp"

#include "base/file.hpp"
#include "base/line_reader.hpp"
#include "base/number.hpp"
#include "input/trace/ti/ti_requests.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace kakehashi {
namespace {

std::uint64_t size_of(const std::string& file) {
  std::error_code status;
  const auto size = std::filesystem::file_size(file, status);
  return status ? 0 : size;
}

LineReader lines_of(const std::string& file) {
  return {read_from_file(file), std::min<std::size_t>(size_of(file) + 1, block_size(1))}; // most fit in a block
}

// Its streams use what all ranks' traces show of each other.
class TiTraces : public TraceSource {
public:
  TiTraces(const TiForm& form, TiRecords records)
      : records_(std::move(records)), communicators_(communicators_of(form)), survey_(survey(records_)) {}

  std::unique_ptr<EventStream> open(int rank) const override {
    return std::make_unique<TiRequests>(records_, rank, survey_.facts[static_cast<std::size_t>(rank)]);
  }
  std::uint64_t bytes() const override {
    std::uint64_t bytes = 0;
    for (const auto& file : files())
      bytes += size_of(file);
    return bytes;
  }
  std::vector<std::string> files() const override { return records_.files(); }
  const std::vector<RankGroup>& communicators() const override { return communicators_; }
  const std::vector<std::string>& warnings() const override { return survey_.warnings; }
  std::string communicator_advice() const override {
    return "; a trace does not state the communicators of calls, but \"communicators\" in the scenario can, and "
           "recordings of `kakehashi record` do";
  }

private:
  TiRecords records_;
  std::vector<RankGroup> communicators_;
  TiSurvey survey_;
};

using Source = Result<std::shared_ptr<const TraceSource>>;

Error no_room(const std::string& file) {
  return file_error(ErrorKind::system, file, "cannot be read: no room for a temporary file");
}

// Reads one file for each rank.
Source open_separate(const std::vector<std::string>& files, const TiForm& form) {
  TiRecords records(files, files.size());
  for (std::size_t rank = 0; rank < files.size(); ++rank) {
    TiReader reader(files[rank], static_cast<int>(rank), form);
    auto lines = lines_of(files[rank]);
    while (const auto line = lines.next())
      if (!records.add(reader, *line, lines.line()))
        return no_room(files[rank]);
    if (lines.fault())
      reader.fail(*lines.fault());
    if (!records.finish(reader))
      return no_room(files[rank]);
  }
  return {std::make_shared<const TiTraces>(form, std::move(records))};
}

// Reads a file with lines of all ranks.
Source open_shared(const std::string& file, const TiForm& form) {
  TiRecords records({file}, static_cast<std::size_t>(form.ranks));
  std::vector<TiReader> readers;
  for (int rank = 0; rank < form.ranks; ++rank)
    readers.emplace_back(file, rank, form);
  std::vector<bool> has_lines(readers.size());
  auto lines = lines_of(file);
  while (const auto line = lines.next()) {
    if (is_blank_or_comment(*line))
      continue;
    const auto begin = line->substr(line->find_first_not_of(" \t\r"));
    auto rest = begin;
    const auto rank = take_number<int>(rest).value_or(-1);
    if (rank < 0 || rank >= form.ranks) {
      const auto word = begin.substr(0, begin.find_first_of(" \t\r")).substr(0, 40);
      return input_error(file, fmt::format("line {}", lines.line()),
                         mismatch(fmt::format("\"{}\"", word), fmt::format("a rank from 0 to {}", form.ranks - 1)));
    }
    has_lines[static_cast<std::size_t>(rank)] = true;
    if (!records.add(readers[static_cast<std::size_t>(rank)], begin, lines.line()))
      return no_room(file);
  }
  if (lines.fault())
    return input_error(file, lines.fault()->place, lines.fault()->message);
  for (const auto& reader : readers) {
    if (!has_lines[static_cast<std::size_t>(reader.rank())])
      return file_error(ErrorKind::input, file, fmt::format("there is no line of rank {}", reader.rank()));
    if (!records.finish(reader))
      return no_room(file);
  }
  return {std::make_shared<const TiTraces>(form, std::move(records))};
}

// Errors: it is no readable file.
Errors check_file(const std::string& file, const Error& missing) {
  std::error_code status;
  if (!std::filesystem::exists(file, status))
    return {missing};
  if (!std::filesystem::is_regular_file(file, status))
    return {file_error(ErrorKind::input, file, "not a regular file")};
  char first = 0;
  if (const auto read = read_from_file(file)(0, std::span(&first, 1)); !read)
    return read.errors();
  return {};
}

} // namespace

Result<std::shared_ptr<const TraceSource>> open_ti(const std::string& file, const TiForm& form) {
  if (auto errors = check_file(file, file_error(ErrorKind::input, file, "no such file")); !errors.empty())
    return errors;
  constexpr std::size_t longest_name = 4096;
  constexpr std::size_t most_told = 20;
  std::vector<std::string> files;
  Errors errors;
  auto lines = lines_of(file);
  while (const auto line = lines.next()) {
    if (is_blank_or_comment(*line))
      continue;
    if (files.empty() && errors.empty() && is_ti_line(*line))
      return open_shared(file, form);
    if (line->size() > longest_name || errors.size() == most_told) {
      errors.push_back(
          input_error(file, fmt::format("line {}", lines.line()),
                      "neither a line of a trace nor the name of a file that is there; nothing more is read"));
      return errors;
    }
    const auto begin = line->find_first_not_of(" \t\r");
    const std::string name(line->substr(begin, line->find_last_not_of(" \t\r") + 1 - begin));
    std::error_code status;
    auto found = beside(file, name);
    if (!std::filesystem::exists(found, status) && std::filesystem::exists(name, status))
      found = name;
    const auto missing =
        input_error(file, fmt::format("line {}", lines.line()), fmt::format("there is no file {}", found));
    auto faults = check_file(found, missing);
    if (faults.empty() && size_of(found) == 0)
      faults.push_back(file_error(ErrorKind::input, found, "empty; even a rank that does nothing has its init"));
    errors.insert(errors.end(), faults.begin(), faults.end());
    files.push_back(std::move(found));
  }
  if (lines.fault())
    return input_error(file, lines.fault()->place, lines.fault()->message);
  const auto ranks = static_cast<std::size_t>(form.ranks);
  if (files.size() != 1 && files.size() != ranks)
    errors.push_back(file_error(
        ErrorKind::input, file,
        mismatch(counted(files.size(), "trace"), fmt::format("{}, one for each rank, or one that all share", ranks))));
  if (!errors.empty())
    return errors;
  if (files.size() == 1)
    return open_shared(files.front(), form);
  return open_separate(files, form);
}

} // namespace kakehashi
