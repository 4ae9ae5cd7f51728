// Why calls of NCCL or RCCL take their time → a report.
#include "report/column.hpp"
#include "report/findings.hpp"
#include "result/gpu_explanation.hpp"
#include "writer/json_values.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

// A call as it is, or with something changed.
struct GpuCallRow {
  std::string kind = "none";
  std::string what = "as it is";
  Bytes size;
  const GpuTime* call = nullptr;
  double bus = 0; // GB/s
};

// Neighbouring sizes whose calls run alike.
struct GpuRegime {
  const ExplainedGpuCall* first = nullptr;
  const ExplainedGpuCall* last = nullptr;
};

std::string algorithm_text(const GpuTime& call) {
  return std::string(call.algorithm ? name_of(gpu_algorithm_names, *call.algorithm) : "send/recv");
}

// What takes most of the time.
std::string main_part(const GpuTime& call) {
  if (call.bytes >= call.start && call.bytes >= call.hops)
    return "bytes: " + call.limit;
  return call.hops >= call.start ? "hops" : "start";
}

// The next best by the library's own model.
const GpuCandidate* runner_up(const ExplainedGpuCall& each) {
  const GpuCandidate* found = nullptr;
  for (const auto& candidate : each.candidates) {
    const bool is_taken = candidate.algorithm == each.time.algorithm && candidate.protocol == each.time.protocol;
    if (candidate.tuner && !is_taken && (!found || *candidate.tuner < *found->tuner))
      found = &candidate;
  }
  return found;
}

std::string candidate_text(const GpuCandidate& candidate) {
  return fmt::format("{} {}", name_of(gpu_algorithm_names, candidate.algorithm),
                     name_of(gpu_protocol_names, candidate.protocol));
}

double bus_rate(const GpuExplanation& all, Bytes size, const GpuTime& call) {
  return bus_factor(all.operation, static_cast<double>(all.ranks)) * static_cast<double>(size.count) / call.time.value /
         1e9;
}

std::vector<GpuRegime> regimes_of(const GpuExplanation& all) {
  std::vector<GpuRegime> regimes;
  for (const auto& each : all.calls) {
    const auto* before = regimes.empty() ? nullptr : &regimes.back().last->time;
    if (before && before->algorithm == each.time.algorithm && before->protocol == each.time.protocol &&
        main_part(*before) == main_part(each.time))
      regimes.back().last = &each;
    else
      regimes.push_back({&each, &each});
  }
  return regimes;
}

ColumnsOf<GpuRegime> regime_columns(const GpuExplanation& all) {
  using Row = const GpuRegime&;
  const Form share{0, Unit::share};
  return {
      {"", right("from", 9), {0, Unit::size}, [](Row row) { return Datum(row.first->size); }},
      {"", right("to", 9), {0, Unit::size}, [](Row row) { return Datum(row.last->size); }},
      {"", left("algorithm", 9, 2), {}, [](Row row) { return Datum(algorithm_text(row.last->time)); }},
      {"",
       left("protocol", 8),
       {},
       [](Row row) { return Datum(name_of(gpu_protocol_names, row.last->time.protocol)); }},
      {"", right("time (us)", 11), {2}, [](Row row) { return Datum(row.last->time.time); }},
      {"", right("busbw", 8), {2}, [&all](Row row) { return Datum(bus_rate(all, row.last->size, row.last->time)); }},
      {"", right("start", 7), share, [](Row row) { return Datum(row.last->time.start / row.last->time.time); }},
      {"", right("hops", 7), share, [](Row row) { return Datum(row.last->time.hops / row.last->time.time); }},
      {"", right("bytes", 7), share, [](Row row) { return Datum(row.last->time.bytes / row.last->time.time); }},
      {"", right("its model", 10), {2}, [](Row row) { return Datum(row.last->time.tuner); }},
      {"", left("runner-up", 0, 2), {}, [](Row row) {
         const auto* next = runner_up(*row.last);
         return next ? Datum(fmt::format("{} ({:.2f})", candidate_text(*next), in_microseconds(*next->tuner)))
                     : Datum("-");
       }}};
}

ColumnsOf<GpuCallRow> call_columns() {
  using Row = const GpuCallRow&;
  return {{"kind", left("kind"), {}, &GpuCallRow::kind},
          {"change", left("change"), {}, &GpuCallRow::what},
          {"bytes", right("size"), {0, Unit::size}, &GpuCallRow::size},
          {"time_us", right("time (us)"), {2}, [](Row row) { return Datum(row.call->time); }},
          {"busbw", right("busbw"), {2}, &GpuCallRow::bus},
          {"algorithm", left("algorithm"), {}, [](Row row) { return Datum(algorithm_text(*row.call)); }},
          {"protocol",
           left("protocol"),
           {},
           [](Row row) { return Datum(name_of(gpu_protocol_names, row.call->protocol)); }},
          {"channels", right("channels"), {}, [](Row row) { return Datum(row.call->channels); }},
          {"start_us", right("start"), {2}, [](Row row) { return Datum(row.call->start); }},
          {"hops_us", right("hops"), {2}, [](Row row) { return Datum(row.call->hops); }},
          {"bytes_us", right("bytes"), {2}, [](Row row) { return Datum(row.call->bytes); }},
          {"limit", left("limit"), {}, [](Row row) { return Datum(row.call->limit); }},
          {"tuner_us", right("its model"), {2}, [](Row row) { return Datum(row.call->tuner); }}};
}

std::vector<GpuCallRow> rows_of(const GpuExplanation& all, const std::string& kind, const std::string& what,
                                const std::vector<const GpuTime*>& times) {
  std::vector<GpuCallRow> rows;
  for (std::size_t i = 0; i < times.size(); ++i)
    rows.push_back({kind, what, all.calls[i].size, times[i], bus_rate(all, all.calls[i].size, *times[i])});
  return rows;
}

std::vector<GpuCallRow> rows_of(const GpuExplanation& all) {
  std::vector<const GpuTime*> times;
  for (const auto& each : all.calls)
    times.push_back(&each.time);
  return rows_of(all, "none", "as it is", times);
}

std::vector<GpuCallRow> rows_of(const GpuExplanation& all, const GpuWhatIf& what_if) {
  std::vector<const GpuTime*> times;
  for (const auto& each : what_if.times)
    times.push_back(&each);
  return rows_of(all, what_if.kind, what_if.what, times);
}

// The sizes at which regimes end, evenly spread if there are many.
std::vector<std::size_t> shown_sizes(const GpuExplanation& all) {
  constexpr std::size_t most = 5;
  std::vector<std::size_t> ends;
  for (const auto& regime : regimes_of(all))
    ends.push_back(static_cast<std::size_t>(regime.last - all.calls.data()));
  if (ends.size() <= most)
    return ends;
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < most; ++i)
    some.push_back(ends[i * (ends.size() - 1) / (most - 1)]);
  return some;
}

Listing what_ifs_of(const GpuExplanation& all) {
  const auto sizes = shown_sizes(all);
  Listing listing{"what would change the time, and by how much", {}, {}};
  for (const auto size : sizes)
    listing.heads.push_back(right(to_text(all.calls[size].size), 10));
  listing.heads.push_back(left("change", 0, 2));
  std::vector<const GpuWhatIf*> sorted;
  for (const auto& each : all.what_ifs)
    if (!each.times.empty())
      sorted.push_back(&each);
  std::ranges::stable_sort(sorted, {}, [&](const GpuWhatIf* each) { return each->times[sizes.back()].time; });
  for (const auto* each : sorted) {
    auto& cells = listing.rows.emplace_back();
    for (const auto size : sizes)
      cells.push_back(signed_percent(each->times[size].time / all.calls[size].time.time - 1));
    cells.push_back(each->what);
  }
  return listing;
}

std::string way_note(const GpuExplanation& all, std::size_t way) {
  return fmt::format("channel {}: {}", way, all.ways[way]);
}

ReportParts parts_of(const GpuExplanation& all) {
  ReportParts parts{Note{fmt::format("{} on {}: {}, {} on {}, {}", all.benchmark, all.platform, all.library,
                                     counted(all.ranks, "rank"), counted(all.nodes, "node"),
                                     counted(static_cast<std::size_t>(all.channels), "channel"))}};
  for (const auto& note : all.notes)
    parts.push_back(Note{note});
  if (all.ranks < 2 || all.calls.empty()) {
    parts.push_back(Note{"a rank alone sends nothing: a call takes its launch"});
    return parts;
  }
  for (std::size_t way = 0; way < all.ways.size(); ++way)
    parts.push_back(Note{way_note(all, way)});
  parts.push_back(Note{fmt::format("its search counts {:.1f} GB/s inside a node{}", all.inside,
                                   all.nodes > 1 ? fmt::format(" and {:.1f} GB/s between nodes", all.between) : "")});
  parts.push_back(listing_of("times at the largest size of each line", regime_columns(all), regimes_of(all)));
  for (const auto& regime : regimes_of(all))
    parts.push_back(Note{fmt::format("most of {} to {}: {}", to_text(regime.first->size), to_text(regime.last->size),
                                     main_part(regime.last->time))});
  if (!all.what_ifs.empty())
    parts.push_back(what_ifs_of(all));
  for (const auto& each : all.what_ifs)
    if (each.times.empty())
      parts.push_back(Note{fmt::format("{}: {}", each.what, each.refusal)});
  return parts;
}

Sheet sheet_of(const GpuExplanation& all) {
  auto rows = rows_of(all);
  for (const auto& each : all.what_ifs)
    std::ranges::move(rows_of(all, each), std::back_inserter(rows));
  return sheet_of(call_columns(), rows);
}

Json tree_of(const GpuCandidate& candidate) {
  Json json{{"algorithm", name_of(gpu_algorithm_names, candidate.algorithm)},
            {"protocol", name_of(gpu_protocol_names, candidate.protocol)}};
  if (candidate.tuner)
    json["tuner_us"] = rounded_us(*candidate.tuner);
  if (candidate.time)
    json["time_us"] = rounded_us(*candidate.time);
  add_if_any(json, "refusal", candidate.refusal);
  return json;
}

Json tree_of(const GpuExplanation& all) {
  auto columns = call_columns();
  columns.erase(columns.begin(), columns.begin() + 2); // the change
  auto calls = list_of(columns, rows_of(all));
  for (std::size_t i = 0; i < calls.size(); ++i)
    calls[i]["candidates"] = json_list(all.calls[i].candidates, [](const auto& each) { return tree_of(each); });
  Json json{{"schema_version", 1},
            {"scenario", all.scenario},
            {"benchmark", all.benchmark},
            {"platform", all.platform},
            {"library", all.library},
            {"ranks", all.ranks},
            {"nodes", all.nodes},
            {"channels", all.channels},
            {"gbytes_per_s_inside", rounded(all.inside)},
            {"gbytes_per_s_between", rounded(all.between)},
            {"ways", all.ways},
            {"notes", all.notes}};
  json["calls"] = std::move(calls);
  json["changes"] = json_list(all.what_ifs, [&](const GpuWhatIf& each) {
    Json change{{"kind", each.kind}, {"what", each.what}};
    add_if_any(change, "refusal", each.refusal);
    change["calls"] = list_of(columns, rows_of(all, each));
    return change;
  });
  return json;
}

} // namespace

Report report_of(const GpuExplanation& all) {
  return {[&] { return parts_of(all); }, [&] { return sheet_of(all); }, [&] { return tree_of(all); }};
}

} // namespace kakehashi
