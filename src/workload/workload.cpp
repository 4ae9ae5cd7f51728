#include "workload/workload.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

const BenchmarkKind* benchmark_kind(const Workload& workload) {
  const auto* benchmark = std::get_if<Benchmark>(&workload);
  return benchmark ? &kind_of(*benchmark) : nullptr;
}

} // namespace

Job make_job(const Workload& workload, SharedPlace place) {
  auto job = std::visit(
      [&]<class Kind>(const Kind& each) {
        if constexpr (std::is_same_v<Kind, Training>)
          return Job(); // which has no ranks' programs; plans refuse it
        else
          return job_of(each, place);
      },
      workload);
  job.in_node = in_node_of(place->library);
  job.answers_inside_calls = place->library.progress == MpiProgress::inside_calls;
  return job;
}

std::vector<std::uint64_t> sizes_of(const Workload& workload) {
  std::vector<std::uint64_t> sizes{0};
  if (const auto* benchmark = std::get_if<Benchmark>(&workload)) {
    sizes.clear();
    for (const auto size : benchmark->sizes)
      sizes.push_back(size.count);
  } else if (const auto* work = std::get_if<BossWorker>(&workload)) {
    sizes = work->work_items;
  }
  std::ranges::sort(sizes);
  return sizes;
}

Workload with_sizes(Workload workload, const std::vector<std::uint64_t>& sizes) {
  if (auto* benchmark = std::get_if<Benchmark>(&workload)) {
    benchmark->sizes.clear();
    for (const auto size : sizes)
      benchmark->sizes.push_back(Bytes{size});
  } else if (auto* work = std::get_if<BossWorker>(&workload)) {
    work->work_items = sizes;
  }
  return workload;
}

std::vector<Edge> edges_of(const Workload& workload, std::size_t ranks) {
  const auto* kind = benchmark_kind(workload);
  if (!kind || !kind->edges || ranks < 2)
    return {};
  return kind->edges(ranks, static_cast<std::size_t>(std::get<Benchmark>(workload).columns));
}

bool is_turnable(const Workload& workload) {
  const auto* kind = benchmark_kind(workload);
  return kind && kind->is_turnable;
}

double bandwidth_of(const Workload& workload, Seconds time) {
  const auto& benchmark = std::get<Benchmark>(workload);
  const auto bytes = kind_of(benchmark).payloads(benchmark.window) * static_cast<double>(sizes_of(workload).back());
  return bytes / time.value / benchmark.megabyte;
}

std::string_view rate_name(const Workload& workload) {
  if (std::holds_alternative<BossWorker>(workload))
    return "items/s";
  const auto* kind = benchmark_kind(workload);
  return kind && kind->payloads_per_iteration > 0 ? RateUnit{std::get<Benchmark>(workload).megabyte}.name() : "";
}

double printed_rate(const Workload& workload, double rate) {
  const auto* benchmark = std::get_if<Benchmark>(&workload);
  return benchmark ? RateUnit{benchmark->megabyte}.of_decimal(rate) : rate;
}

std::string_view size_name(const Workload& workload) {
  return std::holds_alternative<Benchmark>(workload)    ? "bytes"
         : std::holds_alternative<BossWorker>(workload) ? "work item"
                                                        : "";
}

bool is_recorded(const Workload& workload) {
  return std::holds_alternative<Replay>(workload);
}

std::optional<PairTest> pair_test(const Workload& workload) {
  const auto* kind = benchmark_kind(workload);
  if (!kind || !kind->test)
    return std::nullopt;
  return PairTest{*kind->test, std::get<Benchmark>(workload).window};
}

} // namespace kakehashi
