#include "training/step_calls.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

constexpr Bytes usual_bucket{160'000'000}; // 40 million gradients of 4 bytes, as Megatron-LM and DeepSpeed usually take

// The replicas of a weight: those of the batch, and of parts of a sequence, which are one group.
Layout layout_of_replicas(Layout layout) {
  layout.data *= layout.context;
  layout.context = 1;
  return layout;
}

} // namespace

Seconds StepCalls::call(Parallel dimension, GpuOperation operation, double bytes, double count) {
  const auto over = dimension == Parallel::data ? layout_of_replicas(training_.layout) : training_.layout;
  const auto found = operation == GpuOperation::sendrecv ? job_.send(over, dimension, bytes)
                                                         : job_.call(over, dimension, operation, bytes);
  if (!found) {
    if (errors.empty())
      errors = found.errors();
    return {};
  }
  if (found->ranks < 2 || is_free_[static_cast<std::size_t>(dimension)])
    return {};
  if (count > 0) {
    made.push_back(*found);
    made.back().count = count;
  }
  return found->time;
}

// Products end in a sum over the GPUs: two of a layer in each direction.
Seconds StepCalls::tensor(double passes) {
  const double bytes = slice_.tokens * training_.model.hidden * width();
  const double count = 2 * passes * layers() * batches_;
  if (!training_.splits_sequence)
    return 2 * call(Parallel::tensor, GpuOperation::allreduce, bytes, count);
  return 2 * (call(Parallel::tensor, GpuOperation::allgather, bytes, count) +
              call(Parallel::tensor, GpuOperation::reducescatter, bytes, count));
}

// Keys and values of the whole sequence; the backward pass returns their gradients.
Seconds StepCalls::context(bool is_backward) {
  const double bytes =
      2 * slice_.batch * slice_.context * training_.model.kv_width() / training_.layout.tensor * width();
  const double count = layers() * batches_;
  auto time = call(Parallel::context, GpuOperation::allgather, bytes, count);
  if (is_backward)
    time += call(Parallel::context, GpuOperation::reducescatter, bytes, count);
  return time;
}

// Tokens go to their experts and back.
Seconds StepCalls::expert(double passes) {
  if (training_.model.experts < 2)
    return {};
  const double bytes = slice_.tokens * training_.model.active_experts * training_.model.hidden * width() /
                       (training_.splits_sequence ? training_.layout.tensor : 1);
  return 2 * call(Parallel::expert, GpuOperation::alltoall, bytes, 2 * passes * layers() * batches_);
}

// They come together for each layer, and its gradients are added there and then.
Seconds StepCalls::weights(bool is_backward) {
  if (training_.sharding != Sharding::parameters)
    return {};
  const auto counts = weights_of(training_.model);
  const double all = (counts.layer + counts.layer_experts / training_.layout.expert) / training_.layout.tensor;
  const double count = layers() * batches_;
  auto time = call(Parallel::data, GpuOperation::allgather, all * width(), count);
  if (is_backward)
    time += call(Parallel::data, GpuOperation::reducescatter, all * training_.gradient_bytes, count);
  return time;
}

Seconds StepCalls::send() {
  if (training_.layout.pipeline < 2)
    return {};
  const double bytes =
      slice_.tokens * training_.model.hidden * width() / (training_.splits_sequence ? training_.layout.tensor : 1);
  return call(Parallel::pipeline, GpuOperation::sendrecv, bytes, 2.0 * batches_ * training_.layout.chunks);
}

StepCalls::Gradients StepCalls::gradients(int stage) {
  Gradients found;
  const auto own = weights_of_stage(training_, stage);
  const auto& layout = training_.layout;
  const double size = training_.gradient_bytes;
  if (training_.sharding != Sharding::parameters) { // otherwise they are added with each layer
    const double bytes = own.common * size;
    const bool overlaps = training_.overlaps[static_cast<std::size_t>(Parallel::data)];
    const double of_one = training_.bucket ? static_cast<double>(training_.bucket->count)
                          : overlaps       ? static_cast<double>(usual_bucket.count)
                                           : bytes;
    found.buckets = std::max(1.0, std::ceil(bytes / of_one));
    const auto operation = training_.sharding == Sharding::none ? GpuOperation::allreduce : GpuOperation::reducescatter;
    found.added = found.buckets * call(Parallel::data, operation, bytes / found.buckets, found.buckets);
    if (own.experts > 0 && expert_replicas_of(training_) > 1) // as if over all replicas
      found.added += call(Parallel::data, operation, own.experts * size, 1);
  }
  if (training_.sharding == Sharding::optimizer || training_.sharding == Sharding::gradients)
    found.gathered = call(Parallel::data, GpuOperation::allgather, own.all() * width(), 1);
  // The first and the last stage have the same table, and add up its gradients.
  if (layout.pipeline > 1 && training_.model.ties_embeddings && (stage == 0 || stage == layout.pipeline - 1))
    found.tables =
        call(Parallel::pipeline, GpuOperation::sendrecv, weights_of(training_.model).table / layout.tensor * size, 1);
  return found;
}

} // namespace kakehashi
