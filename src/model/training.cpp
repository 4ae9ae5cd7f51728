#include "model/training.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

class Check {
public:
  Check(const Training& training, std::size_t ranks)
      : training_(training), layout_(training.layout), ranks_(static_cast<double>(ranks)) {}

  std::vector<LayoutFault> run() {
    const auto& model = training_.model;
    divides("tensor", layout_.tensor, model.heads, "heads");
    divides("tensor", layout_.tensor, model.feed_forward, "the width of the feed-forward part");
    divides("context", layout_.context, model.sequence, "the tokens of a sequence");
    if (model.layers < static_cast<long>(layout_.pipeline) * layout_.chunks)
      add("pipeline",
          layout_.chunks > 1 ? fmt::format("{} stages of {} chunks", layout_.pipeline, layout_.chunks)
                             : fmt::format("{}", layout_.pipeline),
          fmt::format("at most {}{}, which are layers", model.layers, layout_.chunks > 1 ? " in all" : ""));
    check_product();
    check_experts();
    check_batches();
    return std::move(faults_);
  }

private:
  void add(std::string_view key, std::string found, std::string expected) {
    faults_.push_back({key, std::move(found), std::move(expected)});
  }
  void divides(std::string_view key, int size, int whole, std::string_view what) {
    if (size > 0 && whole % size != 0)
      add(key, fmt::format("{}", size), fmt::format("a divisor of {}, which are {}", whole, what));
  }
  void check_product() {
    const double tensor = std::max(1, layout_.tensor), pipeline = std::max(1, layout_.pipeline);
    const double others = tensor * pipeline * layout_.context;
    const bool is_open = layout_.tensor == 0 || layout_.pipeline == 0;
    const auto text = fmt::format("{} tensor x {} context x {} pipeline{}", tensor, layout_.context, pipeline,
                                  layout_.data > 0 ? fmt::format(" x {} data", layout_.data) : "");
    const double all = layout_.data > 0 ? others * layout_.data : others;
    const bool must_equal = layout_.data > 0 && !is_open;
    if (must_equal ? all != ranks_ : all > ranks_ || static_cast<long>(ranks_) % static_cast<long>(all) != 0)
      add("", text, fmt::format("{} {:.0f} ranks", must_equal ? "a product of" : "a product that divides", ranks_));
  }

  void check_experts() {
    const auto& model = training_.model;
    divides("expert", layout_.expert, model.experts, "experts");
    if (layout_.data > 0 && layout_.data % layout_.expert != 0)
      add("expert", fmt::format("{}", layout_.expert), fmt::format("a divisor of the {} replicas", layout_.data));
  }

  void check_batches() {
    if (training_.inference)
      return;
    const bool interleaves = layout_.schedule == PipelineSchedule::interleaved;
    if (interleaves && (layout_.chunks < 2 || layout_.pipeline == 1))
      add(layout_.chunks < 2 ? "chunks" : "schedule", layout_.chunks < 2 ? "1" : "interleaved, and one stage",
          layout_.chunks < 2 ? "2 or more for interleaved" : "several stages");
    if (!interleaves && layout_.chunks > 1)
      add("chunks", fmt::format("{}", layout_.chunks), "1, unless \"schedule\" is interleaved");
    if (!training_.states_batch || layout_.data == 0)
      return;
    const auto at_a_time = static_cast<long>(layout_.data) * layout_.micro_batch;
    if (training_.global_batch % at_a_time != 0)
      add("global_batch", fmt::format("{}", training_.global_batch),
          fmt::format("a multiple of {}: {} replicas and micro-batches of {}", at_a_time, layout_.data,
                      layout_.micro_batch));
    else if (interleaves && layout_.pipeline > 0 && training_.global_batch / at_a_time % layout_.pipeline != 0)
      add("global_batch", fmt::format("{} micro-batches of a replica", training_.global_batch / at_a_time),
          fmt::format("a multiple of the {} stages, as interleaved needs", layout_.pipeline));
  }

  const Training& training_;
  const Layout& layout_;
  double ranks_;
  std::vector<LayoutFault> faults_;
};

} // namespace

int layers_of(const Training& training, int stage, int chunk) {
  const auto& layout = training.layout;
  const int places = layout.pipeline * layout.chunks, place = chunk * layout.pipeline + stage;
  const int left = training.model.layers % places, first = (places - left) / 2;
  return training.model.layers / places + (place >= first && place < first + left ? 1 : 0);
}

int layers_of_stage(const Training& training, int stage) {
  int layers = 0;
  for (int chunk = 0; chunk < training.layout.chunks; ++chunk)
    layers += layers_of(training, stage, chunk);
  return layers;
}

std::string layout_text(const Training& training) {
  const auto& layout = training.layout;
  auto text = fmt::format("tensor {}, pipeline {}, data {}", layout.tensor, layout.pipeline, layout.data);
  if (layout.context > 1)
    text += fmt::format(", context {}", layout.context);
  if (layout.expert > 1)
    text += fmt::format(", expert {}", layout.expert);
  if (training.inference)
    return text;
  text += fmt::format(", micro-batches of {}", layout.micro_batch);
  if (layout.pipeline > 1)
    text += fmt::format(", {}", schedule_names[static_cast<std::size_t>(layout.schedule)]);
  if (layout.chunks > 1)
    text += fmt::format(" of {} chunks", layout.chunks);
  return text;
}

std::vector<LayoutFault> layout_faults(const Training& training, std::size_t ranks) {
  return Check(training, ranks).run();
}

} // namespace kakehashi
