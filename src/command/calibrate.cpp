#include "command/command.hpp"
#include "command/command_parts.hpp"
#include "command/measurements.hpp"
#include "command/shared_options.hpp"
#include "command/shell/terminal.hpp"
#include "command/shell/whole_file.hpp"
#include "input/json/json_document.hpp"
#include "input/platform/platform_reader.hpp"
#include "report/format.hpp"
#include "report/page/pages.hpp"
#include "report/report_parts.hpp"
#include "study/fit/fit_parts.hpp"
#include "study/fit/fits.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <sstream>
#include <utility>

namespace kakehashi {
namespace {

struct CalibrateArguments {
  MeasurementArguments measured;
  ReportArguments report;
  std::string format = "table";
  int most_regimes = 0; // 0: not stated
  std::optional<std::string> rendezvous;
  std::vector<int> adjustments;
  bool write = false;
  int jobs = 0;
  bool quiet = false;
};

OptionRows calibrate_rows(CalibrateArguments& options) {
  return {
      {"FILE", "scenarios with measured references (.json), logs of IMB or OSU, or tables as CSV",
       &options.measured.files},
      {"--log",
       "a log, and where its ranks were: same-socket=FILE, same-node=FILE, between-nodes=FILE or two devices, as "
       "node0.cpu0,node0.cpu1=FILE; any number of them",
       &options.measured.logs},
      {"--collective",
       "NODESxRANKS=FILE: a log of collective operations on the first NODES nodes of the platform with RANKS ranks on "
       "the cores of each, or of NCCL or RCCL on RANKS GPUs of each, to fit what messages between two ranks do not "
       "show; 2x64:ring=FILE names the algorithm, if "
       "the library used another one than the platform's would. Or the folder of a recording that was made there, to "
       "fit what messages take after work; any number of them",
       &options.measured.collectives},
      {"--map-by",
       "with --collective: where its ranks are, as in mpirun's --map-by: core (default; fills socket after socket), "
       "numa, l3cache, "
       "socket (each in turn) or node (each in turn)",
       &options.measured.map_by, OneOf{"core", "socket", "numa", "l3cache", "node"}},
      {"--regimes", "the most regimes; default: 4", &options.most_regimes, Range{1, 16}},
      {"--rendezvous",
       "first size that takes three trips, such as \"2 KiB\", or none; default: what a falling time shows",
       &options.rendezvous},
      {"--platform", "logs: the platform on which they were measured; default: that of --merge, if any",
       &options.measured.platform, Values::not_empty},
      {"--fabric",
       "logs: the fabric of that platform, needed if it has several; of several names, such as shm,ib, each log is of "
       "the first that joins its ranks",
       &options.measured.fabric, Values::not_empty},
      {"--ranks", "logs: the two devices, such as node0.cpu0,node1.cpu0; needed if paths between nodes differ",
       &options.measured.ranks, Values::comma_list},
      {"--benchmark",
       "logs: the benchmarks of tables that do not name it, such as CSV: imb-pingpong or osu-latency,osu-bw",
       &options.measured.benchmarks, Values::comma_list},
      {"--adjustments", "instead of regimes, fit what these adjustments of the fabric add (by index)",
       &options.adjustments, Values::comma_list},
      {"--merge", "print this platform file with the fitted values merged in", &options.measured.merge,
       Values::not_empty},
      {"--set FIELD=VALUE",
       "FIELD=VALUE: another value for a field of the platform (links[n1.hca-n2.hca].lanes=4, "
       "fabrics.ib.stripes_from=\"16 "
       "KiB\") while it is calibrated; --merge leaves that field as the file has it. Can be given several times",
       &options.measured.sets},
      {"--write", "with --merge: overwrite the file", &options.write},
      format_row(options.format, format_names(false)),
      report_rows(options.report),
      jobs_row(options.jobs),
      {"--quiet", "no progress", &options.quiet},
  };
}

// Finds faults of the options that do not depend on the files.
Errors check_options(const CalibrateArguments& options) {
  Errors errors;
  const auto fault = [&](bool is_wrong, std::string message) {
    if (is_wrong)
      errors.push_back(usage_error(std::move(message)));
  };
  fault(options.measured.files.empty() && options.measured.logs.empty() && options.measured.collectives.empty(),
        mismatch("no FILE", "at least one, --log or --collective"));
  fault(options.write && options.measured.merge.empty(), "--write needs --merge PLATFORM");
  fault(!options.measured.merge.empty() && options.format != "table",
        "--format does not go with --merge, which prints a platform");
  if (options.rendezvous && *options.rendezvous != "none" && !parse_bytes(*options.rendezvous))
    fault(true, "--rendezvous: " + mismatch(in_quotes(*options.rendezvous), expected_bytes(*options.rendezvous)));
  const bool tunes = !options.adjustments.empty();
  fault(tunes && options.rendezvous, "--rendezvous does not go with --adjustments, which fits no regimes");
  fault(tunes && options.most_regimes > 0, "--regimes does not go with --adjustments, which fits no regimes");
  fault(tunes && !options.measured.collectives.empty(), "--collective does not go with --adjustments");
  std::set<int> indices;
  for (const int index : options.adjustments)
    fault(!indices.insert(index).second,
          fmt::format("--adjustments: got {} twice, expected each index only once", index));
  append(errors, check_report(options.report));
  return errors;
}

// Whether a name is among those between commas.
bool is_named(const std::string& names, const std::string& name) {
  return ("," + names + ",").find("," + name + ",") != std::string::npos;
}

// Finds faults of the options for these scenarios.
Errors check_options(const CalibrateArguments& options, const std::vector<Scenario>& scenarios) {
  Errors errors;
  const auto& first = scenarios.front();
  const auto& platform = *first.platform;
  const auto& fabric = *find_fabric(platform, first.fabric);
  const int count = static_cast<int>(fabric.adjustments.size());
  for (const int index : options.adjustments)
    if (index < 0 || index >= count)
      errors.push_back(
          usage_error(fmt::format("--adjustments: got {}, but fabric {} has {} of them", index, fabric.name, count)));
  std::error_code status;
  if (!options.measured.merge.empty() && !std::filesystem::equivalent(options.measured.merge, platform.file, status))
    errors.push_back(
        usage_error("--merge: " + mismatch(in_quotes(options.measured.merge),
                                           "the platform that is calibrated, " + in_quotes(platform.file))));
  for (const auto& scenario : scenarios) {
    if (!options.measured.fabric.empty() && scenario.file.ends_with(".json") &&
        !is_named(options.measured.fabric, scenario.fabric))
      errors.push_back(
          usage_error("--fabric: " + mismatch(in_quotes(options.measured.fabric),
                                              "the fabric that is calibrated, " + in_quotes(scenario.fabric))));
    if (!options.adjustments.empty() && scenario.fabric != fabric.name)
      errors.push_back(usage_error(
          fmt::format("--adjustments: {}", mismatch("fabrics " + fabric.name + " and " + scenario.fabric, "one"))));
  }
  return errors;
}

// Finds faults of the options if all logs are of pairs of ranks, which give no regimes.
Errors check_without_scenarios(const CalibrateArguments& options) {
  if (options.adjustments.empty() && !wants_report(options.report))
    return {};
  return {usage_error("--adjustments, --report and --plot need a log of two ranks, or a scenario")};
}

// The result for the scenarios of a fabric.
template <class Found> struct Fit {
  std::vector<Scenario> scenarios;
  Found found;

  const std::string& fabric() const { return scenarios.front().fabric; }
};
template <class Found> using Fits = std::vector<Fit<Found>>;

// Checks the merged platform and prints it, or overwrites the file.
int deliver(const std::string& merged, const CalibrateArguments& options, const Streams& streams) {
  const auto document = parse_json(merged, options.measured.merge); // so that files beside it are found
  const auto errors_in = [](const auto& result) { return result ? Errors() : result.errors(); };
  if (const auto errors = document ? errors_in(parse_platform(*document)) : document.errors(); !errors.empty())
    return report_errors(errors, streams);
  if (!options.write)
    streams.out << merged;
  else if (const auto errors = replace_file(options.measured.merge, merged); !errors.empty())
    return report_errors(errors, streams);
  return 0;
}

// Findings besides the fits.
struct Surroundings {
  std::vector<RuleSplit> splits;
  std::vector<SharedLimit> limits;
  std::optional<CollectiveFit> collectives{};
};

// Several findings are a list in JSON.
template <class Found>
void print_all(const std::string& format, const Fits<Found>& fits, const Surroundings& around, const Streams& streams) {
  const auto& limits = around.limits;
  const bool is_list = format == "json" && fits.size() + (limits.empty() ? 0 : 1) + (around.collectives ? 1 : 0) > 1;
  std::string before = is_list ? "[\n" : "";
  const auto write = [&](const Report& report) {
    streams.out << std::exchange(before, is_list ? ",\n" : "");
    print_report(report, format, streams);
  };
  for (const auto& fit : fits)
    write(report_of(fit.found, fit.fabric()));
  if (!limits.empty())
    write(report_of(limits));
  if (around.collectives)
    write(report_of(*around.collectives));
  if (is_list)
    streams.out << "]\n";
}

std::string merge_limits(std::string platform, const std::vector<SharedLimit>& limits, std::ostream& notes) {
  for (const auto& limit : limits)
    if (can_be_merged(limit))
      platform = merge(platform, limit);
    else if (limit.is_limit)
      notes << "note: " << limit.field << " is not merged: "
            << (limit.devices.empty() ? "the platform has no such device on the path" : "platforms have no such field")
            << '\n';
  return platform;
}

// Returns a platform file's text with the results of logs of two ranks and of pairs.
template <class Found>
std::string merged(std::string platform, const Fits<Found>& fits, const Surroundings& around, std::ostream& notes) {
  for (const auto& split : around.splits)
    platform = merge(platform, split);
  for (const auto& fit : fits)
    platform = merge(platform, fit.fabric(), fit.found);
  return merge_limits(std::move(platform), around.limits, notes);
}

// Prints the findings, or merges them into the platform and prints a summary besides.
template <class Found>
int tell(const Fits<Found>& fits, const Surroundings& around, const CalibrateArguments& options,
         const Streams& streams) {
  if (options.measured.merge.empty()) {
    print_all(options.format, fits, around, streams);
    return 0;
  }
  const auto platform = read_text(options.measured.merge);
  if (!platform)
    return report_errors(platform.errors(), streams);
  const auto note = [&](const Report& report) { write_report(report, *find_format("table"), {streams.err}); };
  for (const auto& fit : fits)
    note(report_of(fit.found, fit.fabric()));
  if (!around.limits.empty())
    note(report_of(around.limits));
  auto text = merged(*platform, fits, around, streams.err);
  if (around.collectives) {
    note(report_of(*around.collectives));
    text = merge(text, *around.collectives);
  }
  return deliver(text, options, streams);
}

Result<CalibrationRecord> fit_regimes(std::span<const Scenario> scenarios, const CalibrateArguments& options, int jobs,
                                      const Streams& streams) {
  CalibrationOptions wanted;
  if (options.most_regimes > 0)
    wanted.most_regimes = options.most_regimes;
  if (options.rendezvous) {
    wanted.rendezvous = parse_bytes(*options.rendezvous);
    wanted.infers_rendezvous = false;
  }
  Progress progress(streams, "calibrate: step", options.quiet);
  return calibrate_regimes(scenarios, wanted, jobs, std::ref(progress));
}

// Returns the pages of all fits as one page.
template <class Found> Page page_of(const Fits<Found>& fits, int jobs) {
  std::optional<Page> whole;
  for (const auto& fit : fits) {
    auto page = page_of(fit.found, fit.fabric(), predict_curves(with_found(fit.scenarios, fit.found), jobs));
    if (!whole)
      whole = std::move(page);
    else
      for (auto& section : page.sections) {
        section.title = fmt::format("{}: {}", page.title, section.title);
        whole->sections.push_back(std::move(section));
      }
  }
  return *whole;
}

// Prints the findings and writes the report.
template <class Found>
int tell_all(const Fits<Found>& fits, const Surroundings& around, const CalibrateArguments& options,
             const Streams& streams) {
  const int code = tell(fits, around, options, streams);
  if (fits.empty())
    return code;
  streams.out.flush(); // child processes would print it again
  const auto errors = write_reports(options.report, streams, [&] { return page_of(fits, jobs_of(options.jobs)); });
  return errors.empty() ? code : report_errors(errors, streams);
}

// Checks the logs on the platform as its file states it, before anything is fitted.
Errors faults_of_collectives(const CalibrateArguments& options) {
  if (options.measured.collectives.empty())
    return {};
  const auto platform = read_text(platform_of(options.measured));
  if (!platform)
    return platform.errors();
  const auto scenarios = read_collectives(options.measured, *platform);
  return scenarios ? Errors() : scenarios.errors();
}

// Fits on the platform with everything else that was found.
Result<CollectiveFit> fit_to_collectives(const Fits<CalibrationRecord>& fits, const Surroundings& around,
                                         const CalibrateArguments& options, int jobs, const Streams& streams) {
  const auto platform = read_text(platform_of(options.measured));
  if (!platform)
    return platform.errors();
  std::ostringstream notes; // the merge prints these later
  const auto scenarios = read_collectives(options.measured, merged(*platform, fits, around, notes));
  if (!scenarios)
    return scenarios.errors();
  Progress progress(streams, "calibrate: step", options.quiet);
  return fit_collectives(*scenarios, jobs, std::ref(progress));
}

int calibrate_files(const CalibrateArguments& options, const Streams& streams) {
  if (const auto errors = check_options(options); !errors.empty())
    return report_errors(errors, streams);
  const auto measured = read_measurements(options.measured);
  if (!measured)
    return report_errors(measured.errors(), streams);
  const auto errors =
      measured->scenarios.empty() ? check_without_scenarios(options) : check_options(options, measured->scenarios);
  if (!errors.empty())
    return report_errors(errors, streams);
  for (const auto& note : measured->notes)
    streams.err << "note: " << note << '\n';
  const int jobs = jobs_of(options.jobs);
  if (!options.adjustments.empty()) {
    const std::vector<std::size_t> indices(options.adjustments.begin(), options.adjustments.end());
    auto tuned = tune_adjustments(measured->scenarios, indices, jobs);
    return tuned ? tell_all(Fits<TunedAdjustments>{{measured->scenarios, std::move(*tuned)}}, {}, options, streams)
                 : report_errors(tuned.errors(), streams);
  }
  if (const auto faults = faults_of_collectives(options); !faults.empty())
    return report_errors(faults, streams);
  Fits<CalibrationRecord> fits;
  for (auto& scenarios : fitted_together(measured->scenarios)) {
    auto record = fit_regimes(scenarios, options, jobs, streams);
    if (!record)
      return report_errors(record.errors(), streams);
    fits.push_back({std::move(scenarios), std::move(*record)});
  }
  Surroundings around{measured->splits, shared_limits(measured->pair_tests, measured->scenarios)};
  if (!options.measured.collectives.empty()) {
    auto found = fit_to_collectives(fits, around, options, jobs, streams);
    if (!found)
      return report_errors(found.errors(), streams);
    around.collectives = std::move(*found);
  }
  return tell_all(fits, around, options, streams);
}

} // namespace

const Command calibrate_command{
    "calibrate", "fit the regimes of a fabric to measured curves",
    "  kakehashi calibrate scenarios/hpcdiy-qdr/latency-gbe.json scenarios/hpcdiy-qdr/bw-gbe.json\n"
    "  kakehashi calibrate --rendezvous \"2 KiB\" --format json my-latency.json my-bw.json\n"
    "  kakehashi calibrate pingpong.log osu-bw.log\n"
    "  kakehashi calibrate --merge mine.json --fabric ib pingpong.log\n"
    "  kakehashi calibrate --merge mine.json --log same-socket=near.log --log between-nodes=far.log\n"
    "  kakehashi calibrate --merge mine.json --log between-nodes=far.log --collective 2x64=alltoall.log --collective "
    "2x64:ring=allgather.log\n"
    "  kakehashi calibrate --merge gpus.json --collective 2x8=all_reduce_perf.log\n"
    "  kakehashi calibrate --platform mine.json --fabric ib --ranks n1.cpu,n2.cpu pingpong.log osu-bw.log\n",
    takes(calibrate_rows, calibrate_files)};

} // namespace kakehashi
