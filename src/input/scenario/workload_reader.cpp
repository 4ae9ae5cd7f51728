#include "input/scenario/scenario_parts.hpp"

#include "base/number.hpp"
#include "input/json/fields.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
using nlohmann::json;

std::optional<Bytes> read_size(const json& value, const std::string& place, Faults& faults) {
  if (value.is_number())
    return Bytes{value.get<std::uint64_t>()};
  return read_quantity(value, place, bytes_text, faults);
}

namespace {

// Reads one size, or a range: "8 B..1 GiB", each twice the one before, or "8 B..1 GiB*4".
std::vector<Bytes> read_sizes(const json& value, const std::string& place, Faults& faults) {
  const auto text = value.is_string() ? value.get<std::string>() : "";
  const auto dots = text.find("..");
  if (dots == std::string::npos) {
    const auto size = read_size(value, place, faults);
    return size ? std::vector{*size} : std::vector<Bytes>{};
  }
  const auto star = text.find('*', dots);
  const auto first = parse_bytes(text.substr(0, dots));
  const auto last = parse_bytes(text.substr(dots + 2, star == std::string::npos ? star : star - dots - 2));
  const auto factor =
      star == std::string::npos ? std::optional<std::uint64_t>(2) : number_in<std::uint64_t>(text.substr(star + 1));
  if (!first || !last || first->count == 0 || *last < *first || *last > largest_size || !factor || *factor < 2 ||
      *factor > 1024) {
    faults.add(place, mismatch(in_quotes(text), "a range of sizes such as \"8 B..1 GiB\", or \"8 B..1 GiB*4\" with "
                                                "a factor from 2 to 1024"));
    return {};
  }
  std::vector<Bytes> sizes;
  for (auto size = first->count; size <= last->count; size *= *factor)
    sizes.push_back(Bytes{size});
  return sizes;
}

// Powers of two from a smallest size on, after 0 if the benchmark has it: for point to point and IMB up to 4 MiB, for
// OSU's collectives up to 1 MiB, and so that all ranks' blocks fit in 512 MiB. IMB and OSU reduce numbers of 4 B.
std::vector<Bytes> usual_sizes(const BenchmarkKind& kind, std::size_t ranks) {
  const auto collective = kind.collective;
  if (!kind.has_sizes())
    return {Bytes{0}};
  std::vector<Bytes> sizes;
  if (kind.gpu) {
    for (std::uint64_t size = 8; size <= std::uint64_t{8} << 30; size *= 2)
      sizes.push_back(Bytes{size});
    return sizes;
  }
  if (kind.begins_at_zero)
    sizes.push_back(Bytes{0});
  const bool is_osu_collective = collective && !kind.is_imb();
  const bool has_block_for_each_rank =
      collective && !has_reduction(*collective) && row_of(*collective).division != Division::whole;
  std::uint64_t largest = is_osu_collective ? 1 << 20 : 4 << 20;
  if (is_osu_collective && has_block_for_each_rank)
    largest = std::min<std::uint64_t>(largest, (512 << 20) / std::max<std::size_t>(1, ranks));
  for (std::uint64_t size = collective && has_reduction(*collective) ? 4 : 1; size <= largest; size *= 2)
    sizes.push_back(Bytes{size});
  return sizes;
}

// The keys that an operation needs, and those that it may have, beside "do".
struct StepKeys {
  std::vector<std::string> needed;
  std::vector<std::string> optional;
};

StepKeys keys_of(Step::Kind kind) {
  switch (kind) {
  case Step::Kind::send:
  case Step::Kind::isend: return {{"to", "bytes"}, {"tag"}};
  case Step::Kind::recv:
  case Step::Kind::irecv: return {{"from"}, {"tag", "bytes"}};
  case Step::Kind::sendrecv: return {{"to", "from", "bytes"}, {"tag"}};
  case Step::Kind::wait: return {{"request"}, {}};
  case Step::Kind::compute: return {{"time"}, {}};
  case Step::Kind::waitall: return {};
  }
  return {};
}

void check_keys(const json& entry, Step::Kind kind, const std::string& place, Faults& faults) {
  const auto keys = keys_of(kind);
  const auto word = name_of(step_names, kind);
  for (const auto& key : keys.needed)
    if (!entry.contains(key))
      faults.add(place, fmt::format("the key {} is missing; {} needs it", in_quotes(key), word));
  for (const auto& [key, value] : entry.items())
    if (key != "do" && std::find(keys.needed.begin(), keys.needed.end(), key) == keys.needed.end() &&
        std::find(keys.optional.begin(), keys.optional.end(), key) == keys.optional.end())
      faults.add(pointer_to(place, key), fmt::format("{} does not take this key", word));
}

// Reads a number; nothing for "any", if a receive may have it.
std::optional<int> read_number(const json& entry, const char* key, bool may_be_any, std::string_view expected,
                               const std::string& place, Faults& faults) {
  if (!entry.contains(key) || (may_be_any && entry[key] == "any"))
    return std::nullopt;
  if (entry[key].is_number())
    return entry[key].get<int>();
  faults.add(pointer_to(place, std::string(key)),
             mismatch(show(entry[key]), may_be_any ? fmt::format("{} or \"any\"", expected) : std::string(expected)));
  return std::nullopt;
}

// Reads the other rank of a message. A rank cannot name itself, since the engine has no path from a rank to itself.
std::optional<int> read_peer(const json& entry, const char* key, std::size_t rank, std::size_t ranks,
                             const std::string& place, Faults& faults) {
  const auto expected = fmt::format("a rank from 0 to {}", ranks - 1);
  const auto peer = read_number(entry, key, std::string_view(key) == "from", expected, place, faults);
  if (peer && static_cast<std::size_t>(*peer) >= ranks)
    faults.add(pointer_to(place, std::string(key)), mismatch(show(entry[key]), expected));
  else if (peer && static_cast<std::size_t>(*peer) == rank)
    faults.add(pointer_to(place, std::string(key)),
               mismatch(fmt::format("{}, which is the rank itself", rank), "another rank"));
  return peer;
}

Step read_step(const json& entry, std::size_t rank, std::size_t ranks, const std::string& place, Faults& faults) {
  Step step;
  step.kind = *read_name<Step::Kind>(entry, "do", step_names);
  check_keys(entry, step.kind, place, faults);
  const bool receives_only = step.kind == Step::Kind::recv || step.kind == Step::Kind::irecv;
  step.to = read_peer(entry, "to", rank, ranks, place, faults);
  step.from = read_peer(entry, "from", rank, ranks, place, faults);
  step.tag = read_number(entry, "tag", receives_only, "a tag", place, faults);
  if (entry.contains("bytes"))
    step.size = read_size(entry["bytes"], place + "/bytes", faults).value_or(Bytes{});
  step.time = read_field(entry, place, "time", seconds_text, faults).value_or(Seconds{});
  step.request = entry.value("request", 0);
  return step;
}

// Chooses the most square grid, wider than high, unless the scenario states one.
void read_grid(const json& workload, std::size_t ranks, Benchmark& benchmark, Faults& faults) {
  if (workload.contains("grid")) {
    const auto rows = workload["grid"][0].get<std::size_t>();
    const auto columns = workload["grid"][1].get<std::size_t>();
    if (rows * columns != ranks)
      faults.add("/workload/grid", mismatch(fmt::format("{} rows of {} ranks", rows, columns),
                                            fmt::format("a grid of {}", counted(ranks, "rank"))));
    benchmark.columns = static_cast<int>(columns);
    return;
  }
  std::size_t rows = 1;
  for (std::size_t i = 2; i * i <= ranks; ++i)
    if (ranks % i == 0)
      rows = i;
  benchmark.columns = static_cast<int>(ranks / rows);
}

void check_ranks(const json& workload, std::size_t ranks, Benchmark& benchmark, Faults& faults) {
  const auto& kind = kind_of(benchmark);
  const bool any_count = !kind.is_for_two_ranks;
  if ((ranks < 2 && !kind.gpu) || (!any_count && ranks != 2))
    faults.add("/ranks",
               mismatch(fmt::format("{} for {}", counted(ranks, "rank"), kind.name), any_count ? "2 or more" : "2"));
  if (!workload.contains("root"))
    return;
  benchmark.root = workload["root"].get<int>();
  if (!kind.takes_root())
    faults.add("/workload/root", fmt::format("{} does not take this key", kind.name));
  else if (static_cast<std::size_t>(*benchmark.root) >= ranks)
    faults.add("/workload/root", mismatch(show(workload["root"]), fmt::format("a rank from 0 to {}", ranks - 1)));
}

} // namespace

Benchmark read_benchmark(const json& workload, std::optional<std::size_t> ranks,
                         const std::shared_ptr<const Platform>& platform, Faults& faults) {
  Benchmark benchmark;
  benchmark.name = workload["benchmark"].get<std::string>();
  if (!find_benchmark(benchmark.name)) {
    const auto names = benchmark_names();
    faults.add("/workload/benchmark",
               mismatch(in_quotes(benchmark.name), fmt::format("one of {}", fmt::join(names, ", "))),
               closest(benchmark.name, names));
    return {};
  }
  const auto& kind = kind_of(benchmark);
  if (workload.contains("sizes")) {
    for (std::size_t i = 0; i < workload["sizes"].size(); ++i) {
      const auto at = pointer_to("/workload/sizes", i);
      for (const auto size : read_sizes(workload["sizes"][i], at, faults)) {
        if (std::find(benchmark.sizes.begin(), benchmark.sizes.end(), size) != benchmark.sizes.end())
          faults.add(at, mismatch(show(workload["sizes"][i]) + " twice", "each only once"));
        benchmark.sizes.push_back(size);
      }
    }
  } else {
    benchmark.sizes = usual_sizes(kind, ranks.value_or(2));
  }
  if (workload.contains("sizes") && !kind.has_sizes())
    faults.add("/workload/sizes", fmt::format("{} does not take this key", kind.name));
  if (workload.contains("gpu") && !kind.gpu)
    faults.add("/workload/gpu", fmt::format("{} does not take this key; nccl-allreduce and the like do", kind.name));
  else if (workload.contains("gpu"))
    benchmark.gpu = read_gpu_wishes(workload["gpu"], faults);
  if (workload.contains("repetitions"))
    benchmark.repetitions = workload["repetitions"].get<int>();
  benchmark.warm_up = workload.value("warm_up", benchmark.warm_up);
  if (workload.contains("window") && !kind.has_window)
    faults.add("/workload/window", fmt::format("{} does not take this key; osu-bw and osu-bibw do", kind.name));
  benchmark.window = workload.value("window", 64);
  if (workload.contains("grid") && !kind.has_grid)
    faults.add("/workload/grid", fmt::format("{} does not take this key; halo-2d does", kind.name));
  else if (kind.has_grid && ranks)
    read_grid(workload, *ranks, benchmark, faults);
  const bool usual = kind.is_imb() || (platform && platform->rate_unit.megabyte != 1e6);
  const bool binary = workload.contains("megabyte") ? workload["megabyte"] == "2^20 B" : usual;
  benchmark.megabyte = binary ? 1048576 : 1e6;
  if (ranks)
    check_ranks(workload, *ranks, benchmark, faults);
  return benchmark;
}

BossWorker read_boss_worker(const json& object, std::optional<std::size_t> ranks, Faults& faults) {
  const std::string place = "/workload/boss_worker";
  BossWorker workload;
  workload.work_items = object["work_items"].get<std::vector<std::uint64_t>>();
  workload.items_per_worker = object.value("items_per_worker", workload.items_per_worker);
  if (object.contains("bytes"))
    workload.message = read_size(object["bytes"], place + "/bytes", faults).value_or(workload.message);
  workload.compute = read_per_kind(object["time_per_unit"], place + "/time_per_unit", seconds_text, faults);
  if (ranks && *ranks < 2)
    faults.add("/ranks", mismatch(fmt::format("{} for boss_worker", counted(*ranks, "rank")), "2 or more"));
  return workload;
}

StepProgram read_steps(const json& lists, std::optional<std::size_t> known_ranks, Faults& faults) {
  StepProgram program;
  const auto ranks = known_ranks.value_or(lists.size());
  if (lists.size() != ranks)
    faults.add("/workload/steps", mismatch(counted(lists.size(), "list"), fmt::format("{}, one for each rank", ranks)));
  for (std::size_t rank = 0; rank < lists.size(); ++rank) {
    const auto place = pointer_to("/workload/steps", rank);
    auto& steps = program.steps.emplace_back();
    int requests = 0;
    for (std::size_t i = 0; i < lists[rank].size(); ++i) {
      const auto at = pointer_to(place, i);
      auto step = read_step(lists[rank][i], rank, ranks, at, faults);
      if (step.kind == Step::Kind::wait && step.request >= requests)
        faults.add(at + "/request", mismatch(fmt::format("{}", step.request),
                                             requests == 0 ? "an isend or irecv before it"
                                                           : fmt::format("a request from 0 to {}", requests - 1)));
      requests += step.kind == Step::Kind::isend || step.kind == Step::Kind::irecv;
      steps.push_back(step);
    }
  }
  return program;
}

} // namespace kakehashi
