#include "command/comparing.hpp"

#include "command/command.hpp"
#include "command/shared_options.hpp"
#include "input/trace/recording/recording_source.hpp"
#include "report/format.hpp"
#include "result/comparison.hpp"
#include "workload/call_order.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

namespace kakehashi {
namespace {

bool is_folder(const std::string& file) {
  std::error_code none;
  return std::filesystem::is_directory(file, none);
}

Result<ReplayPart> part_in(const ReplayPartWords& words) {
  ReplayPart part;
  part.region = words.region;
  Errors errors;
  const auto read = [&](const char* option, const std::string& text) {
    auto border = text.empty() ? std::nullopt : border_of(text);
    if (!border && !text.empty())
      errors.push_back(usage_error(fmt::format("{}: {}", option, mismatch(in_quotes(text), expected_border))));
    return border;
  };
  part.from = read("--from", words.from);
  part.to = read("--to", words.to);
  if (ends_too_early(part))
    errors.push_back(usage_error("--to: " + mismatch(in_quotes(words.to), "a later time than --from")));
  return errors.empty() ? Result(part) : errors;
}

constexpr std::array<const char*, 3> unit_names{"time", "processor time", "instructions"};

Result<RecordedRun> run_of(const std::string& folder, const ReplayPart& part, const Streams& streams) {
  auto survey = survey_recording(folder);
  if (!survey)
    return survey.errors();
  const auto start = survey->start;
  warn(survey->warnings, streams);
  auto source = source_of(folder, std::move(*survey));
  if (start.unit == WorkUnit::instructions)
    if (auto error = timeless_part(folder, part))
      return *error;
  if (!part.is_all()) {
    auto shorter = only_part(std::move(source), start.ranks, folder, part, AtBorder::kept);
    if (!shorter)
      return shorter.errors();
    source = std::move(*shorter);
  }
  auto calls = recorded_calls(*source, start.ranks);
  if (!calls)
    return calls.errors();
  return RecordedRun{text_of(part, folder),
                     start.program,
                     start.library,
                     static_cast<std::size_t>(start.ranks),
                     unit_names[static_cast<std::size_t>(start.unit)],
                     calls->instructions / start.ranks,
                     std::move(calls->profile)};
}

} // namespace

bool are_recordings(const std::vector<std::string>& files) {
  return files.size() > 1 && std::ranges::any_of(files, is_folder);
}

int compare_recordings(const std::vector<std::string>& folders, const ReplayPartWords& words, const std::string& format,
                       const Streams& streams) {
  for (const auto& file : folders)
    if (std::error_code none; !std::filesystem::exists(file, none))
      return report_errors({file_error(ErrorKind::input, file, "no such folder")}, streams);
  if (folders.size() != 2 || !std::ranges::all_of(folders, is_folder)) {
    const auto other = std::ranges::find_if_not(folders, is_folder);
    return report_errors({usage_error(mismatch(other != folders.end() ? *other + " beside a recording"
                                                                      : fmt::format("{} recordings", folders.size()),
                                               "two recordings, or one scenario or recording and the fabrics or "
                                               "platforms to run it on"))},
                         streams);
  }
  const auto part = part_in(words);
  if (!part)
    return report_errors(part.errors(), streams);
  std::vector<RecordedRun> runs;
  Errors errors;
  for (const auto& folder : folders)
    if (auto run = run_of(folder, *part, streams))
      runs.push_back(std::move(*run));
    else
      append(errors, run.errors());
  if (!errors.empty())
    return report_errors(errors, streams);
  const auto comparison = compare(std::move(runs[0]), std::move(runs[1]));
  print_report(report_of(comparison), format, streams);
  return 0;
}

} // namespace kakehashi
