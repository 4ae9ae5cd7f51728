// Steps of training and answers of models → reports.
#include "base/text.hpp"
#include "model/platform.hpp"
#include "report/column.hpp"
#include "report/findings.hpp"
#include "result/training_step.hpp"
#include "writer/json_values.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

double in_milliseconds(Seconds time) {
  return 1e3 * time.value;
}

double gigabytes(Bytes size) {
  return static_cast<double>(size.count) / 1e9;
}

std::string order_text(const Layout& layout) {
  std::string text;
  for (const auto each : layout.order)
    if (layout.along(each) > 1)
      text += fmt::format("{}{}", text.empty() ? "" : "-", name_of(parallel_names, each));
  return text;
}

// A layout and what came of it.
struct LayoutRow {
  Layout layout;
  const StepTimes* times = nullptr;
  double utilisation = 0;
  double tokens = 0; // a second
  bool is_tied = false;
};

ColumnsOf<LayoutRow> layout_columns(bool is_answer) {
  using Row = const LayoutRow&;
  const auto part = [](StepPart which) {
    return [which](Row row) { return Datum(1e3 * row.times->parts[static_cast<std::size_t>(which)].value); };
  };
  ColumnsOf<LayoutRow> columns{
      {"tensor", right("tensor"), {}, [](Row row) { return Datum(row.layout.tensor); }},
      {"pipeline", right("pipeline"), {}, [](Row row) { return Datum(row.layout.pipeline); }},
      {"data", right("data"), {}, [](Row row) { return Datum(row.layout.data); }},
      {"context", {}, {}, [](Row row) { return Datum(row.layout.context); }},
      {"expert", right("expert"), {}, [](Row row) { return Datum(row.layout.expert); }},
      {"micro_batch", right("micro"), {}, [](Row row) { return Datum(row.layout.micro_batch); }},
      {"schedule", left("schedule"), {}, [](Row row) { return Datum(name_of(schedule_names, row.layout.schedule)); }},
      {"chunks", {}, {}, [](Row row) { return Datum(row.layout.chunks); }},
      {"recompute",
       left("recompute"),
       {},
       [](Row row) { return Datum(name_of(recompute_names, row.times->recompute)); }},
      {"step_ms", right("step (ms)", 10), {1}, [](Row row) { return Datum(in_milliseconds(row.times->step)); }},
      {"tokens_per_s", right("tokens/s", 10), {0}, &LayoutRow::tokens},
      {"utilisation", right("MFU", 7), {1, Unit::share}, &LayoutRow::utilisation},
      {"bubble", right("bubble", 7), {1, Unit::share}, [](Row row) { return Datum(row.times->bubble); }},
      {"memory_gb", right("memory (GB)", 11), {1}, [](Row row) { return Datum(gigabytes(row.times->memory.all())); }},
      {"order", left("order"), {}, [](Row row) { return Datum(order_text(row.layout)); }},
      {"fits", {}, {}, [](Row row) { return Datum(row.times->memory.fits()); }}};
  for (std::size_t i = 0; i < step_part_count; ++i)
    columns.push_back({fmt::format("{}_ms", step_part_names[i]), {}, {3}, part(static_cast<StepPart>(i))});
  if (is_answer) {
    std::erase_if(columns, [](const auto& column) {
      return column.key == "micro_batch" || column.key == "schedule" || column.key == "chunks" ||
             column.key == "recompute" || column.key == "bubble";
    });
    columns.push_back(
        {"first_token_ms", {}, {3}, [](Row row) { return Datum(in_milliseconds(row.times->first_token)); }});
    columns.push_back(
        {"next_token_ms", {}, {3}, [](Row row) { return Datum(in_milliseconds(row.times->next_token)); }});
  }
  return columns;
}

LayoutRow row_of(const TrainingRecord& record) {
  return {record.work.layout, &record.times, record.utilisation(), record.tokens_per_second(), false};
}

struct PartRow {
  std::string_view key;
  std::string_view title;
  Seconds time;
  double share = 0;
};

std::vector<PartRow> part_rows_of(const TrainingRecord& record) {
  std::vector<PartRow> rows;
  for (std::size_t i = 0; i < step_part_count; ++i)
    if (const auto time = record.times.parts[i]; time.value > 1e-9)
      rows.push_back({step_part_names[i], step_part_titles[i], time, time / record.times.step});
  std::ranges::stable_sort(rows, std::greater{}, &PartRow::time);
  return rows;
}

ColumnsOf<PartRow> part_columns() {
  using Row = const PartRow&;
  return {{"part", {}, {}, [](Row row) { return Datum(row.key); }},
          {"", left("part", 0, 2), {}, [](Row row) { return Datum(row.title); }},
          {"time_ms", right("time (ms)", 10), {2}, [](Row row) { return Datum(in_milliseconds(row.time)); }},
          {"share", right("share", 7), {1, Unit::share}, &PartRow::share}};
}

ColumnsOf<StepCall> call_columns_of_step() {
  using Row = const StepCall&;
  return {{"dimension", left("along", 0, 2), {}, [](Row row) { return Datum(name_of(parallel_names, row.dimension)); }},
          {"call", left("call"), {}, &StepCall::what},
          {"bytes", right("size", 9), {0, Unit::size}, &StepCall::size},
          {"ranks", right("GPUs"), {}, &StepCall::ranks},
          {"nodes", right("nodes"), {}, &StepCall::nodes},
          {"sharing", right("sharing"), {0}, &StepCall::sharing},
          {"algorithm", left("how"), {}, &StepCall::how},
          {"count", right("times", 7), {0}, &StepCall::count},
          {"time_us", right("time (us)", 10), {1}, [](Row row) { return Datum(row.time); }},
          {"all_ms", right("all (ms)", 10), {2}, [](Row row) { return Datum(1e3 * row.count * row.time.value); }},
          {"limit", left("limit"), {}, [](Row row) { return some(row.limit); }}};
}

struct DimensionRow {
  std::string_view name;
  Seconds calls;
  Seconds exposed;
  double share = 0;
};

std::vector<DimensionRow> dimension_rows(const TrainingRecord& record) {
  std::vector<DimensionRow> rows;
  for (std::size_t i = 0; i < parallel_count; ++i) {
    if (!record.exposed[i])
      continue;
    Seconds calls;
    for (const auto& call : record.times.calls)
      if (call.dimension == static_cast<Parallel>(i))
        calls += call.count * call.time;
    rows.push_back({parallel_names[i], calls, *record.exposed[i], *record.exposed[i] / record.times.step});
  }
  return rows;
}

ColumnsOf<DimensionRow> dimension_columns() {
  using Row = const DimensionRow&;
  return {{"dimension", left("along", 0, 2), {}, [](Row row) { return Datum(row.name); }},
          {"calls_ms", right("calls (ms)", 10), {2}, [](Row row) { return Datum(in_milliseconds(row.calls)); }},
          {"exposed_ms", right("exposed (ms)", 12), {2}, [](Row row) { return Datum(in_milliseconds(row.exposed)); }},
          {"share", right("share", 7), {1, Unit::share}, &DimensionRow::share}};
}

ColumnsOf<StepStretch> path_columns() {
  using Row = const StepStretch&;
  return {{"stage", right("stage"), {}, [](Row row) { return Datum(row.stage); }},
          {"what", left("what"), {}, &StepStretch::what},
          {"count", right("times"), {}, &StepStretch::count},
          {"from_ms", right("from (ms)", 10), {2}, [](Row row) { return Datum(in_milliseconds(row.from)); }},
          {"to_ms", right("to (ms)", 10), {2}, [](Row row) { return Datum(in_milliseconds(row.to)); }}};
}

ColumnsOf<StepEvent> event_columns() {
  using Row = const StepEvent&;
  return {{"stage", {}, {}, [](Row row) { return Datum(row.stage); }},
          {"stream", {}, {}, &StepEvent::stream},
          {"name", {}, {}, &StepEvent::name},
          {"from_ms", {}, {4}, [](Row row) { return Datum(in_milliseconds(row.from)); }},
          {"to_ms", {}, {4}, [](Row row) { return Datum(in_milliseconds(row.to)); }}};
}

std::string memory_text(const MemoryUse& use, bool is_answer) {
  auto text = fmt::format("memory of a GPU: {:.1f} GB", gigabytes(use.all()));
  if (use.size)
    text += fmt::format(" of {:.1f} GB, {}", gigabytes(*use.size), use.fits() ? "which fits" : "which does not fit");
  else
    text += "; its size is not known";
  text += fmt::format(": weights {:.1f}, ", gigabytes(use.weights));
  if (!is_answer)
    text += fmt::format("gradients {:.1f}, optimiser {:.1f}, ", gigabytes(use.gradients), gigabytes(use.optimizer));
  return text + fmt::format("{} {:.1f}, other {:.1f} (assumed)", is_answer ? "keys and values" : "activations",
                            gigabytes(use.activations), gigabytes(use.other));
}

Json tree_of(const MemoryUse& use) {
  Json json{{"all_gb", rounded(gigabytes(use.all()))},
            {"weights_gb", rounded(gigabytes(use.weights))},
            {"gradients_gb", rounded(gigabytes(use.gradients))},
            {"optimizer_gb", rounded(gigabytes(use.optimizer))},
            {"activations_gb", rounded(gigabytes(use.activations))},
            {"other_gb", rounded(gigabytes(use.other))}};
  if (use.size)
    json["size_gb"] = rounded(gigabytes(*use.size));
  json["fits"] = use.fits();
  return json;
}

std::string head_text(const TrainingRecord& record) {
  const auto& work = record.work;
  return fmt::format("{}{} on {}: {} {}, {}; {}{}", work.inference ? "answers of " : "a step of ",
                     work.model.name.empty() ? "a model" : work.model.name, record.platform,
                     counted(record.gpus, "GPU"), record.gpu.empty() ? "" : "(" + record.gpu + ")",
                     counted(record.nodes, "node"), layout_text(work),
                     record.library.empty() ? "" : "; " + record.library);
}

std::string step_text(const TrainingRecord& record) {
  const auto& times = record.times;
  const auto& work = record.work;
  if (work.inference)
    return fmt::format("the first token comes after {:.2f} ms, each further one after {:.3f} ms; {:.0f} tokens/s for "
                       "{} of {} tokens and {} more each{}",
                       in_milliseconds(times.first_token), in_milliseconds(times.next_token),
                       record.tokens_per_second(), counted(static_cast<std::size_t>(work.inference->batch), "prompt"),
                       work.inference->prompt, work.inference->generated,
                       work.layout.data > 1 ? fmt::format(", on each of {} replicas", work.layout.data) : "");
  return fmt::format("a step of {} sequences takes {:.1f} ms: {:.0f} tokens/s, {:.1f} Tflop/s a GPU, model FLOP "
                     "utilisation {:.1f} %",
                     work.global_batch, in_milliseconds(times.step), record.tokens_per_second(),
                     record.flops / times.step.value / static_cast<double>(record.gpus) / 1e12,
                     100 * record.utilisation());
}

// Calls of equal kind and size are one line.
std::vector<StepCall> joined_calls(const std::vector<StepCall>& calls) {
  std::vector<StepCall> joined;
  for (const auto& call : calls) {
    const auto same = std::ranges::find_if(joined, [&](const StepCall& each) {
      return each.dimension == call.dimension && each.what == call.what && each.size == call.size;
    });
    if (same == joined.end())
      joined.push_back(call);
    else
      same->count += call.count;
  }
  return joined;
}

ReportParts record_parts(const TrainingRecord& record) {
  const bool is_answer = record.work.inference.has_value();
  ReportParts parts{Note{head_text(record)}};
  for (const auto& note : record.notes)
    parts.push_back(Note{note});
  parts.push_back(Note{step_text(record)});
  parts.push_back(Note{memory_text(record.times.memory, is_answer)});
  if (record.work.layout.pipeline > 1 && !is_answer)
    parts.push_back(Note{fmt::format("stages wait {:.1f} % of the step for others", 100 * record.times.bubble)});
  parts.push_back(listing_of(is_answer ? "where the time of all tokens goes"
                                       : fmt::format("where the step goes, on stage {}", record.times.stage),
                             part_columns(), part_rows_of(record)));
  if (!record.times.calls.empty()) {
    parts.push_back(listing_of("calls", call_columns_of_step(), joined_calls(record.times.calls)));
    parts.push_back(
        listing_of("what the step would save without the calls", dimension_columns(), dimension_rows(record)));
  }
  if (!record.times.path.empty()) {
    auto path = listing_of("the critical path", path_columns(), record.times.path);
    path.most = 12;
    parts.push_back(std::move(path));
  }
  return parts;
}

Json settings_of(const Training& work) {
  Json json{{"model", work.model.name},
            {"layers", work.model.layers},
            {"hidden", work.model.hidden},
            {"heads", work.model.heads},
            {"vocabulary", work.model.vocabulary},
            {"sequence", work.model.sequence},
            {"precision", name_of(precision_names, work.precision)},
            {"attention", name_of(attention_names, work.attention)}};
  if (work.inference) {
    json["batch"] = work.inference->batch;
    json["prompt"] = work.inference->prompt;
    json["generated"] = work.inference->generated;
    return json;
  }
  json["global_batch"] = work.global_batch;
  json["sharding"] = name_of(sharding_names, work.sharding);
  json["splits_sequence"] = work.splits_sequence;
  json["gradient_bytes"] = work.gradient_bytes;
  auto overlaps = Json::array();
  for (std::size_t i = 0; i < parallel_count; ++i)
    if (work.overlaps[i])
      overlaps.push_back(parallel_names[i]);
  json["overlap"] = std::move(overlaps);
  return json;
}

Json record_tree(const TrainingRecord& record) {
  constexpr std::size_t most_events = 20000;
  Json json{{"schema_version", 1},         {"scenario", record.scenario},
            {"platform", record.platform}, {"gpu", record.gpu},
            {"gpus", record.gpus},         {"nodes", record.nodes},
            {"library", record.library},   {"work", settings_of(record.work)}};
  json.update(tree_of(layout_columns(record.work.inference.has_value()), row_of(record)));
  json["memory"] = tree_of(record.times.memory);
  json["parts"] = list_of(part_columns(), part_rows_of(record));
  json["calls"] = list_of(call_columns_of_step(), joined_calls(record.times.calls));
  json["exposed"] = list_of(dimension_columns(), dimension_rows(record));
  json["critical_path"] = list_of(path_columns(), record.times.path);
  const auto shown = std::min(most_events, record.times.events.size());
  json["timeline"] = list_of(event_columns(), std::span(record.times.events.data(), shown));
  if (shown < record.times.events.size())
    json["timeline_left_out"] = record.times.events.size() - shown;
  json["notes"] = record.notes;
  return json;
}

// How much a change saves.
double gain_of(const TrainingExplanation& all, const TrainingChange& change) {
  return change.step ? *change.step / all.record.times.step - 1 : 0;
}

ReportParts explanation_parts(const TrainingExplanation& all) {
  auto parts = record_parts(all.record);
  Listing listing{"what would change the step, and by how much",
                  {right("step (ms)", 10), right("change", 8), left("what", 0, 2)},
                  {}};
  for (const auto& change : all.changes)
    if (change.step)
      listing.rows.push_back({fmt::format("{:.1f}", in_milliseconds(*change.step)),
                              signed_percent(gain_of(all, change)),
                              change.fits ? change.what : change.what + " (too little memory)"});
  parts.push_back(std::move(listing));
  for (const auto& change : all.changes)
    if (!change.step)
      parts.push_back(Note{fmt::format("{}: {}", change.what, change.refusal)});
  return parts;
}

ColumnsOf<TrainingChange> change_columns(const TrainingExplanation& all) {
  using Row = const TrainingChange&;
  return {{"kind", left("kind"), {}, &TrainingChange::kind},
          {"change", left("change"), {}, &TrainingChange::what},
          {"step_ms",
           right("step (ms)"),
           {1},
           [](Row row) { return row.step ? Datum(in_milliseconds(*row.step)) : Datum(); }},
          {"gain",
           right("change"),
           {1, Unit::change},
           [&all](Row row) { return row.step ? Datum(gain_of(all, row)) : Datum(); }},
          {"fits", left("fits"), {}, &TrainingChange::fits},
          {"refusal", left("refusal"), {}, [](Row row) { return some(row.refusal); }}};
}

std::vector<TrainingChange> with_present(const TrainingExplanation& all) {
  std::vector<TrainingChange> rows{{"none", "as it is", all.record.times.step, all.record.times.memory.fits(), ""}};
  rows.insert(rows.end(), all.changes.begin(), all.changes.end());
  return rows;
}

std::vector<LayoutRow> rows_of(const TrainingSweep& sweep) {
  std::vector<LayoutRow> rows;
  for (const auto& point : sweep.points)
    rows.push_back(
        {point.layout, &point.times, point.utilisation, point.tokens / point.times.step.value, point.is_tied});
  return rows;
}

ReportParts sweep_parts(const TrainingSweep& sweep, std::size_t shown) {
  const auto& base = sweep.base;
  ReportParts parts{
      Note{fmt::format("layouts of {} on {}: {}", base.work.model.name.empty() ? "a model" : base.work.model.name,
                       base.platform, counted(base.gpus, "GPU"))}};
  parts.push_back(Note{fmt::format("{} ran, {} need more memory than there is, and a bound shows {} to be worse",
                                   counted(sweep.tried, "layout"), sweep.unfit, sweep.pruned)});
  if (sweep.points.empty()) {
    parts.push_back(Note{"no layout fits into the memory"});
    return parts;
  }
  auto columns = layout_columns(base.work.inference.has_value());
  if (base.work.model.experts < 2)
    std::erase_if(columns, [](const auto& column) { return column.key == "expert"; });
  auto listing = listing_of("the fastest layouts", columns, rows_of(sweep));
  listing.most = shown;
  parts.push_back(std::move(listing));
  const auto ties = std::ranges::count(sweep.points, true, &TrainingPoint::is_tied);
  if (ties > 1)
    parts.push_back(Note{fmt::format("the first {} are tied: their times differ by less than {:.0f} %, which the model "
                                     "does not tell apart",
                                     ties, 100 * sweep.tie)});
  const auto& best = sweep.points.front();
  auto work = base.work;
  work.layout = best.layout;
  parts.push_back(Note{fmt::format("the fastest: {}, order {}", layout_text(work), order_text(best.layout))});
  if (base.times.step.value > 0)
    parts.push_back(Note{fmt::format("the scenario's own layout ({}) takes {:.1f} ms, {} of the fastest{}",
                                     layout_text(base.work), in_milliseconds(base.times.step),
                                     fmt::format("{:.2f} times", base.times.step / best.times.step),
                                     base.times.memory.fits() ? "" : ", and does not fit")});
  return parts;
}

} // namespace

Report report_of(const TrainingRecord& record) {
  return {
      [&record] { return record_parts(record); },
      [&record] { return sheet_of(layout_columns(record.work.inference.has_value()), std::vector{row_of(record)}); },
      [&record] { return record_tree(record); }};
}

Report report_of(const TrainingExplanation& all) {
  return {[&all] { return explanation_parts(all); },
          [&all] { return sheet_of(change_columns(all), with_present(all)); },
          [&all] {
            auto json = record_tree(all.record);
            json["changes"] = list_of(change_columns(all), all.changes);
            return json;
          }};
}

Report report_of(const TrainingSweep& sweep, std::size_t shown) {
  return {[&sweep, shown] { return sweep_parts(sweep, shown); },
          [&sweep] { return sheet_of(layout_columns(sweep.base.work.inference.has_value()), rows_of(sweep)); },
          [&sweep] {
            Json json{{"schema_version", 1},
                      {"scenario", sweep.base.scenario},
                      {"platform", sweep.base.platform},
                      {"gpus", sweep.base.gpus},
                      {"work", settings_of(sweep.base.work)},
                      {"tried", sweep.tried},
                      {"unfit", sweep.unfit},
                      {"pruned", sweep.pruned},
                      {"tie", sweep.tie}};
            auto list = Json::array();
            const auto columns = layout_columns(sweep.base.work.inference.has_value());
            for (const auto& row : rows_of(sweep)) {
              list.push_back(tree_of(columns, row));
              list.back()["tied"] = row.is_tied;
            }
            json["layouts"] = std::move(list);
            return json;
          }};
}

} // namespace kakehashi
