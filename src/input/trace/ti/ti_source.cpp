#include "input/trace/ti/ti_source.hpp"

#include "base/file.hpp"
#include "base/number.hpp"
#include "input/trace/ti/ti_reader.hpp"

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

using OpenLines = std::function<std::unique_ptr<TiStream>(int rank)>;

// Its streams begin with the lines of a rank, and use what all ranks' traces show of each other.
class TiTraces : public TraceSource {
public:
  TiTraces(std::shared_ptr<const TiForm> form, std::vector<std::string> files, OpenLines lines)
      : form_(std::move(form)), files_(std::move(files)), lines_(std::move(lines)),
        communicators_(communicators_of(*form_)), survey_(survey(lines_, form_->ranks)) {}

  std::unique_ptr<EventStream> open(int rank) const override {
    return std::make_unique<TiRequests>(lines_(rank), rank, survey_.facts[static_cast<std::size_t>(rank)]);
  }
  std::uint64_t bytes() const override {
    std::uint64_t bytes = 0;
    for (const auto& file : files_)
      bytes += size_of(file);
    return bytes;
  }
  std::vector<std::string> files() const override { return files_; }
  const std::vector<RankGroup>& communicators() const override { return communicators_; }
  const std::vector<std::string>& warnings() const override { return survey_.warnings; }
  std::string communicator_advice() const override {
    return "; a trace does not state the communicators of calls, but \"communicators\" in the scenario can, and "
           "recordings of `kakehashi record` do";
  }

private:
  std::shared_ptr<const TiForm> form_;
  std::vector<std::string> files_;
  OpenLines lines_;
  std::vector<RankGroup> communicators_;
  TiSurvey survey_;
};

using SharedForm = std::shared_ptr<const TiForm>;

// Opens one file for each rank.
OpenLines separate_files(const std::vector<std::string>& files, const SharedForm& form) {
  return [files, form](int rank) {
    const auto& file = files[static_cast<std::size_t>(rank)];
    return std::make_unique<TiStream>(file, lines_of(file, files.size()), rank, *form, false);
  };
}

// Reads a file with lines of all ranks once, and sorts the lines, each after its number, by rank.
Result<std::shared_ptr<const Spool>> sorted_by_rank(const std::string& file, int ranks, std::size_t block) {
  const auto spool = std::make_shared<Spool>(static_cast<std::size_t>(ranks), block);
  const auto no_room = file_error(ErrorKind::system, file, "cannot be sorted by rank: no room for a temporary file");
  auto lines = lines_of(file, 1);
  std::string numbered;
  while (const auto line = lines.next()) {
    if (is_blank_or_comment(*line))
      continue;
    const auto begin = line->substr(line->find_first_not_of(" \t\r"));
    auto rest = std::string_view(begin);
    const auto rank = take_number<int>(rest).value_or(-1);
    if (rank < 0 || rank >= ranks) {
      const auto word = begin.substr(0, begin.find_first_of(" \t\r")).substr(0, 40);
      return input_error(file, fmt::format("line {}", lines.line()),
                         mismatch(fmt::format("\"{}\"", word), fmt::format("a rank from 0 to {}", ranks - 1)));
    }
    numbered.clear();
    fmt::format_to(std::back_inserter(numbered), "{} {}\n", lines.line(), begin);
    if (!spool->append(static_cast<std::size_t>(rank), numbered))
      return no_room;
  }
  if (lines.fault())
    return input_error(file, lines.fault()->place, lines.fault()->message);
  if (!spool->finish())
    return no_room;
  for (int rank = 0; rank < ranks; ++rank)
    if (spool->size(static_cast<std::size_t>(rank)) == 0)
      return file_error(ErrorKind::input, file, fmt::format("there is no line of rank {}", rank));
  return std::shared_ptr<const Spool>(spool);
}

Result<std::shared_ptr<const TraceSource>> open_shared(const std::string& file, const SharedForm& form) {
  const auto block = block_size(static_cast<std::size_t>(form->ranks));
  const auto sorted = sorted_by_rank(file, form->ranks, block);
  if (!sorted)
    return sorted.errors();
  const auto open = [file, form, block, spool = *sorted](int rank) {
    auto read = [spool, text = static_cast<std::size_t>(rank)](std::uint64_t place, std::span<char> room) {
      return spool->read(text, place, room);
    };
    return std::make_unique<TiStream>(file, LineReader(std::move(read), block), rank, *form, true);
  };
  return {std::make_shared<const TiTraces>(form, std::vector{file}, open)};
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

Result<std::shared_ptr<const TraceSource>> open_ti(const std::string& file, const TiForm& given) {
  const auto form = std::make_shared<const TiForm>(given);
  if (auto errors = check_file(file, file_error(ErrorKind::input, file, "no such file")); !errors.empty())
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
  const auto ranks = static_cast<std::size_t>(form->ranks);
  if (files.size() != 1 && files.size() != ranks)
    errors.push_back(file_error(
        ErrorKind::input, file,
        mismatch(counted(files.size(), "trace"), fmt::format("{}, one for each rank, or one that all share", ranks))));
  if (!errors.empty())
    return errors;
  if (files.size() == 1)
    return open_shared(files.front(), form);
  return {std::make_shared<const TiTraces>(form, files, separate_files(files, form))};
}

} // namespace kakehashi
