// A tuning → a report: what changes, from which size on, by how much, and how certain that is.
#include "report/column.hpp"
#include "report/findings.hpp"
#include "result/tuning.hpp"
#include "writer/json_values.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <set>

namespace kakehashi {
namespace {

std::string_view library_name(const Tuning& tuning) {
  return selector_names[static_cast<std::size_t>(tuning.library)];
}

std::string size_text(const TunedOperation& operation, std::uint64_t size) {
  return operation.collective == Collective::barrier ? "-" : to_text(Bytes{size});
}

std::string signed_percent(double part) {
  return fmt::format("{:+.0f}", 100 * part);
}

// Returns "+45 to +80 %".
std::string gain_text(double least, double most) {
  return signed_percent(least) == signed_percent(most) ? signed_percent(most) + " %"
                                                       : signed_percent(least) + " to " + signed_percent(most) + " %";
}

// Returns the library's own choice from the range's first size on, and where it changes after that.
std::string usual_text(const TunedRange& range, const TunedSize* end) {
  std::vector<std::string> names;
  for (const auto* each = range.first; each != end; ++each)
    if (names.empty() || names.back() != each->usual.name)
      names.push_back(each->usual.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

const TunedSize* end_of(const TunedOperation& operation, const std::vector<TunedRange>& ranges, std::size_t i) {
  return i + 1 < ranges.size() ? ranges[i + 1].first : operation.sizes.data() + operation.sizes.size();
}

Listing placements_of(const Tuning& all) {
  Listing listing{"mean times over those of " + all.placements.front().name + " with the library's own choices",
                  {left("placement", 18), right("default", 9), right("tuned", 9), left("", 0, 2)},
                  {}};
  for (const auto& each : all.placements) {
    auto& cells = listing.rows.emplace_back(
        ListedRow{each.name, fmt::format("{:.3f}", each.usual), fmt::format("{:.3f}", each.tuned)});
    if (&each == &all.placements[all.placement])
      cells.push_back("(what follows)");
  }
  return listing;
}

void add_operation(const TunedOperation& operation, Listing& listing) {
  const auto ranges = ranges_of(operation);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto& range = ranges[i];
    const auto* end = end_of(operation, ranges, i);
    auto& cells = listing.rows.emplace_back(
        ListedRow{row_of(operation.collective).name, operation.ranks, size_text(operation, range.first->size)});
    if (range.first->is_changed) {
      const auto sure =
          range.is_measured ? "measured" : fmt::format("{:.0f} %", 100 * certainty(operation.collective, range.least));
      cells.insert(cells.end(), {range.first->chosen.name, gain_text(range.least, range.most), sure});
    } else {
      double most = 0;
      for (const auto* each = range.first; each != end; ++each)
        most = std::max(most, each->best.time.value > 0 ? each->usual.time / each->best.time - 1 : 0);
      cells.insert(cells.end(), {"default", fmt::format("(to {} %)", signed_percent(most)), ""});
    }
    cells.push_back(usual_text(range, end));
  }
}

Listing choices_of(const Tuning& all) {
  Listing listing{"",
                  {left("operation", 15), right("ranks", 6), right("from", 10), left("take", 34, 2), right("gain", 15),
                   right("sure", 8), left("instead of", 0, 2)},
                  {}};
  listing.name = "Proposed";
  for (const auto& operation : all.operations)
    if (operation.placement == all.placement)
      add_operation(operation, listing);
  return listing;
}

Listing against_of(const Tuning& all) {
  Listing listing{fmt::format("what {} gains over the default, and loses against what is proposed", all.against),
                  {left("operation", 15), right("ranks", 6), right("size", 10), left("takes", 34, 2),
                   right("gains", 15), left("loses", 0, 2)},
                  {},
                  false};
  for (const auto& operation : all.operations)
    for (const auto& each : operation.sizes)
      if (operation.placement == all.placement && each.of_file && each.of_file->name != each.usual.name)
        listing.rows.push_back({row_of(operation.collective).name, operation.ranks, size_text(operation, each.size),
                                each.of_file->name, signed_percent(each.usual.time / each.of_file->time - 1) + " %",
                                signed_percent(each.chosen.time / each.of_file->time - 1) + " %"});
  return listing;
}

void add_settings(const Tuning& all, ReportParts& parts) {
  bool is_first = true;
  for (const auto& operation : all.operations) {
    if (operation.placement != all.placement)
      continue;
    for (const auto& range : ranges_of(operation)) {
      if (!range.first->is_changed || range.first->setting.empty())
        continue;
      if (std::exchange(is_first, false))
        parts.push_back(Note{fmt::format("for a job that has one size of messages in each operation, without a file{}:",
                                         all.releases.empty() ? "" : fmt::format(" ({})", all.releases))});
      parts.push_back(Note{fmt::format("{}, {} ranks, {}: {}", row_of(operation.collective).name, operation.ranks,
                                       size_text(operation, range.first->size), range.first->setting),
                           1});
    }
  }
}

ReportParts parts_of(const Tuning& all) {
  ReportParts parts{Note{fmt::format("tune: {} on {}, fabric {}, {} ranks, {}", library_name(all), all.platform,
                                     all.fabric, all.ranks, all.placements[all.placement].name)}};
  if (!all.assumed_tables.empty())
    parts.push_back(Note{fmt::format("neither --library nor the platform states an MPI library; assumed is {}, with "
                                     "the tables of {}",
                                     library_name(all), all.assumed_tables)});
  if (all.placements.size() > 1)
    parts.push_back(placements_of(all));
  std::set<std::string> margins;
  for (const auto& operation : all.operations)
    margins.insert(fmt::format("{:.0f} %", 100 * operation.margin));
  parts.push_back(Note{fmt::format("{} runs. The default stays where another choice gains less than {}", all.runs,
                                   fmt::join(margins, " or "))});
  parts.push_back(choices_of(all));
  if (!all.against.empty())
    parts.push_back(against_of(all));
  add_settings(all, parts);
  const auto runs = confirming_runs(all);
  if (!runs.empty())
    parts.push_back(
        Note{"these runs would settle most of what is not sure; --measured FOLDER then decides by their outputs:"});
  for (const auto& run : runs)
    parts.push_back(Note{fmt::format("{} > FOLDER/{}", run.command, run.file), 1});
  return parts;
}

ColumnsOf<TunedSize> size_columns(const Tuning& all, const TunedOperation& operation) {
  using Size = const TunedSize&;
  ColumnsOf<TunedSize> columns{
      {"platform", {}, {}, fixed(all.platform)},
      {"fabric", {}, {}, fixed(all.fabric)},
      {"library", {}, {}, fixed(std::string(library_name(all)))},
      {"operation", left("operation"), {}, fixed(std::string(row_of(operation.collective).name))},
      {"placement", left("placement"), {}, fixed(all.placements[operation.placement].name)},
      {"ranks", right("ranks"), {}, [&](Size) { return operation.ranks; }},
      {"size", right("size"), {0, Unit::size}, &TunedSize::size}};
  const auto add_choice = [&](const std::string& name, const std::string& time, auto choice) {
    columns.push_back({name, left(name), {}, [=](Size each) { return choice(each) ? choice(each)->name : ""; }});
    columns.push_back(
        {time, right("time (us)"), {2}, [=](Size each) { return choice(each) ? Datum(choice(each)->time) : Datum(); }});
  };
  add_choice("default", "default_time_us", [](Size each) { return &each.usual; });
  add_choice("best", "best_time_us", [](Size each) { return &each.best; });
  add_choice("take", "take_time_us", [](Size each) { return &each.chosen; });
  columns.push_back({"gain", right("gain"), {0, Unit::change}, &TunedSize::gain});
  columns.push_back({"sure", right("sure"), {0, Unit::share, "{:.3f}"}, [&](Size each) {
                       const double sure = each.is_measured() ? 1 : certainty(operation.collective, each.gain());
                       return each.is_changed ? Datum(sure) : Datum();
                     }});
  if (!all.against.empty())
    add_choice("file_takes", "file_time_us", [](Size each) { return each.of_file ? &*each.of_file : nullptr; });
  return columns;
}

Sheet sheet_of(const Tuning& all) {
  Sheet sheet;
  for (const auto& operation : all.operations)
    sheet.append(sheet_of(size_columns(all, operation), operation.sizes));
  return sheet;
}

Json tree_of(const TimedChoice& choice) {
  Json json{{"algorithm", choice.name}, {"time_us", rounded_us(choice.time)}};
  if (choice.is_measured)
    json["is_measured"] = true;
  return json;
}

Json tree_of(const TunedOperation& operation, const TunedSize& each) {
  Json json{{"size", each.size},
            {"default", tree_of(each.usual)},
            {"best", tree_of(each.best)},
            {"take", tree_of(each.chosen)},
            {"is_changed", each.is_changed},
            {"gain", rounded(each.gain())}};
  if (each.is_changed && !each.is_measured())
    json["sure"] = rounded(certainty(operation.collective, each.gain()));
  if (each.of_file)
    json["file"] = tree_of(*each.of_file);
  return json;
}

Json tree_of(const Tuning& all) {
  const auto placements = json_list(all.placements, [](const auto& each) {
    return Json{{"name", each.name}, {"default", rounded(each.usual)}, {"tuned", rounded(each.tuned)}};
  });
  const auto operations = json_list(all.operations, [&](const TunedOperation& operation) {
    return Json{{"operation", row_of(operation.collective).name},
                {"placement", all.placements[operation.placement].name},
                {"ranks", operation.ranks},
                {"margin", rounded(operation.margin)},
                {"sizes", json_list(operation.sizes, [&](const auto& each) { return tree_of(operation, each); })}};
  });
  Json json{{"schema_version", 1},      {"platform", all.platform},
            {"fabric", all.fabric},     {"library", library_name(all)},
            {"placements", placements}, {"placement", all.placements[all.placement].name},
            {"operations", operations}, {"runs", all.runs}};
  json["confirming_runs"] = json_list(confirming_runs(all), [](const auto& run) {
    return Json{{"command", run.command}, {"file", run.file}};
  });
  add_if_any(json, "against", all.against);
  add_if_any(json, "assumed_tables", all.assumed_tables);
  return json;
}

} // namespace

Report report_of(const Tuning& all) {
  return {[&] { return parts_of(all); }, [&] { return sheet_of(all); }, [&] { return tree_of(all); }};
}

} // namespace kakehashi
