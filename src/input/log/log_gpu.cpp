// What is special in the logs of nccl-tests and rccl-tests: their lines above tables, their header, and rows that show
// which operation was called. Source: nccl-tests, src/common.cu, doc/PERFORMANCE.md.
#include "base/number.hpp"
#include "base/text.hpp"
#include "input/log/log_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> gpu_programs{{
    {"all_reduce_perf", "nccl-allreduce"},
    {"all_gather_perf", "nccl-allgather"},
    {"reduce_scatter_perf", "nccl-reducescatter"},
    {"broadcast_perf", "nccl-broadcast"},
    {"reduce_perf", "nccl-reduce"},
    {"alltoall_perf", "nccl-alltoall"},
    {"sendrecv_perf", "nccl-sendrecv"},
}};

std::string_view word_after(std::string_view text, std::string_view words) {
  const auto at = text.find(words);
  if (at == std::string_view::npos)
    return {};
  const auto rest = trimmed(text.substr(at + words.size()));
  return rest.substr(0, rest.find_first_of(" +"));
}

// "NCCL version 2.18.3+cuda12.2", "RCCL version : 2.20.5", "nccl-library=22703"
std::string library_version(std::string_view line) {
  auto text = word_after(line, "CCL version");
  if (text == ":")
    text = word_after(line, "CCL version :");
  if (!text.empty() && is_digit(text.front()))
    return std::string(text.substr(0, text.find('-')));
  const auto code = number_in<unsigned>(word_after(line, "nccl-library="));
  return code && *code >= 20000 ? fmt::format("{}.{}.{}", *code / 10000, *code / 100 % 100, *code % 100) : "";
}

std::uint64_t bytes_of_type(std::string_view type) {
  if (type.ends_with("8") || type.starts_with("fp8") || type.starts_with("f8"))
    return 1;
  if (type == "half" || type == "bfloat16" || type == "float16")
    return 2;
  return type == "double" || type.ends_with("64") ? 8 : 4;
}

// The ranks n of an Allreduce, whose bus bandwidth is 2 (n - 1) / n of the algorithm's; none if the digits fit several.
std::optional<std::uint64_t> ranks_shown_by(double algorithm_rate, double bus_rate) {
  constexpr double last_digit = 0.005;
  const auto ranks = [](double factor) { return factor < 2 ? 2 / (2 - factor) : HUGE_VAL; };
  const double least = ranks((bus_rate - last_digit) / (algorithm_rate + last_digit));
  const double most = ranks((bus_rate + last_digit) / std::max(1e-9, algorithm_rate - last_digit));
  const double whole = std::ceil(least);
  if (whole < 2 || whole > most || whole + 1 <= most)
    return std::nullopt;
  return static_cast<std::uint64_t>(whole);
}

std::string_view cell_of(const TableHead& head, const std::vector<std::string_view>& cells, std::string_view name) {
  for (std::size_t i = 0; i < std::min(head.columns.size(), cells.size()); ++i)
    if (head.columns[i].name == name)
      return cells[i];
  return {};
}

} // namespace

std::optional<LogHeading> gpu_heading_after(const LogHeading& heading, std::string_view line) {
  LogHeading found = heading;
  if (const auto version = library_version(line); !version.empty() && version != heading.version) {
    found.version = version;
    return found;
  }
  const auto text = line.starts_with('#') ? trimmed(line.substr(1)) : std::string_view();
  if (const auto program = word_after(text, "Collective test starting:"); !program.empty()) {
    found = {};
    found.version = heading.version;
    found.is_of_gpus = true;
    for (const auto& [name, benchmark] : gpu_programs)
      if (program == name)
        found.benchmark = found.printed_name = benchmark;
    return found;
  }
  if (text.starts_with("nThread ")) {
    found = {};
    if (heading.is_of_gpus && !heading.processes) // the title comes before
      found.benchmark = found.printed_name = heading.benchmark;
    found.version = heading.version;
    found.is_of_gpus = true;
    return found;
  }
  if (heading.is_of_gpus && text.starts_with("Rank ") && text.find(" Pid ") != std::string_view::npos) {
    found.processes = heading.processes.value_or(0) + 1;
    return found;
  }
  return std::nullopt;
}

std::optional<TableHead> gpu_table_head(const std::vector<std::string_view>& words) {
  TableHead head;
  head.is_of_gpus = true;
  bool has_time = false; // the first one is out of place
  for (const auto word : words) {
    if (word == "#" || word.starts_with('('))
      continue;
    const bool is_size = word == "size" && head.columns.empty();
    const bool is_time = word == "time" && !has_time;
    has_time |= is_time;
    head.columns.push_back({is_size ? LogColumn::size : is_time ? LogColumn::t : LogColumn::other, std::string(word)});
  }
  const auto has_name = [&](std::string_view name) {
    return std::ranges::find(head.columns, name, &ColumnHead::name) != head.columns.end();
  };
  if (!has_time || !head.has(LogColumn::size) || !has_name("algbw") || !has_name("busbw"))
    return std::nullopt;
  return head;
}

GpuTableFacts gpu_table_facts(const TableHead& head, const std::string& line, std::optional<std::uint64_t> processes) {
  const auto cells = words_in(line);
  const auto number = [&](std::string_view name) { return number_in<double>(cell_of(head, cells, name)).value_or(0); };
  const auto operation = cell_of(head, cells, "redop");
  const double count = number("count"), algorithm_rate = number("algbw");
  const bool is_sum = !operation.empty() && operation != "none";
  const bool is_rooted = number("root") >= 0 && !cell_of(head, cells, "root").empty();
  const auto type = bytes_of_type(cell_of(head, cells, "type"));
  const auto blocks =
      static_cast<std::uint64_t>(count > 0 ? std::round(number("size") / count / static_cast<double>(type)) : 1);
  const double factor = algorithm_rate > 0 ? number("busbw") / algorithm_rate : 0;
  GpuTableFacts facts{"", processes};
  if (is_rooted)
    facts.benchmark = is_sum ? "nccl-reduce" : "nccl-broadcast";
  else if (blocks > 1)
    // Both of the others have no reduction; nccl-tests checks no Alltoall in place, whose last cell is then "N/A".
    facts.benchmark = is_sum ? "nccl-reducescatter" : cells.back() == "N/A" ? "nccl-alltoall" : "nccl-allgather";
  else if (is_sum)
    facts.benchmark = factor > 1.01 || processes.value_or(2) == 2 ? "nccl-allreduce" : "nccl-sendrecv";
  if (!processes && blocks > 1)
    facts.processes = blocks;
  else if (!processes && facts.benchmark == "nccl-allreduce")
    facts.processes = ranks_shown_by(algorithm_rate, number("busbw"));
  return facts;
}

} // namespace kakehashi
