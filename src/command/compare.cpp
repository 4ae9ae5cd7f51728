#include "command/command.hpp"
#include "command/progress.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "report/format.hpp"
#include "study/comparison.hpp"
#include "study/run.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <set>

namespace kakehashi {
namespace {

void declare(CLI::App& app, Options& options) {
  app.add_option("SCENARIO", options.files, "the scenario to run on each fabric or platform")->required()->expected(1);
  app.add_option("--fabrics", options.fabrics, "the fabrics, such as tcp,dapl; default: all that reach every rank")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--platforms", options.platforms,
                 "other platform files than the scenario's, with devices and fabrics of the same names")
      ->delimiter(',')
      ->allow_extra_args(false);
  declare_format(app, options, formats_with(&ReportFormat::comparison));
  declare_jobs(app, options);
  app.add_flag("--quiet", options.quiet, "no progress, and no notes");
}

// The scenario on one platform, once for each fabric.
Result<std::vector<Contender>> contenders_on(const Scenario& scenario, const Options& options, const Streams& streams) {
  std::vector<Contender> contenders;
  Errors errors;
  std::vector<std::string> names;
  for (const auto& fabric : scenario.platform->fabrics)
    names.push_back(fabric.name);
  for (const auto& name : options.fabrics.empty() ? names : options.fabrics) {
    if (!find_fabric(*scenario.platform, name)) {
      errors.push_back({ErrorKind::usage, "", "",
                        "--fabrics: " + mismatch("\"" + name + "\"", "a fabric of " + scenario.platform->file),
                        closest(name, names)});
      continue;
    }
    auto contender = Contender{name, scenario};
    contender.scenario.fabric = name;
    const auto planned = plan(contender.scenario);
    if (planned)
      contenders.push_back(std::move(contender));
    else if (!options.fabrics.empty())
      errors.insert(errors.end(), planned.errors().begin(), planned.errors().end());
    else if (!options.quiet)
      streams.err << "note: fabric " << name << " is left out: " << planned.errors().front().message << '\n';
  }
  if (!errors.empty())
    return errors;
  return contenders;
}

Result<std::vector<Contender>> all_contenders(const Options& options, const Streams& streams) {
  const auto& file = options.files.front();
  std::vector<Scenario> scenarios;
  Errors errors;
  const auto gather = [&](Result<Scenario> scenario) {
    if (scenario)
      scenarios.push_back(std::move(*scenario));
    else
      errors.insert(errors.end(), scenario.errors().begin(), scenario.errors().end());
  };
  if (options.platforms.empty())
    gather(read_scenario(file));
  for (const auto& platform : options.platforms)
    gather(read_scenario(file, platform));
  std::vector<Contender> all;
  for (const auto& scenario : scenarios) {
    // On several platforms the scenario's own fabric is what is compared, unless others are named.
    auto wanted = options;
    if (options.platforms.size() > 1 && options.fabrics.empty())
      wanted.fabrics = {scenario.fabric};
    auto contenders = contenders_on(scenario, wanted, streams);
    if (!contenders) {
      errors.insert(errors.end(), contenders.errors().begin(), contenders.errors().end());
      continue;
    }
    for (auto& contender : *contenders) {
      if (options.platforms.size() > 1)
        contender.name = scenario.platform->name + "/" + contender.name;
      all.push_back(std::move(contender));
    }
  }
  std::set<std::string> names;
  for (const auto& contender : all)
    if (!names.insert(contender.name).second)
      errors.push_back({ErrorKind::usage, "", "", mismatch(contender.name + " twice", "each only once"), ""});
  if (errors.empty() && all.size() < 2)
    errors.push_back({ErrorKind::usage, file, "",
                      mismatch(fmt::format("{} to compare", all.empty() ? "nothing" : "only " + all.front().name),
                               "at least two fabrics or platforms"),
                      ""});
  if (!errors.empty())
    return errors;
  return all;
}

int compare_all(const Options& options, const Streams& streams) {
  const auto contenders = all_contenders(options, streams);
  if (!contenders)
    return report_errors(contenders.errors(), streams);
  const auto comparison = [&] {
    const Progress progress(streams.err, "compare: run", options.quiet);
    return compare(*contenders, jobs_of(options), std::cref(progress));
  }();
  if (!comparison)
    return report_errors(comparison.errors(), streams);
  find_format(options.format)->comparison(*comparison, streams.out);
  return 0;
}

} // namespace

const Command compare_command{
    "compare", "run a scenario on several fabrics or platforms, and show which one wins at which size",
    "  kakehashi compare scenarios/tca-mic/mic-to-remote-mic.json\n"
    "  kakehashi compare --fabrics tcp,dapl scenarios/colfax-mic/asian-option-2-devices.json\n"
    "  kakehashi compare --platforms now.json,planned.json my-scenario.json\n",
    declare, compare_all};

} // namespace kakehashi
