#include "command/gpu_tune.hpp"

#include "base/number.hpp"
#include "command/shell/terminal.hpp"
#include "command/shell/whole_file.hpp"
#include "input/json/json_document.hpp"
#include "report/page/pages.hpp"
#include "study/gpu/gpu_studies.hpp"
#include "writer/gpu_tuner_writer.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

// The usual error of predicted times (docs/gpus.md).
constexpr double usual_gpu_margin = 0.1;

Error not_tunable(std::string_view option, const std::string& found, const std::string& expected,
                  std::string suggestion = "") {
  return usage_error(fmt::format("{}: {}", option, mismatch(in_quotes(found), expected)), std::move(suggestion));
}

void read_gpu_operations(const std::vector<std::string>& stated, GpuTuneRequest& request, Errors& errors) {
  std::vector<std::string> names;
  for (const auto each : tunable_gpu_operations)
    names.emplace_back(name_of(gpu_operation_names, each));
  for (const auto& name : stated)
    if (const auto found = std::ranges::find(names, name); found == names.end())
      errors.push_back(not_tunable("--collectives", name,
                                   fmt::format("operations whose algorithm can be chosen: {}", fmt::join(names, ", ")),
                                   closest(name, names)));
    else
      request.operations.push_back(tunable_gpu_operations[static_cast<std::size_t>(found - names.begin())]);
  if (stated.empty())
    request.operations.assign(tunable_gpu_operations.begin(), tunable_gpu_operations.end());
}

void read_gpu_sizes(const std::vector<std::string>& stated, GpuTuneRequest& request, Errors& errors) {
  constexpr int least = 3, most = 34; // powers of two: 8 B to 16 GiB
  for (const auto& text : stated)
    if (const auto size = parse_bytes(text); size && size->count > 0 && *size <= largest_size)
      request.sizes.push_back(*size);
    else
      errors.push_back(not_tunable("--sizes", text, std::string(expected_bytes(text))));
  for (int power = least; power <= most && stated.empty(); ++power)
    request.sizes.push_back(Bytes{std::uint64_t{1} << power});
  std::ranges::sort(request.sizes);
  request.sizes.erase(std::unique(request.sizes.begin(), request.sizes.end()), request.sizes.end());
}

Result<GpuTuneRequest> gpu_request_of(const GpuTuneArguments& arguments) {
  GpuTuneRequest request;
  request.margin = usual_gpu_margin;
  Errors errors;
  read_gpu_operations(arguments.operations, request, errors);
  read_gpu_sizes(arguments.words.sizes, request, errors);
  if (!arguments.margin.empty()) {
    const auto margin = number_in<double>(arguments.margin);
    if (!margin || !(*margin >= 0) || *margin > 1e6)
      errors.push_back(not_tunable("--margin", arguments.margin, "a gain in percent, such as 10"));
    else
      request.margin = *margin / 100;
  }
  if (!arguments.rules.empty())
    append(errors, check_writable(arguments.rules));
  if (!errors.empty())
    return errors;
  return request;
}

} // namespace

int tune_gpu_library(const GpuTuneArguments& arguments, const Streams& streams) {
  const auto request = gpu_request_of(arguments);
  if (!request)
    return report_errors(request.errors(), streams);
  ScenarioArguments place{{}, arguments.words, ""};
  place.words.benchmark = "nccl-allreduce";
  place.words.sizes.clear();
  const auto scenario = scenario_of(place, streams);
  if (!scenario)
    return report_errors(scenario.errors(), streams);
  const auto tuning = tune_gpus(*scenario, *request);
  if (!tuning)
    return report_errors(tuning.errors(), streams);
  print_report(report_of(*tuning), arguments.format, streams);
  Errors errors;
  if (!arguments.rules.empty()) {
    append(errors, write_whole(arguments.rules, [&](std::ostream& out) { write_gpu_tuner(*tuning, out); }));
    if (errors.empty() && arguments.format == "table")
      streams.out << "# NCCL_TUNER_PLUGIN=libnccl-tuner-example.so NCCL_TUNER_CONFIG_FILE="
                  << shell_word(arguments.rules) << '\n';
  }
  append(errors, write_reports(arguments.report, streams, [&] { return page_of(*tuning); }));
  return errors.empty() ? 0 : report_errors(errors, streams);
}

} // namespace kakehashi
