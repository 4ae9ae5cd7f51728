#include "workload/benchmark/form.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

enum : std::size_t { bytes, repetitions, t_min, t_max, t_avg, bandwidth, slowest_step };

constexpr std::string_view imb_head = "    #bytes  #repetitions";
constexpr std::string_view imb_times = "  t_min[usec]  t_max[usec]  t_avg[usec]";
constexpr std::string_view osu_times = " Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations";

const TextCell imb_size{bytes, 10, 0, false, ""};
const TextCell imb_count{repetitions, 13, 0};
const TextCell osu_size{bytes, 10, 0, true, ""};

} // namespace

TableText imb_pingpong_form(bool) {
  return {{},
          fmt::format("{} {:>10} {:>12}", imb_head, "t[usec]", "Mbytes/sec"),
          {imb_size, imb_count, {t_avg, 10}, {bandwidth, 12}}};
}

TableText imb_parallel_form(bool) {
  return {{},
          fmt::format("{}{} {:>12}", imb_head, imb_times, "Mbytes/sec"),
          {imb_size, imb_count, {t_min, 12}, {t_max, 12}, {t_avg, 12}, {bandwidth, 12}}};
}

TableText imb_collective_form(bool has_size) {
  if (!has_size)
    return {{},
            fmt::format("{:>13}{}", "#repetitions", imb_times),
            {{repetitions, 13, 0, false, ""}, {t_min, 12}, {t_max, 12}, {t_avg, 12}}};
  return {{}, fmt::format("{}{}", imb_head, imb_times), {imb_size, imb_count, {t_min, 12}, {t_max, 12}, {t_avg, 12}}};
}

TableText osu_latency_form(bool) {
  return {{}, fmt::format("{:<10} {:>16}", "# Size", "Latency (us)"), {osu_size, {t_avg, 16}}};
}

TableText osu_bw_form(bool) {
  return {{}, fmt::format("{:<10} {:>16}", "# Size", "Bandwidth (MB/s)"), {osu_size, {bandwidth, 16}}};
}

TableText osu_bibw_form(bool) {
  return {{}, fmt::format("{:<10} {:>16}", "# Size", "Bi-Bandwidth (MB/s)"), {osu_size, {bandwidth, 19}}};
}

TableText osu_remote_form(bool) {
  return {{},
          fmt::format("{:<10} {:>16} {:>16}", "# Size", "Latency (us)", "MB/s"),
          {osu_size, {t_avg, 16}, {bandwidth, 16}}};
}

// With all its columns, as its option -f.
TableText osu_collective_form(bool has_size) {
  if (!has_size)
    return {{}, fmt::format("#{}", osu_times), {{t_avg, 16}, {t_min, 17}, {t_max, 17}, {repetitions, 11}}};
  return {{},
          fmt::format("{:<10} {}", "# Size", osu_times),
          {osu_size, {t_avg, 16}, {t_min, 17}, {t_max, 17}, {repetitions, 11}}};
}

TableText ring_form(bool) {
  return {{},
          fmt::format("{:<10} {:>16} {:>16}  {}", "# Size", "Slowest (us)", "MB/s", "slowest step (ranks)"),
          {osu_size, {t_max, 16}, {bandwidth, 16}, {slowest_step, 0, 0, true, "  "}}};
}

} // namespace kakehashi
