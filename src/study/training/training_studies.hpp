// Steps of training, and answers of models → their record, what would change them, and the best layouts.
#pragma once

#include "base/error.hpp"
#include "model/scenario.hpp"
#include "result/training_step.hpp"

namespace kakehashi {

bool is_of_model(const Scenario& scenario); // whether its workload is a step of training or an answer

// Errors: the layout fits neither the ranks nor the model, or the platform lacks what its GPUs compute.
Result<TrainingRecord> run_training(const Scenario& scenario);

// Runs it again with something changed.
Result<TrainingExplanation> explain_training(const Scenario& scenario);

// Runs layouts that fit into the memory, but those that a bound shows to be worse than the best `shown` ones.
struct LayoutSearch {
  std::size_t shown = 10;
  std::size_t most_runs = 5000;
};
Result<TrainingSweep> sweep_training(const Scenario& scenario, const LayoutSearch& search);

} // namespace kakehashi
