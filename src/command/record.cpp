#include "base/data_folder.hpp"
#include "base/text.hpp"
#include "command/command.hpp"
#include "command/command_parts.hpp"
#include "command/shell/programs.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <thread>

namespace kakehashi {
namespace {

struct RecordArguments {
  std::vector<std::string> program; // and its words
  std::string output;               // a folder
  bool overwrite = false;
  std::string counted = "time";
  std::string mpicc = "mpicc";
  bool shows_environment = false;
};

OptionRows record_rows(RecordArguments& options) {
  return {{"PROGRAM", "after --: what to run, such as mpirun with its options", &options.program},
          {"-o,--output", "the folder for the recording, a file for each rank", &options.output},
          {"--overwrite", "replace the recording that is there", &options.overwrite},
          {"--count",
           "what work between calls is counted in: time, processor-time (where ranks share cores) or instructions "
           "(where the system allows it)",
           &options.counted, OneOf{"time", "processor-time", "instructions"}},
          {"--mpicc", "the compiler of the program's MPI", &options.mpicc},
          {"--env", "run nothing: print what a batch script has to export, and build the recorder if need be",
           &options.shows_environment}};
}

// Errors: the folder holds something else, or a recording that is to be kept.
Errors prepare_folder(const std::string& folder, bool overwrites) {
  std::error_code status;
  if (!std::filesystem::exists(folder, status) || std::filesystem::is_empty(folder, status))
    return {};
  const auto fault = [&](std::string message) {
    return Errors{file_error(ErrorKind::usage, folder, std::move(message))};
  };
  if (!std::filesystem::is_directory(folder, status))
    return fault("this is a file; --output takes a folder");
  std::vector<std::filesystem::path> files;
  for (const auto& each : std::filesystem::directory_iterator(folder, status)) {
    if (each.path().extension() != ".rank" && each.path().extension() != ".tail")
      return fault("the folder has other files than those of a recording; name another one");
    files.push_back(each.path());
  }
  if (!overwrites)
    return fault("there is a recording already; --overwrite replaces it");
  for (const auto& file : files)
    std::filesystem::remove(file, status);
  return {};
}

// The dynamic loader takes a blank for the end of a name in LD_PRELOAD, but not of a folder in LD_LIBRARY_PATH.
std::map<std::string, std::string> preloading(const std::filesystem::path& library) {
  if (library.native().find(' ') == std::string::npos)
    return {{"LD_PRELOAD", library}};
  return {{"LD_PRELOAD", library.filename()}, {"LD_LIBRARY_PATH", library.parent_path()}};
}

int show_environment(const std::string& library, const RecordArguments& options, const Streams& streams) {
  for (const auto& [name, value] : preloading(library)) {
    const auto before = name == "LD_PRELOAD" ? "" : fmt::format("\"${{{0}:+:${0}}}\"", name);
    streams.out << fmt::format("export {}={}{}\n", name, in_shell_quotes(value), before);
  }
  streams.out << fmt::format("export KAKEHASHI_RECORD={}\n",
                             in_shell_quotes(std::filesystem::absolute(options.output).string()));
  streams.out << fmt::format("export CUDA_INJECTION64_PATH={}\n", in_shell_quotes(library));
  if (options.counted != "time")
    streams.out << fmt::format("export KAKEHASHI_RECORD_COUNT={}\n", options.counted);
  return 0;
}

int show_recording(const std::string& folder, const Streams& streams) {
  const auto survey = survey_recording(folder);
  if (!survey)
    return report_errors(survey.errors(), streams);
  warn(survey->warnings, streams);
  const auto cores = std::thread::hardware_concurrency();
  if (survey->start.unit == WorkUnit::time && static_cast<unsigned>(survey->start.ranks) > cores && cores > 0)
    streams.err << fmt::format("note: {} ranks on {}: if all ran here, time between their calls includes that of "
                               "others; --count processor-time leaves it out\n",
                               survey->start.ranks, counted(cores, "core"));
  streams.out << summary_of_recording(folder, *survey);
  return 0;
}

int record(const RecordArguments& options, const Streams& streams) {
  if (options.output.empty())
    return report_errors({usage_error("--output is needed: the folder for the recording")}, streams);
  if (options.program.empty() != options.shows_environment)
    return report_errors({usage_error(options.program.empty() ? "nothing to run; expected -- and a program, or --env"
                                                              : "--env runs nothing; leave the program out")},
                         streams);
  const auto library = build_recorder(options.mpicc, streams.err);
  if (!library)
    return report_errors(library.errors(), streams);
  if (options.shows_environment)
    return show_environment(*library, options, streams);
  if (const auto errors = prepare_folder(options.output, options.overwrite); !errors.empty())
    return report_errors(errors, streams);
  const auto folder = std::filesystem::absolute(options.output).string();
  const auto profiler = std::getenv("CUDA_INJECTION64_PATH"); // CUDA's driver loads it
  std::map<std::string, std::string> variables{{"CUDA_INJECTION64_PATH", profiler && *profiler ? profiler : *library},
                                               {"KAKEHASHI_RECORD", folder},
                                               {"KAKEHASHI_RECORD_COUNT", options.counted}};
  for (const auto& [name, value] : preloading(*library)) {
    const auto before = std::getenv(name.c_str());
    variables[name] = before && *before ? value + ":" + before : value;
  }
  const auto end = run_program(options.program, variables);
  if (!end)
    return report_errors(end.errors(), streams);
  if (!std::filesystem::exists(recording_file(folder, 0))) {
    report_errors(
        {file_error(ErrorKind::run, options.output,
                    fmt::format("nothing was recorded: {} did not call MPI_Init, or not with a shared library of MPI",
                                options.program.front()))},
        streams);
    return *end == 0 ? 1 : *end;
  }
  const auto shown = show_recording(options.output, streams);
  return *end == 0 ? shown : *end;
}

} // namespace

const Command record_command{"record", "run an MPI program, and record what its ranks do",
                             "  kakehashi record -o halo -- mpirun -n 8 ./halo\n"
                             "  kakehashi record -o halo --mpicc mpicc.mpich -- mpirun.mpich -n 8 ./halo\n"
                             "  kakehashi record --env -o halo >> job.sh\n",
                             takes(record_rows, record)};

} // namespace kakehashi
