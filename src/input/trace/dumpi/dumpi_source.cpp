#include "input/trace/dumpi/dumpi_source.hpp"

#include "base/file.hpp"
#include "base/number.hpp"
#include "input/trace/dumpi/dumpi_events.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace kakehashi {
namespace {

namespace fs = std::filesystem;

struct DumpiTrace {
  std::vector<DumpiFile> files; // by rank
  DumpiCommunicators communicators;
};
using SharedTrace = std::shared_ptr<const DumpiTrace>;

class DumpiStream : public EventStream {
public:
  DumpiStream(SharedTrace trace, int rank)
      : trace_(std::move(trace)), file_(trace_->files[static_cast<std::size_t>(rank)]),
        calls_(file_, block_size(trace_->files.size())), events_(file_, trace_->communicators, rank) {}

  const std::string& file() const override { return file_.file; }
  std::string_view unit() const override { return "byte"; }
  const std::optional<Error>& fault() const override { return fault_; }
  const DumpiGaps& gaps() const { return events_.gaps(); }

  const TraceEvent* next() override {
    while (!fault_) {
      if (auto event = events_.next(at_end_)) {
        event_ = std::move(*event);
        return &event_;
      }
      if (at_end_)
        return nullptr;
      read_call();
    }
    return nullptr;
  }

private:
  void read_call() {
    const auto* call = calls_.next();
    if (!call) {
      fault_ = calls_.fault();
      at_end_ = true;
      return;
    }
    events_.take(*call);
    if (!events_.fault().empty())
      fault_ = input_error(file_.file, fmt::format("byte {}", call->place), events_.fault());
  }

  SharedTrace trace_;
  const DumpiFile& file_;
  DumpiCalls calls_;
  DumpiEvents events_;
  bool at_end_ = false;
  TraceEvent event_;
  std::optional<Error> fault_;
};

class DumpiSource : public TraceSource {
public:
  DumpiSource(SharedTrace trace, std::vector<std::string> warnings)
      : trace_(std::move(trace)), warnings_(std::move(warnings)) {}

  std::unique_ptr<EventStream> open(int rank) const override { return std::make_unique<DumpiStream>(trace_, rank); }
  std::uint64_t bytes() const override {
    std::uint64_t bytes = 0;
    for (const auto& file : trace_->files)
      bytes += file.bytes;
    return bytes;
  }
  std::vector<std::string> files() const override {
    std::vector<std::string> files;
    for (const auto& file : trace_->files)
      files.push_back(file.file);
    return files;
  }
  const std::vector<RankGroup>& communicators() const override { return trace_->communicators.groups; }
  const std::vector<std::string>& warnings() const override { return warnings_; }

private:
  SharedTrace trace_;
  std::vector<std::string> warnings_;
};

// The number at the end of a name such as dumpi-2024.05.01.12.00.00-0013.bin, and what is before it.
std::optional<std::pair<std::string, int>> parts_of(const std::string& name) {
  if (!name.ends_with(".bin"))
    return std::nullopt;
  const auto stem = name.substr(0, name.size() - 4);
  const auto dash = stem.rfind('-');
  if (dash == std::string::npos)
    return std::nullopt;
  const auto number = number_in<int>(std::string_view(stem).substr(dash + 1));
  return number ? std::optional(std::pair(stem.substr(0, dash), *number)) : std::nullopt;
}

// Errors: there is no file of some rank. `prefix`: how the files' names begin; empty: as the first one's does.
Result<std::vector<std::string>> rank_files(const std::string& path, const fs::path& folder, std::string prefix) {
  std::map<std::string, std::map<int, std::string>> found; // by prefix and rank
  std::error_code status;
  for (const auto& each : fs::directory_iterator(folder.empty() ? "." : folder, status))
    if (const auto parts = parts_of(each.path().filename().string()))
      found[parts->first][parts->second] = (folder / each.path().filename()).string();
  if (prefix.empty() && found.size() > 1)
    return file_error(ErrorKind::input, path,
                      fmt::format("there are several traces here, such as {} and {}: name the .meta file of one",
                                  found.begin()->first, std::next(found.begin())->first));
  if (prefix.empty() && !found.empty())
    prefix = found.begin()->first;
  std::vector<std::string> files;
  for (const auto& [rank, file] : found[prefix]) {
    if (static_cast<std::size_t>(rank) != files.size())
      break;
    files.push_back(file);
  }
  if (files.empty() || files.size() < found[prefix].size())
    return file_error(ErrorKind::input, path,
                      fmt::format("there is no file of rank {}, {}-{:04}.bin", files.size(),
                                  prefix.empty() ? "NAME" : prefix, files.size()));
  return files;
}

// What a .meta file states, a line each: KEY=VALUE.
Result<std::vector<std::string>> files_of_meta(const std::string& path) {
  const auto text = read_text(path, 1 << 20);
  if (!text)
    return text.errors();
  std::map<std::string, std::string> values;
  for (std::size_t begin = 0; begin < text->size();) {
    const auto end = std::min(text->find('\n', begin), text->size());
    const auto line = text->substr(begin, end - begin);
    if (const auto equals = line.find('='); equals != std::string::npos)
      values[line.substr(0, equals)] = line.substr(equals + 1);
    begin = end + 1;
  }
  const auto ranks = number_in<int>(values["numprocs"]);
  if (!ranks || *ranks < 1 || values["fileprefix"].empty())
    return file_error(ErrorKind::input, path, "no .meta file of DUMPI: expected lines numprocs=… and fileprefix=…");
  auto files = rank_files(path, fs::path(path).parent_path(), fs::path(values["fileprefix"]).filename().string());
  if (files && files->size() != static_cast<std::size_t>(*ranks))
    return file_error(ErrorKind::input, path,
                      mismatch(fmt::format("files of {}", counted(files->size(), "rank")),
                               fmt::format("{}, as numprocs states", *ranks)));
  return files;
}

std::string text_of(const std::string& what, std::uint64_t count) {
  return what == "times"
             ? fmt::format("{} no wall time; work beside {} is not replayed",
                           count == 1 ? "1 call has" : fmt::format("{} calls have", count), count == 1 ? "it" : "them")
         : what.ends_with("empty")
             ? fmt::format("{}: {}", what, counted(count, "time"))
             : fmt::format("{} of {} {} left out", counted(count, "call"), what, count == 1 ? "is" : "are");
}

} // namespace

Result<std::shared_ptr<const TraceSource>> open_dumpi(const std::string& path, int ranks) {
  std::error_code status;
  if (!fs::exists(path, status))
    return file_error(ErrorKind::input, path, "no such file");
  const auto files = fs::is_directory(path, status) ? rank_files(path, path, "") : files_of_meta(path);
  if (!files)
    return files.errors();
  if (files->size() != static_cast<std::size_t>(ranks))
    return file_error(ErrorKind::input, path,
                      mismatch(counted(files->size(), "rank"), fmt::format("{}, as in the scenario", ranks)));
  auto trace = std::make_shared<DumpiTrace>();
  std::vector<DumpiGroupCalls> made(files->size());
  for (std::size_t rank = 0; rank < files->size(); ++rank) {
    auto file = open_dumpi_file((*files)[rank]);
    if (!file)
      return file.errors();
    trace->files.push_back(std::move(*file));
    DumpiCalls calls(trace->files.back(), block_size(1));
    while (const auto* call = calls.next())
      made[rank].take(*call);
    if (calls.fault())
      return *calls.fault();
  }
  trace->communicators = dumpi_communicators(made);
  DumpiGaps gaps;
  for (int rank = 0; rank < ranks; ++rank) {
    DumpiStream events(trace, rank);
    while (events.next()) {
    }
    if (events.fault())
      return *events.fault();
    for (const auto& [what, count] : events.gaps())
      gaps[what] += count;
  }
  std::vector<std::string> warnings;
  for (const auto& [what, count] : gaps)
    warnings.push_back(fmt::format("{}: {}", path, text_of(what, count)));
  return {std::make_shared<const DumpiSource>(trace, std::move(warnings))};
}

} // namespace kakehashi
