#include "command/command.hpp"

#include "base/memory.hpp"
#include "command/memory.hpp"
#include "model/platform.hpp"
#include "report/colour.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <span>
#include <thread>
#include <unistd.h>

namespace kakehashi {
namespace {

constexpr std::string_view purpose = "Predicts how long MPI messages take on clusters whose nodes are not flat.";
constexpr std::string_view examples =
    "Examples:\n"
    "  kakehashi simulate scenarios/hpcdiy-qdr/latency-qdr-node1-direct.json\n"
    "  kakehashi validate\n"
    "  kakehashi check my-platform.json\n"
    "\n"
    "`kakehashi COMMAND --help` shows the options and examples of a command. Exit codes: 0 success, 1 a "
    "run failed, 2 bad input or usage, 130 interrupted.\n";

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options())
    for (const auto& name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const auto& command : commands())
    names.emplace_back(command.name);
  return names;
}

int refuse_usage(std::string message, std::string suggestion, const Streams& streams) {
  report_errors({usage_error(std::move(message), std::move(suggestion))}, streams);
  if (!streams.faults)
    streams.err << "Try `kakehashi --help`.\n";
  return 2;
}

// CLI11 knows what it could not read; the suggestion is ours.
int explain_usage(const CLI::App& app, const CLI::App& chosen, const CLI::ParseError& failure, const Streams& streams) {
  for (const auto* level : {&app, &chosen})
    for (const auto& word : level->remaining())
      if (word.starts_with("-"))
        return refuse_usage("unknown option " + word, closest(word.substr(0, word.find('=')), option_names(chosen)),
                            streams);
  return refuse_usage(failure.what(), "", streams);
}

// A result that did not get out is no success: a full disk, or a closed pipe.
int delivered(int exit_code, const Streams& streams) {
  streams.out.flush();
  if (streams.out)
    return exit_code;
  return std::max(exit_code, report_errors({run_error("standard output: cannot be written")}, streams));
}

} // namespace

std::span<const Command> commands() {
  static const std::array table{simulate_command, sweep_command,     compare_command, explain_command,
                                validate_command, calibrate_command, record_command,  check_command,
                                list_command,     import_command,    export_command,  completion_command,
                                man_command};
  return table;
}

void declare_jobs(CLI::App& app, Options& options) {
  app.add_option("--jobs", options.jobs, "processes at a time; default: one for each core")->check(CLI::Range(1, 1024));
}

int jobs_of(const Options& options) {
  return options.jobs > 0 ? options.jobs : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

void declare_scenario(CLI::App& app, Options& options, const std::string& meaning, ScenarioOptions which) {
  auto& words = options.scenario;
  const bool has_place = which == ScenarioOptions::all;
  app.add_option("SCENARIO", options.files, meaning + (has_place ? "; - reads standard input" : ""));
  if (has_place) {
    app.add_option("--platform", words.platform, "another platform file than that of the scenario");
    app.add_option("--fabric", words.fabric, "another fabric");
  }
  app.add_option("--ranks", words.ranks,
                 "other devices for the ranks, such as n1.cpu,n2.cpu, or patterns: \"n*.cpu*\", \"n[0-7].cpu0\"")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--per-device", words.per_device, "so many ranks on each device of the pattern")
      ->check(CLI::Range(1, 100000));
  app.add_option("--order", words.order,
                 "block (the first ranks on the first device), cyclic (on each device by turns) or cyclic-in-node")
      ->check(CLI::IsMember({"block", "cyclic", "cyclic-in-node"}));
  app.add_option(
      "--benchmark", words.benchmark,
      has_place
          ? "another workload: a benchmark such as imb-alltoall; with --platform and --ranks no scenario is needed"
          : "another workload: a benchmark such as imb-alltoall");
  app.add_option("--sizes", words.sizes, "other message sizes, such as \"8 B,4 KiB,1 MiB\"")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--set", words.sets,
                 "FIELD=VALUE: another value for a field of the scenario (/workload/window=16) or of its platform "
                 "(platform:/fabrics/ib/rules/0/regimes/0/cap=\"3 GB/s\"); can be given several times")
      ->allow_extra_args(false)
      ->type_name("FIELD=VALUE");
  declare_memory(app, options);
}

void declare_format(CLI::App& app, Options& options, const std::vector<std::string>& names) {
  const std::vector<std::string> first(names.begin(), names.end() - 1);
  app.add_option("--format", options.format, fmt::format("{} or {}", fmt::join(first, ", "), names.back()))
      ->check(CLI::IsMember(names))
      ->capture_default_str();
}

void declare_engine(CLI::App& app, Options& options) {
  app.add_option(
         "--engine", options.engine,
         "simgrid, fluid (Kakehashi's own, for many messages) or auto: SimGrid while that takes no time, else fluid")
      ->check(CLI::IsMember(std::vector<std::string>(engine_names.begin(), engine_names.end())))
      ->capture_default_str();
  app.add_option(
         "--tolerance", options.tolerance,
         "tolerance of the fluid engine, in percent from 0 to 5: a message may end when half of that share is missing")
      ->check(CLI::Range(0.0, 5.0))
      ->capture_default_str();
  app.add_flag("--whole", options.whole,
               "simulate every rank and every round also where all do the same, so that some could stand for all");
}

EngineOptions engine_of(const Options& options) {
  return {*from_name<EngineKind>(engine_names, options.engine), options.tolerance / 100, 0, options.whole};
}

int report_errors(const Errors& errors, const Streams& streams) {
  constexpr std::size_t most_told = 32;
  if (streams.faults) {
    streams.faults->insert(streams.faults->end(), errors.begin(), errors.end());
    return exit_code(errors);
  }
  for (const auto& error : std::span(errors).first(std::min(most_told, errors.size())))
    streams.err << "error: " << to_text(error) << '\n';
  if (errors.size() > most_told)
    streams.err << "error: and " << errors.size() - most_told << " more\n";
  return exit_code(errors);
}

namespace {

// Tables are in colour on a terminal; what other programs read never is.
int act(const Command& command, const CLI::App& app, const Options& options, const Streams& streams) {
  const bool shows_table = app.get_option_no_throw("--format") && options.format == "table";
  if (streams.columns == 0 || !shows_table)
    return command.action(options,
                          {streams.out, streams.err, 0, streams.faults, streams.progress, streams.page, streams.texts});
  ColourBuffer buffer(streams.out);
  std::ostream coloured(&buffer);
  return command.action(
      options, {coloured, streams.err, streams.columns, streams.faults, streams.progress, streams.page, streams.texts});
}

// Where even to clean up takes memory (nlohmann's values need some for that), there is no way back to main.
[[noreturn]] void end_without_memory() {
  try {
    if (const auto what = std::current_exception())
      std::rethrow_exception(what);
  } catch (const std::bad_alloc&) {
    constexpr std::string_view text = "error: there is not enough memory\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
    _exit(1);
  } catch (...) { // a fault of ours
  }
  std::abort();
}

// The machine goes on whatever the command takes.
int act_within_memory(const Command& command, const CLI::App& app, const Options& options, const Streams& streams) {
  const auto limit = memory_limit(options);
  if (!limit)
    return report_errors(limit.errors(), streams);
  bound_memory(*limit);
  std::set_terminate(end_without_memory);
  try {
    return act(command, app, options, streams);
  } catch (const std::bad_alloc&) {
    return report_errors({system_error(options.max_memory.empty() ? "there is not enough memory"
                                                                  : "this takes more memory than --max-memory allows")},
                         streams);
  }
}

} // namespace

int run_command_line(const std::vector<std::string>& words, const Streams& streams) {
  CLI::App app{std::string(purpose), "kakehashi"};
  app.footer(std::string(examples));
  app.set_version_flag("--version", "kakehashi " KAKEHASHI_VERSION);
  app.require_subcommand(1);
  Options options;
  const Command* chosen = nullptr;
  const CLI::App* chosen_app = &app;
  for (const auto& command : commands()) {
    auto* sub = app.add_subcommand(std::string(command.name), std::string(command.purpose));
    sub->footer(fmt::format("Examples:\n{}", command.examples));
    command.declare(*sub, options);
    if (!words.empty() && words.front() == command.name) {
      chosen = &command;
      chosen_app = sub;
    }
  }
  if (words.empty())
    return refuse_usage("no command given; expected " + fmt::format("{}", fmt::join(command_names(), ", ")), "",
                        streams);
  if (!chosen && !words.front().starts_with("-"))
    return refuse_usage(fmt::format("unknown command \"{}\"", words.front()), closest(words.front(), command_names()),
                        streams);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    streams.out << (chosen ? chosen_app->help("kakehashi") : app.help());
    return delivered(0, streams);
  } catch (const CLI::CallForVersion& version) {
    streams.out << version.what() << '\n';
    return delivered(0, streams);
  } catch (const CLI::ParseError& failure) {
    return explain_usage(app, *chosen_app, failure, streams);
  }
  return delivered(act_within_memory(*chosen, *chosen_app, options, streams), streams);
}

} // namespace kakehashi
