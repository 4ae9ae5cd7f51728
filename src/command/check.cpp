#include "command/command.hpp"
#include "command/command_parts.hpp"
#include "command/shared_options.hpp"
#include "input/growth/growth.hpp"
#include "input/platform/mpi_reader.hpp"
#include "input/platform/own_algorithm_reader.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "input/trace/recording/recording_source.hpp"
#include "report/report_parts.hpp"
#include "study/machine/machine_views.hpp"
#include "study/run/scenario_run.hpp"
#include "workload/replay.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

struct CheckArguments {
  std::vector<std::string> files;
  std::string max_memory;
  bool quiet = false;
};

OptionRows check_rows(CheckArguments& options) {
  return {{"FILE",
           "platform and scenario files, folders of recordings, and files of rules for Open MPI or MPICH, and of "
           "algorithms of your own",
           &options.files, Values::not_empty},
          memory_rows(options.max_memory),
          {"--quiet", "print faults only", &options.quiet}};
}

// Recordings by program.
using Sizes = std::map<std::string, std::vector<RecordedSize>>;

int check_recording(const std::string& folder, const CheckArguments& options, const Streams& streams, Sizes& sizes) {
  const auto survey = survey_recording(folder);
  if (!survey)
    return report_errors(survey.errors(), streams);
  warn(survey->warnings, streams);
  Replay replay;
  replay.source = source_of(folder, *survey);
  const auto errors = check_replay(replay, static_cast<std::size_t>(survey->start.ranks));
  if (errors.empty() && !options.quiet)
    streams.out << summary_of_recording(folder, *survey);
  if (errors.empty() && survey->unfit.empty())
    sizes[survey->start.program].push_back({folder, replay.source, survey->start.ranks});
  return errors.empty() ? 0 : report_errors(errors, streams);
}

// Describes a file of rules for an MPI library, and warns of entries that may not do what their writer meant.
int check_rules_file(const std::string& text, const std::string& file, const CheckArguments& options,
                     const Streams& streams) {
  const auto known = read_any_rules(text, file);
  if (!known)
    return report_errors(known.errors(), streams);
  warn(warnings_of(known->rules), streams);
  if (options.quiet)
    return 0;
  streams.out << file << ": " << known->form << ", no faults\n";
  write_text(parts_of(known->rules), streams.out);
  return 0;
}

// Returns the text of a file of rules; none: it is no such file, or cannot be read.
std::optional<std::string> rules_in(const std::string& file, const Streams& streams) {
  if (file == "-" || streams.texts.contains(file))
    return std::nullopt;
  auto text = read_text(file);
  if (!text || !is_rules_text(*text))
    return std::nullopt;
  return std::move(*text);
}

bool is_own_algorithm_file(const std::string& file, const Streams& streams) {
  if (file == "-" || streams.texts.contains(file))
    return false;
  const auto text = read_text(file);
  return text && is_own_algorithm_text(*text);
}

// Follows each byte of a user's own algorithm, for several numbers of ranks.
int check_own_algorithm(const std::string& file, const CheckArguments& options, const Streams& streams) {
  const auto own = read_own_algorithm(file);
  if (!own)
    return report_errors(own.errors(), streams);
  if (const auto fault = first_fault(**own))
    return report_errors({*fault}, streams);
  if (!options.quiet)
    streams.out << fmt::format("{}: an algorithm of {}, no faults: each byte ends where it should, for {} ranks{}\n",
                               file, row_of((*own)->collective).name, tried_ranks,
                               (*own)->is_for(3) && (*own)->is_for(33) ? "" : " as far as it is for them");
  return 0;
}

// Describes what recordings of one program on several numbers of ranks predict for more ranks.
void tell_growth(const std::string& program, const std::vector<RecordedSize>& recordings, const Streams& streams) {
  if (std::ranges::all_of(recordings, [&](const auto& size) { return size.ranks == recordings.front().ranks; }))
    return;
  const auto found = held_out(recordings);
  if (found)
    streams.out << summary_of_growth(*found);
  else
    for (const auto& error : found.errors())
      streams.out << fmt::format("{}: the recordings do not show what more ranks would do: {}\n", program,
                                 to_text(error));
}

int check(const CheckArguments& options, const Streams& streams) {
  const auto edits = edits_of({}, streams.texts);
  if (!edits)
    return report_errors(edits.errors(), streams);
  int exit_code = 0;
  Sizes sizes;
  for (const auto& file : options.files) {
    if (std::error_code status; std::filesystem::is_directory(file, status)) {
      exit_code = std::max(exit_code, check_recording(file, options, streams, sizes));
      continue;
    }
    if (is_own_algorithm_file(file, streams)) {
      exit_code = std::max(exit_code, check_own_algorithm(file, options, streams));
      continue;
    }
    if (const auto rules = rules_in(file, streams)) {
      exit_code = std::max(exit_code, check_rules_file(*rules, file, options, streams));
      continue;
    }
    const auto either = read_any(file, *edits);
    Errors errors;
    if (!either)
      errors = either.errors();
    else if (const auto* scenario = std::get_if<Scenario>(&*either)) {
      if (const auto routes = routes_of(*scenario); !routes)
        errors = routes.errors();
      else if (const auto* replay = std::get_if<Replay>(&scenario->workload))
        errors = check_replay(*replay, scenario->ranks.size());
    }
    if (const auto* scenario = either ? std::get_if<Scenario>(&*either) : nullptr)
      tell_assumptions(*scenario, streams);
    if (!errors.empty())
      exit_code = report_errors(errors, streams);
    else if (!options.quiet)
      streams.out << file << ": " << (std::holds_alternative<Scenario>(*either) ? "scenario" : "platform")
                  << ", no faults\n";
    if (const auto* platform = errors.empty() && !options.quiet ? std::get_if<Platform>(&*either) : nullptr) {
      write_text(parts_of(route_choices(*platform)), streams.out);
      for (const auto& warning : near_caps(*platform))
        streams.err << "warning: " << file << ": " << warning << '\n';
    }
  }
  for (const auto& [program, recordings] : sizes)
    if (!options.quiet)
      tell_growth(program, recordings, streams);
  return exit_code;
}

} // namespace

const Command check_command{
    "check",
    "check platform and scenario files, rules of MPI libraries and own algorithms, and report all their faults",
    "  kakehashi check platforms/hpcdiy-qdr.json\n"
    "  kakehashi check platforms/*.json scenarios/*/*.json\n"
    "  kakehashi check halo\n"
    "  kakehashi check halo-8 halo-27 halo-64\n"
    "  kakehashi check my_rules.conf\n"
    "  kakehashi check libraries/collectives/ring.json\n",
    takes(check_rows, check)};

} // namespace kakehashi
