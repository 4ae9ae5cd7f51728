#include "workload/benchmark/form.hpp"

namespace kakehashi {
namespace {

enum : std::size_t { bytes, repetitions, t_min, t_max, t_avg, bandwidth, slowest_step };

const TextCell imb_size{"#bytes", bytes, 10};
const TextCell imb_count{"#repetitions", repetitions, 13};
const TextCell imb_min{"t_min[usec]", t_min, 12};
const TextCell imb_max{"t_max[usec]", t_max, 12};
const TextCell imb_avg{"t_avg[usec]", t_avg, 12};
const TextCell imb_rate{"Mbytes/sec", bandwidth, 12};
const TextCell osu_size{"Size", bytes, 10, 0, true};
const TextCell osu_latency{"Latency (us)", t_avg, 16};
const TextCell rate{"MB/s", bandwidth, 16};

} // namespace

TableText imb_pingpong_form(bool) {
  return {{}, {imb_size, imb_count, {"t[usec]", t_avg, 10}, imb_rate}};
}

TableText imb_parallel_form(bool) {
  return {{}, {imb_size, imb_count, imb_min, imb_max, imb_avg, imb_rate}};
}

TableText imb_collective_form(bool has_size) {
  if (!has_size)
    return {{}, {imb_count, imb_min, imb_max, imb_avg}};
  return {{}, {imb_size, imb_count, imb_min, imb_max, imb_avg}};
}

TableText osu_latency_form(bool) {
  return {{}, {osu_size, osu_latency}};
}

TableText osu_bw_form(bool) {
  return {{}, {osu_size, {"Bandwidth (MB/s)", bandwidth, 16}}};
}

TableText osu_bibw_form(bool) {
  return {{}, {osu_size, {"Bi-Bandwidth (MB/s)", bandwidth, 19}}};
}

TableText osu_remote_form(bool) {
  return {{}, {osu_size, osu_latency, rate}};
}

// The table with all columns, as OSU prints it with the option -f.
TableText osu_collective_form(bool has_size) {
  TableText text{{},
                 {osu_size,
                  {"Avg Latency(us)", t_avg, 16},
                  {"Min Latency(us)", t_min, 17},
                  {"Max Latency(us)", t_max, 17},
                  {"Iterations", repetitions, 11}}};
  if (has_size)
    return text;
  text.cells.erase(text.cells.begin());
  text.cells.front().width = 17; // includes the "#" of the heading
  return text;
}

TableText ring_form(bool) {
  return {{}, {osu_size, {"Slowest (us)", t_max, 16}, rate, {"slowest step (ranks)", slowest_step, 0, 0, true, 2}}};
}

} // namespace kakehashi
