// The columns of a benchmark's table → the form in which its suite prints them.
//
// The columns are bytes, repetitions, t_min_us, t_max_us, t_avg_us, then mbytes_per_s or algorithm, and for rings the
// slowest step. has_size: the benchmark has message sizes.
#pragma once

#include "result/table.hpp"

namespace kakehashi {

TableText imb_pingpong_form(bool has_size);
TableText imb_parallel_form(bool has_size);
TableText imb_collective_form(bool has_size);
TableText osu_latency_form(bool has_size);
TableText osu_bw_form(bool has_size);
TableText osu_bibw_form(bool has_size);
TableText osu_remote_form(bool has_size);
TableText osu_collective_form(bool has_size);
TableText ring_form(bool has_size);

} // namespace kakehashi
