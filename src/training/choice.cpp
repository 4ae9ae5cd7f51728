#include "training/choice.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <optional>

namespace kakehashi {
namespace {

constexpr int most_stages = 512; // as the schema has it

// Layouts with few GPUs a replica first; of equal ones those with fewer stages, as long as calls stay inside nodes.
std::vector<Layout> open_layouts(const Training& training, JobSize job) {
  std::vector<Layout> layouts;
  const int ranks = static_cast<int>(job.ranks);
  for (int tensor = 1; tensor <= ranks; ++tensor) {
    if (training.layout.tensor > 0 ? tensor != training.layout.tensor
                                   : tensor > static_cast<int>(job.per_node) || ranks % tensor != 0)
      continue;
    for (int pipeline = 1; pipeline <= std::min({ranks / tensor, training.model.layers, most_stages}); ++pipeline) {
      if (training.layout.pipeline > 0 && pipeline != training.layout.pipeline)
        continue;
      auto layout = training.layout;
      layout.tensor = tensor;
      layout.pipeline = pipeline;
      layouts.push_back(layout);
    }
  }
  std::ranges::stable_sort(
      layouts, {}, [](const Layout& layout) { return std::pair(layout.tensor * layout.pipeline, layout.pipeline); });
  return layouts;
}

} // namespace

void fill_batch(Training& training, std::size_t ranks) {
  auto& layout = training.layout;
  const int of_replica = std::max(1, layout.tensor * layout.context * layout.pipeline);
  if (layout.data == 0)
    layout.data = std::max(1, static_cast<int>(ranks) / of_replica);
  if (training.states_batch || training.inference)
    return;
  const int stages = layout.schedule == PipelineSchedule::interleaved ? layout.pipeline : 1;
  const auto least = static_cast<long>(layout.data) * layout.micro_batch * stages;
  const long wanted = training.global_batch > 0 ? training.global_batch : 4 * least * layout.pipeline;
  training.global_batch = static_cast<int>(std::min<long>((wanted + least - 1) / least * least, 1 << 30));
}

Training resolved(Training training, JobSize job, const GpuSheet& gpu) {
  const int model_batch = training.global_batch;
  const bool is_open = training.layout.tensor == 0 || training.layout.pipeline == 0;
  if (is_open) {
    std::optional<Training> taken;
    for (const auto& layout : open_layouts(training, job)) {
      auto candidate = training;
      candidate.layout = layout;
      fill_batch(candidate, job.ranks);
      if (!layout_faults(candidate, job.ranks).empty())
        continue;
      taken = candidate;
      if (memory_of(candidate, recompute_of(candidate, gpu), gpu).fits())
        break;
    }
    if (taken) {
      training = *taken;
      training.notes.push_back(fmt::format(
          "assumed: {}, the fewest GPUs a replica that {}; `kakehashi sweep` seeks the "
          "fastest layout",
          layout_text(training),
          memory_of(training, recompute_of(training, gpu), gpu).fits() ? "the memory allows"
                                                                       : "could be, though the memory is too small"));
    } else {
      training.layout.tensor = std::max(1, training.layout.tensor);
      training.layout.pipeline = std::max(1, training.layout.pipeline);
    }
  }
  fill_batch(training, job.ranks);
  if (!training.states_batch && !training.inference && training.global_batch != model_batch)
    training.notes.push_back(fmt::format("assumed: a batch of {} sequences{}", training.global_batch,
                                         model_batch > 0 ? fmt::format(", next to the model's {}", model_batch) : ""));
  training.states_batch = true; // other layouts have to divide it
  if (training.recompute == Recompute::fit && !training.inference)
    training.notes.push_back(fmt::format("assumed: recompute {}, the least that fits into the memory",
                                         name_of(recompute_names, recompute_of(training, gpu))));
  return training;
}

} // namespace kakehashi
