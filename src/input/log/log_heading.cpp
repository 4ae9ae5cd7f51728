#include "input/log/log_parts.hpp"

#include "base/number.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

struct OsuTitle {
  std::string_view title; // in lower case, without the kind of MPI
  std::string_view name;
};

// Benchmarks whose name differs from the word in their title.
constexpr OsuTitle osu_titles[] = {
    {"latency", "latency"},
    {"bandwidth", "bw"},
    {"bi-directional bandwidth", "bibw"},
    {"multiple bandwidth / message rate", "mbw_mr"},
    {"multi latency", "multi_lat"},
    {"multi-threaded latency", "latency_mt"},
    {"multi-process latency", "latency_mp"},
    {"all-to-all personalized exchange", "alltoall"},
    {"all-to-allv personalized exchange", "alltoallv"},
    {"all-to-allw personalized exchange", "alltoallw"},
    {"all-to-all", "alltoall"},
    {"all-to-allv", "alltoallv"},
    {"all-to-allw", "alltoallw"},
    {"broadcast", "bcast"},
    {"mpi_put latency", "put_latency"},
    {"mpi_put bandwidth", "put_bw"},
    {"mpi_put bi-directional bandwidth", "put_bibw"},
    {"mpi_get latency", "get_latency"},
    {"mpi_get bandwidth", "get_bw"},
    {"mpi_accumulate latency", "acc_latency"},
    {"mpi_get_accumulate latency", "get_acc_latency"},
    {"mpi_fetch_and_op latency", "fop_latency"},
    {"mpi_compare_and_swap latency", "cas_latency"},
};

std::optional<std::string_view> listed_name(std::string_view title) {
  const auto found =
      std::find_if(std::begin(osu_titles), std::end(osu_titles), [&](const auto& row) { return row.title == title; });
  if (found == std::end(osu_titles))
    return std::nullopt;
  return found->name;
}

// Returns the text after a word, without the white space between them; nothing if the word is missing.
std::optional<std::string_view> behind(std::string_view text, std::string_view word) {
  const auto at = text.find(word);
  if (at == std::string_view::npos)
    return std::nullopt;
  return trimmed(text.substr(at + word.size()));
}

// Returns the number of processes or groups at the start of a text; nothing above a million.
std::optional<std::uint64_t> count_at(std::string_view text) {
  const auto count = take_number<std::uint64_t>(text);
  return count <= 1'000'000 ? count : std::nullopt;
}

// "Intel(R) MPI Benchmarks 2019 Update 6, MPI-1 part", "Intel (R) MPI Benchmark Suite V2.3, MPI-1 part"
std::optional<LogHeading> imb_banner(std::string_view text) {
  auto rest = behind(text, "MPI Benchmark");
  if (!rest)
    return std::nullopt;
  const auto first = rest->find_first_of("0123456789");
  const auto comma = rest->find(',');
  if (first == std::string_view::npos || comma == std::string_view::npos || comma < first || first > 8)
    return std::nullopt;
  LogHeading heading;
  heading.suite = Suite::imb;
  heading.version = trimmed(rest->substr(first, comma - first));
  return heading;
}

// "Benchmarking Multi-PingPong"
std::optional<LogHeading> imb_title(const LogHeading& before, std::string_view text) {
  const auto words = words_in(text);
  if (words.size() != 2 || words.front() != "Benchmarking")
    return std::nullopt;
  LogHeading heading;
  heading.suite = Suite::imb;
  heading.version = before.suite == Suite::imb ? before.version : "";
  heading.printed_name = words.back();
  auto name = words.back();
  if (name.starts_with("Multi-"))
    name.remove_prefix(std::string_view("Multi-").size());
  heading.benchmark = "imb-" + in_lower_case(name);
  return heading;
}

// "OSU MPI-CUDA Latency Test v5.7", "OSU MPI Bandwidth Test (Version 2.0)", "OSU NCCL-CUDA Allreduce Latency Test v7.5"
std::optional<LogHeading> osu_title(const LogHeading& before, std::string_view text) {
  const auto end = text.find(" Test");
  if (!text.starts_with("OSU ") || end == std::string_view::npos || end < 4)
    return std::nullopt;
  LogHeading heading;
  heading.suite = Suite::osu;
  heading.printed_name = trimmed(text.substr(4, end - 4));
  heading.benchmark = osu_name(heading.printed_name);
  if (heading.benchmark.starts_with("nccl-")) {
    heading.version = before.suite == Suite::none ? before.version : ""; // the library's, if it printed one
    return heading;
  }
  const auto version = text.substr(end);
  if (const auto first = version.find_first_of("0123456789"); first != std::string_view::npos)
    heading.version = version.substr(first, version.find_first_of(" )", first) - first);
  return heading;
}

// "pingpong: imb-pingpong on mine, fabric ib", the heading of our own tables
std::optional<LogHeading> own_title(std::string_view text) {
  const auto name = text.find(": ");
  const auto fabric = text.rfind(", fabric ");
  if (name == std::string_view::npos || fabric == std::string_view::npos || fabric < name)
    return std::nullopt;
  const auto between = text.substr(name + 2, fabric - name - 2);
  const auto on = between.rfind(" on ");
  if (on == std::string_view::npos)
    return std::nullopt;
  LogHeading heading;
  heading.benchmark = heading.printed_name = between.substr(0, on);
  heading.suite = heading.benchmark.starts_with("imb-")   ? Suite::imb
                  : heading.benchmark.starts_with("osu-") ? Suite::osu
                                                          : Suite::none;
  return heading;
}

// "a.cpu, b.cpu and 14 more", after "ranks on"
std::uint64_t listed_ranks(std::string_view text) {
  const auto more = behind(text, " and ");
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), ',')) + 1 +
         (more ? count_at(*more).value_or(0) : 0);
}

// "#processes = 16", "( #processes = 2 )", "( 2 groups of 2 processes each running simultaneous )", "[ pairs: 8 ]",
// "( 54 additional processes waiting in MPI_Barrier)", "ranks on a.cpu, b.cpu"
std::optional<LogHeading> with_processes(LogHeading heading, std::string_view text) {
  if (const auto rest = behind(text, "#processes ="); rest && heading.suite == Suite::imb)
    heading.processes = count_at(*rest);
  else if (const auto each = behind(text, " groups of "); each && text.starts_with("(")) {
    heading.groups = count_at(trimmed(text.substr(1)));
    const auto members = count_at(*each);
    if (!heading.groups || !members)
      return std::nullopt;
    heading.processes = *heading.groups * *members;
  } else if (const auto pairs = behind(text, "[ pairs:"); pairs && heading.suite == Suite::osu) {
    if (const auto count = count_at(*pairs))
      heading.processes = 2 * *count;
    if (const auto window = behind(text, "[ window size:"))
      heading.window = count_at(*window);
  } else if (text.starts_with("(") && behind(text, " additional processes waiting in "))
    heading.waiting = count_at(trimmed(text.substr(1)));
  else if (text.starts_with("ranks on ") && !heading.benchmark.empty())
    heading.processes = listed_ranks(text);
  else
    return std::nullopt;
  return heading;
}

} // namespace

std::optional<LogHeading> heading_after(const LogHeading& heading, std::string_view line) {
  if (auto found = gpu_heading_after(heading, line))
    return found;
  if (!line.starts_with('#'))
    return std::nullopt;
  const auto text = trimmed(line.substr(1));
  if (text.starts_with("All processes entering MPI_Finalize"))
    return LogHeading{};
  if (auto found = imb_banner(text))
    return found;
  if (auto found = imb_title(heading, text))
    return found;
  if (auto found = osu_title(heading, text))
    return found;
  if (auto found = own_title(text))
    return found;
  return with_processes(heading, text);
}

std::string osu_name(std::string_view title) {
  constexpr std::string_view no_block = "non-blocking ";
  constexpr std::string_view latency = " latency";
  std::string lower = in_lower_case(title);
  std::string_view text = lower;
  const auto kind = text.substr(0, text.find(' ')); // mpi, mpi-cuda, mpi-rocm, nccl-cuda, rccl-rocm, …
  const auto program = kind.substr(0, kind.find('-'));
  const bool is_of_gpus = program.ends_with("ccl");
  if (program == "mpi" || is_of_gpus)
    text = trimmed(text.substr(kind.size()));
  std::string name = "osu-";
  if (text.starts_with(no_block)) {
    text.remove_prefix(no_block.size());
    name += 'i';
  }
  auto listed = listed_name(text);
  if (!listed && text.ends_with(latency)) {
    text.remove_suffix(latency.size());
    listed = listed_name(text);
  }
  name += listed.value_or(text);
  std::replace_if(
      name.begin() + 4, name.end(), [](char c) { return c == ' ' || c == '-' || c == '/'; }, '_');
  if (!is_of_gpus)
    return name;
  const auto operation = name.substr(4);
  return "nccl-" + (operation == "bcast" ? "broadcast" : operation == "reduce_scatter" ? "reducescatter" : operation);
}

namespace {

constexpr std::size_t longest_line = 1000;
constexpr std::size_t longest_tag = 100; // Open MPI's tag may contain a job, a rank and a time stamp

// Returns the position after the escape sequence that starts at this ESC: CSI ends with its letter, OSC with BEL or
// ESC, any other with the first character that is no intermediate one (ECMA-48).
std::size_t behind_escape(std::string_view line, std::size_t at) {
  if (++at == line.size())
    return at;
  const char kind = line[at++];
  if (kind == '[') {
    while (at < line.size() && line[at] >= ' ' && line[at] < '@')
      ++at;
    return std::min(at + 1, line.size());
  }
  if (kind == ']') {
    while (at < line.size() && line[at] != '\a' && line[at] != '\x1b')
      ++at;
    return at < line.size() && line[at] == '\a' ? at + 1 : at;
  }
  for (char last = kind; last >= ' ' && last < '0' && at < line.size(); ++at)
    last = line[at];
  return at;
}

} // namespace

std::string plain_line(std::string_view line) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  line = line.substr(0, longest_line);
  if (line.starts_with(byte_order_mark))
    line.remove_prefix(byte_order_mark.size());
  std::string plain;
  for (std::size_t at = 0; at < line.size();)
    if (line[at] == '\x1b')
      at = behind_escape(line, at);
    else {
      plain += is_control(line[at]) ? ' ' : line[at];
      ++at;
    }
  return std::string(trimmed(without_rank(trimmed(plain))));
}

std::string_view without_rank(std::string_view line) {
  for (const std::string_view tag : {"<stdout>:", "<stderr>:"})
    if (const auto at = line.substr(0, longest_tag).find(tag); at != std::string_view::npos)
      return line.substr(at + tag.size());
  const bool bracket = line.starts_with('[');
  const std::size_t first = bracket ? 1 : 0;
  std::size_t end = first;
  while (end < line.size() && is_digit(line[end]))
    ++end;
  if (end == first || end == line.size() || line[end] != (bracket ? ']' : ':'))
    return line;
  const auto rest = line.substr(end + 1);
  if (!bracket && !rest.empty() && is_digit(rest.front()) && rest.find(':') < 3)
    return line; // a time of day
  return rest;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (auto comma = line.find(','); comma != std::string_view::npos; comma = line.find(',')) {
    cells.push_back(trimmed(line.substr(0, comma)));
    line.remove_prefix(comma + 1);
  }
  cells.push_back(trimmed(line));
  return cells;
}

} // namespace kakehashi
