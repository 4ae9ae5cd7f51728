// "training" and "inference" of a workload → Training.
#include "base/data_folder.hpp"
#include "input/json/schema.hpp"
#include "input/scenario/scenario_parts.hpp"
#include "input/trace/gpu/gpu_readers.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace kakehashi {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::vector<std::string> known_models() {
  std::vector<std::string> names;
  std::error_code none;
  if (const auto folder = find_data_folder())
    for (const auto& entry : fs::directory_iterator(fs::path(*folder) / "models", none))
      if (entry.path().extension() == ".json" && entry.path().stem().extension() != ".schema")
        names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

// A name of models/, or a file beside the scenario. Empty: there is neither.
std::string model_file(const std::string& name, const std::string& scenario_file) {
  std::error_code none;
  const auto near = beside(scenario_file, name);
  if (fs::is_regular_file(near, none))
    return near;
  const auto shipped = or_shipped(near, name.starts_with("models/") ? name : "models/" + name + ".json");
  return fs::is_regular_file(shipped, none) ? shipped : "";
}

ModelShape shape_of(const json& object, const std::string& place, Faults& faults) {
  ModelShape model;
  const auto number = [&](const char* key, int otherwise) { return object.value(key, otherwise); };
  model.name = object.value("name", "");
  model.layers = number("layers", 1);
  model.hidden = number("hidden", 1);
  model.heads = number("heads", 1);
  model.kv_heads = number("kv_heads", model.heads);
  model.head_size = number("head_size", std::max(1, model.hidden / model.heads));
  model.feed_forward = number("feed_forward", 4 * model.hidden);
  model.is_gated = object.value("gated", false);
  model.vocabulary = number("vocabulary", 1);
  model.sequence = number("sequence", 1);
  model.experts = number("experts", 1);
  model.active_experts = number("active_experts", 1);
  model.ties_embeddings = object.value("ties_embeddings", true);
  if (!object.contains("head_size") && model.hidden % model.heads != 0)
    faults.add(place + "/heads",
               mismatch(fmt::format("{}", model.heads),
                        fmt::format("a divisor of {}, which is hidden; or \"head_size\"", model.hidden)));
  if (model.heads % model.kv_heads != 0)
    faults.add(place + "/kv_heads", mismatch(fmt::format("{}", model.kv_heads),
                                             fmt::format("a divisor of {}, which are heads", model.heads)));
  if (model.active_experts > model.experts)
    faults.add(place + "/active_experts", mismatch(fmt::format("{}", model.active_experts),
                                                   fmt::format("at most {}, which are experts", model.experts)));
  return model;
}

struct ReadModel {
  ModelShape shape;
  int batch = 0; // 0: the file states none
};

std::optional<ReadModel> read_model(const json& value, const std::string& at, const std::string& scenario_file,
                                    Faults& faults, Errors& elsewhere) {
  if (value.is_object()) {
    const JsonDocument own{scenario_file, JsonValue(value), {}};
    auto errors = check_schema(own, model_schema_text);
    for (const auto& error : errors)
      faults.add(at + error.place, error.message, error.suggestion);
    if (!errors.empty())
      return std::nullopt;
    return ReadModel{shape_of(value, at, faults), value.value("global_batch", 0)};
  }
  const auto name = value.get<std::string>();
  const auto file = model_file(name, scenario_file);
  if (file.empty()) {
    const auto known = known_models();
    faults.add(at, mismatch(in_quotes(name), fmt::format("a file, or one of {}", fmt::join(known, ", "))),
               closest(name, known));
    return std::nullopt;
  }
  const auto document = read_json(file);
  auto errors = document ? check_schema(*document, model_schema_text) : document.errors();
  if (errors.empty()) {
    Faults own(file);
    auto shape = shape_of(*document->root, "", own);
    if (shape.name.empty())
      shape.name = fs::path(file).stem().string();
    errors = own.take();
    if (errors.empty())
      return ReadModel{std::move(shape), document->root->value("global_batch", 0)};
  }
  elsewhere.insert(elsewhere.end(), errors.begin(), errors.end());
  return std::nullopt;
}

void read_order(const json& names, const std::string& place, Layout& layout, Faults& faults) {
  std::set<Parallel> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto dimension = from_name<Parallel>(parallel_names, names[i].get<std::string>());
    layout.order[i] = *dimension;
    if (!seen.insert(*dimension).second)
      faults.add(pointer_to(place + "/order", i), mismatch(show(names[i]) + " twice", "each dimension once"));
  }
}

void read_law(const json& object, const std::string& place, Training& training, Faults& faults) {
  auto& law = training.law;
  const auto part = [&](const char* key) {
    return object.contains(key) ? std::optional(object[key].get<double>()) : std::nullopt;
  };
  law.gemm = part("gemm_efficiency");
  law.attention = part("attention_efficiency");
  law.memory = part("memory_efficiency");
  law.launch = read_field(object, place, "layer_launch", seconds_text, faults);
  training.layer_forward = read_field(object, place, "layer_forward", seconds_text, faults);
  training.layer_backward = read_field(object, place, "layer_backward", seconds_text, faults);
}

// A recorded step is of the same model, on one GPU of it.
void read_profile(const json& value, const std::string& scenario_file, Training& training, Errors& elsewhere) {
  const json object = value.is_string() ? json{{"trace", value}} : value;
  auto profile = read_step_profile(beside(scenario_file, object["trace"].get<std::string>()));
  if (!profile) {
    const auto& errors = profile.errors();
    elsewhere.insert(elsewhere.end(), errors.begin(), errors.end());
    return;
  }
  auto work = training;
  const auto& layout = training.layout;
  work.layout = {};
  work.layout.tensor = object.value("tensor", std::max(1, layout.tensor));
  work.layout.micro_batch = object.value("micro_batch", layout.micro_batch);
  work.model.layers = object.value("layers", std::max(1, training.model.layers / std::max(1, layout.pipeline)));
  work.global_batch = work.layout.micro_batch * object.value("micro_batches", 1);
  if (work.recompute == Recompute::fit)
    work.recompute = Recompute::none;
  work.recompute = read_name<Recompute>(object, "recompute", recompute_names).value_or(work.recompute);
  profile->steps = object.value("steps", std::max(1, profile->steps));
  profile->has_output = object.value("output", work.model.layers == training.model.layers);
  profile->work = std::make_shared<const Training>(std::move(work));
  training.profile = std::move(*profile);
}

void read_parallel(const json& object, const std::string& place, Training& training, Faults& faults) {
  auto& layout = training.layout;
  layout.tensor = object.value("tensor", 0);
  layout.pipeline = object.value("pipeline", 0);
  layout.context = object.value("context", 1);
  layout.data = object.value("data", 0);
  layout.expert = object.value("expert", 1);
  layout.micro_batch = object.value("micro_batch", 1);
  layout.schedule = read_name<PipelineSchedule>(object, "schedule", schedule_names).value_or(layout.schedule);
  layout.chunks = object.value("chunks", layout.schedule == PipelineSchedule::interleaved ? 2 : 1);
  if (object.contains("order"))
    read_order(object["order"], place, layout, faults);
  for (const auto& name : object.value("overlap", json::array()))
    training.overlaps[static_cast<std::size_t>(*from_name<Parallel>(parallel_names, name.get<std::string>()))] = true;
}

} // namespace

Training read_training(const json& workload, const std::string& scenario_file, std::optional<std::size_t> ranks,
                       Faults& faults, Errors& elsewhere) {
  const bool is_answer = workload.contains("inference");
  const std::string place = is_answer ? "/workload/inference" : "/workload/training";
  const auto& object = workload[is_answer ? "inference" : "training"];
  Training training;
  const auto model = read_model(object["model"], place + "/model", scenario_file, faults, elsewhere);
  if (model)
    training.model = model->shape;
  read_parallel(object, place, training, faults);
  read_law(object, place, training, faults);
  training.precision = read_name<Precision>(object, "precision", precision_names).value_or(training.precision);
  training.attention = read_name<AttentionKernel>(object, "attention", attention_names).value_or(training.attention);
  training.sharding = read_name<Sharding>(object, "sharding", sharding_names).value_or(training.sharding);
  training.recompute = read_name<Recompute>(object, "recompute", recompute_names).value_or(training.recompute);
  training.splits_sequence = object.value("splits_sequence", true);
  training.gradient_bytes = object.value("gradients", "fp32") == "fp16" ? 2 : 4;
  training.bucket = read_field(object, place, "bucket", bytes_text, faults);
  training.states_batch = object.contains("global_batch");
  training.global_batch = object.value("global_batch", model ? model->batch : 0);
  if (training.bucket && training.bucket->count < 1024)
    faults.add(place + "/bucket", mismatch(to_text(*training.bucket), "1 KiB or more"));
  if (is_answer) {
    training.splits_sequence = false;
    training.sharding = Sharding::none;
    training.inference =
        Inference{object.value("batch", 1), object.value("prompt", std::max(1, training.model.sequence / 2)),
                  object.value("generated", 128)};
    training.states_batch = true;
    training.global_batch = training.inference->batch;
    training.layout.micro_batch = training.inference->batch;
  }
  if (model && object.contains("compute"))
    read_profile(object["compute"], scenario_file, training, elsewhere);
  if (model && ranks)
    for (const auto& fault : layout_faults(training, *ranks))
      faults.add(fault.key.empty() ? place : pointer_to(place, std::string(fault.key)),
                 mismatch(fault.found, fault.expected));
  return training;
}

} // namespace kakehashi
