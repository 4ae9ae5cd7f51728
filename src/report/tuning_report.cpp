#include "report/tuning_report.hpp"

#include "report/csv_form.hpp"
#include "report/number_form.hpp"

#include <algorithm>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
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

// "+45 to +80 %"
std::string gain_text(double least, double most) {
  return signed_percent(least) == signed_percent(most) ? signed_percent(most) + " %"
                                                       : signed_percent(least) + " to " + signed_percent(most) + " %";
}

// What the library takes by itself from the range's first size on, and where it takes something else after that.
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

void write_placements(const Tuning& all, std::ostream& out) {
  if (all.placements.size() < 2)
    return;
  fmt::print(out, "# mean times over those of {} with the library's own choices\n{:<18} {:>9} {:>9}\n",
             all.placements.front().name, "# placement", "default", "tuned");
  for (const auto& each : all.placements)
    fmt::print(out, "{:<18} {:>9.3f} {:>9.3f}{}\n", each.name, each.usual, each.tuned,
               &each == &all.placements[all.placement] ? "  (what follows)" : "");
}

void write_operation(const TunedOperation& operation, std::ostream& out) {
  const auto ranges = ranges_of(operation);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto& range = ranges[i];
    const auto* end = end_of(operation, ranges, i);
    fmt::print(out, "{:<15} {:>6} {:>10}  ", row_of(operation.collective).name, operation.ranks,
               size_text(operation, range.first->size));
    if (range.first->is_changed) {
      const auto sure =
          range.is_measured ? "measured" : fmt::format("{:.0f} %", 100 * certainty(operation.collective, range.least));
      fmt::print(out, "{:<34} {:>15} {:>8}  {}\n", range.first->chosen.name, gain_text(range.least, range.most), sure,
                 usual_text(range, end));
      continue;
    }
    double most = 0;
    for (const auto* each = range.first; each != end; ++each)
      most = std::max(most, each->best.time.value > 0 ? each->usual.time / each->best.time - 1 : 0);
    fmt::print(out, "{:<34} {:>15} {:>8}  {}\n", "default", fmt::format("(to {} %)", signed_percent(most)), "",
               usual_text(range, end));
  }
}

void write_against(const Tuning& all, std::ostream& out) {
  if (all.against.empty())
    return;
  fmt::print(out, "# what {} gains over the default, and loses against what is proposed\n", all.against);
  for (const auto& operation : all.operations)
    for (const auto& each : operation.sizes)
      if (operation.placement == all.placement && each.of_file && each.of_file->name != each.usual.name)
        fmt::print(out, "{:<15} {:>6} {:>10}  {:<34} {:>15}  {}\n", row_of(operation.collective).name, operation.ranks,
                   size_text(operation, each.size), each.of_file->name,
                   signed_percent(each.usual.time / each.of_file->time - 1) + " %",
                   signed_percent(each.chosen.time / each.of_file->time - 1) + " %");
}

void write_settings(const Tuning& all, std::ostream& out) {
  bool is_first = true;
  for (const auto& operation : all.operations) {
    if (operation.placement != all.placement)
      continue;
    for (const auto& range : ranges_of(operation)) {
      if (!range.first->is_changed || range.first->setting.empty())
        continue;
      if (std::exchange(is_first, false))
        fmt::print(out, "# for a job that has one size of messages in each operation, without a file:\n");
      fmt::print(out, "#   {}, {} ranks, {}: {}\n", row_of(operation.collective).name, operation.ranks,
                 size_text(operation, range.first->size), range.first->setting);
    }
  }
}

void write_confirming_runs(const Tuning& all, std::ostream& out) {
  const auto runs = confirming_runs(all);
  if (!runs.empty())
    fmt::print(
        out, "# these runs would settle most of what is not sure; --measured FOLDER then decides by their outputs:\n");
  for (const auto& run : runs)
    fmt::print(out, "#   {} > FOLDER/{}\n", run.command, run.file);
}

} // namespace

void write_table(const Tuning& all, std::ostream& out) {
  fmt::print(out, "# tune: {} on {}, fabric {}, {} ranks, {}\n", library_name(all), all.platform, all.fabric, all.ranks,
             all.placements[all.placement].name);
  write_placements(all, out);
  std::set<std::string> margins;
  for (const auto& operation : all.operations)
    margins.insert(fmt::format("{:.0f} %", 100 * operation.margin));
  fmt::print(out, "# {} runs. The default stays where less than {} is to gain\n", all.runs, fmt::join(margins, " or "));
  fmt::print(out, "{:<15} {:>6} {:>10}  {:<34} {:>15} {:>8}  {}\n", "# operation", "ranks", "from", "take", "gain",
             "sure", "instead of");
  for (const auto& operation : all.operations)
    if (operation.placement == all.placement)
      write_operation(operation, out);
  write_against(all, out);
  write_settings(all, out);
  write_confirming_runs(all, out);
}

void write_csv(const Tuning& all, std::ostream& out) {
  std::vector<std::string> names{
      "platform",        "fabric", "library",      "operation", "placement",    "ranks", "size", "default",
      "default_time_us", "best",   "best_time_us", "take",      "take_time_us", "gain",  "sure"};
  if (!all.against.empty())
    names.insert(names.end(), {"file_takes", "file_time_us"});
  write_csv_line(names, out);
  const auto time = [](const TimedChoice& choice) { return fmt::format("{:.6f}", in_microseconds(choice.time)); };
  for (const auto& operation : all.operations)
    for (const auto& each : operation.sizes) {
      std::vector<std::string> cells{
          all.platform,
          all.fabric,
          std::string(library_name(all)),
          std::string(row_of(operation.collective).name),
          all.placements[operation.placement].name,
          std::to_string(operation.ranks),
          std::to_string(each.size),
          each.usual.name,
          time(each.usual),
          each.best.name,
          time(each.best),
          each.chosen.name,
          time(each.chosen),
          fmt::format("{:.6f}", each.gain()),
          each.is_changed ? fmt::format("{:.3f}", each.is_measured() ? 1 : certainty(operation.collective, each.gain()))
                          : ""};
      if (!all.against.empty()) {
        cells.push_back(each.of_file ? each.of_file->name : "");
        cells.push_back(each.of_file ? time(*each.of_file) : "");
      }
      write_csv_line(cells, out);
    }
}

void write_json(const Tuning& all, std::ostream& out) {
  using Json = nlohmann::ordered_json;
  const auto timed = [](const TimedChoice& choice) {
    Json json{{"algorithm", choice.name}, {"time_us", rounded(in_microseconds(choice.time))}};
    if (choice.is_measured)
      json["is_measured"] = true;
    return json;
  };
  Json placements = Json::array();
  for (const auto& each : all.placements)
    placements.push_back({{"name", each.name}, {"default", rounded(each.usual)}, {"tuned", rounded(each.tuned)}});
  Json operations = Json::array();
  for (const auto& operation : all.operations) {
    Json sizes = Json::array();
    for (const auto& each : operation.sizes) {
      Json size{{"size", each.size},          {"default", timed(each.usual)},  {"best", timed(each.best)},
                {"take", timed(each.chosen)}, {"is_changed", each.is_changed}, {"gain", rounded(each.gain())}};
      if (each.is_changed && !each.is_measured())
        size["sure"] = rounded(certainty(operation.collective, each.gain()));
      if (each.of_file)
        size["file"] = timed(*each.of_file);
      sizes.push_back(std::move(size));
    }
    operations.push_back({{"operation", row_of(operation.collective).name},
                          {"placement", all.placements[operation.placement].name},
                          {"ranks", operation.ranks},
                          {"margin", rounded(operation.margin)},
                          {"sizes", sizes}});
  }
  Json json{{"schema_version", 1},      {"platform", all.platform},
            {"fabric", all.fabric},     {"library", library_name(all)},
            {"placements", placements}, {"placement", all.placements[all.placement].name},
            {"operations", operations}, {"runs", all.runs}};
  Json runs = Json::array();
  for (const auto& run : confirming_runs(all))
    runs.push_back({{"command", run.command}, {"file", run.file}});
  json["confirming_runs"] = std::move(runs);
  if (!all.against.empty())
    json["against"] = all.against;
  out << json.dump(2) << '\n';
}

} // namespace kakehashi
