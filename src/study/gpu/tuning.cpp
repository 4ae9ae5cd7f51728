#include "study/gpu/gpu_studies.hpp"

#include "study/gpu/change.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

// The fastest by our model, unless the library's own choice is about as fast.
Result<TunedGpuSize> tuned_size(const GpuCollectives& gpus, GpuOperation operation, Bytes size, const GpuSetup& setup,
                                double margin) {
  const auto usual = gpus.time(operation, size, setup.wishes);
  if (!usual)
    return usual.errors();
  TunedGpuSize tuned{size,
                     usual->algorithm.value_or(GpuAlgorithm::ring),
                     usual->protocol,
                     usual->time,
                     GpuAlgorithm::ring,
                     GpuProtocol::simple,
                     usual->time};
  tuned.algorithm = tuned.usual;
  tuned.protocol = tuned.usual_protocol;
  for (const auto& each : gpus.candidates(operation, size, setup.wishes))
    if (each.time && *each.time < tuned.time) {
      tuned.algorithm = each.algorithm;
      tuned.protocol = each.protocol;
      tuned.time = *each.time;
    }
  if (tuned.gain() >= margin)
    return tuned;
  tuned.algorithm = tuned.usual;
  tuned.protocol = tuned.usual_protocol;
  tuned.time = tuned.usual_time;
  return tuned;
}

} // namespace

Result<GpuTuning> tune_gpus(const Scenario& scenario, const GpuTuneRequest& request) {
  const auto setup = setup_of(scenario);
  const auto gpus = collectives_of(setup);
  if (!gpus)
    return gpus.errors();
  const auto& system = (*gpus)->system();
  if (system.ranks.size() < 2)
    return run_error("one GPU alone has nothing to choose; --ranks places more");
  GpuTuning tuning{scenario.platform->name,
                   fmt::format("{} {}", system.library->title, to_text(system.version)),
                   system.ranks.size(),
                   system.node_count(),
                   request.margin,
                   {},
                   system.notes};
  for (const auto operation : request.operations) {
    auto& tuned = tuning.operations.emplace_back(TunedGpuOperation{operation, {}});
    for (const auto size : request.sizes) {
      const auto found = tuned_size(**gpus, operation, size, setup, request.margin);
      if (!found)
        return found.errors();
      tuned.sizes.push_back(*found);
    }
  }
  return tuning;
}

} // namespace kakehashi
