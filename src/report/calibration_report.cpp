#include "report/calibration_report.hpp"

#include "report/platform_writer.hpp"

#include <algorithm>
#include <fmt/ostream.h>

namespace kakehashi {
namespace {

// Four digits, and all of those before the point.
std::string number_text(double value) {
  return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

Json to_json(const std::vector<Regime>& regimes) {
  Json list = Json::array();
  for (const auto& regime : regimes)
    list.push_back(to_json(regime));
  return list;
}

Json to_json(const CalibratedCurve& curve) {
  Json json{{"name", curve.name},
            {"points", curve.points},
            {"mean", rounded(curve.mean)},
            {"worst", rounded(curve.worst)},
            {"worst_bytes", curve.worst_size.count}};
  for (const auto& size : curve.outliers)
    json["outlier_bytes"].push_back(size.count);
  if (curve.cross_validated)
    json["cross_validated"] = rounded(*curve.cross_validated);
  return json;
}

void write_curves(std::span<const CalibratedCurve> curves, std::ostream& out) {
  fmt::print(out, "{:<34} {:>6} {:>8} {:>8} {:<10} {:>15}\n", "# curve", "points", "mean", "worst", "at",
             "cross-validated");
  for (const auto& curve : curves) {
    fmt::print(out, "{:<34} {:>6} {:>6.1f} % {:>6.1f} % {:<10} {:>15}\n", curve.name, curve.points, 100 * curve.mean,
               100 * curve.worst, to_text(curve.worst_size),
               curve.cross_validated ? fmt::format("{:.1f} %", 100 * *curve.cross_validated) : "-");
    std::string sizes;
    for (const auto& size : curve.outliers)
      sizes += (sizes.empty() ? "" : ", ") + to_text(size);
    if (!sizes.empty())
      fmt::print(out, "#   more than 25 % off at {}\n", sizes);
  }
}

} // namespace

void write_json(const CalibrationRecord& record, const std::string& fabric, std::ostream& out) {
  Json json{
      {"schema_version", 1}, {"fabric", fabric}, {"points", record.points}, {"parameters", record.free_parameters}};
  for (std::size_t c = 0; c < record.regimes.size(); ++c)
    json["rules"].push_back({{"rule", record.rules.empty() ? c : record.rules[c]},
                             {"source", to_json(record.regimes[c].front().source)},
                             {"regimes", to_json(record.regimes[c])}});
  for (const auto& curve : record.curves)
    json["curves"].push_back(to_json(curve));
  for (const auto& each : record.parameters)
    json["spread"].push_back({{"regime", each.regime},
                              {"name", each.name},
                              {"unit", each.unit},
                              {"value", rounded(each.value)},
                              {"low", rounded(each.low)},
                              {"high", rounded(each.high)}});
  json["warnings"] = record.warnings;
  if (record.disagreement)
    json["disagreement_with_simulation"] = rounded(*record.disagreement);
  out << json.dump(2) << '\n';
}

void write_table(const CalibrationRecord& record, const std::string& fabric, std::ostream& out) {
  fmt::print(out, "# fabric {}: {}, {} for {}\n", fabric, counted(record.regimes.front().size(), "regime"),
             counted(record.free_parameters, "parameter"), counted(record.points, "point"));
  write_curves(record.curves, out);
  if (record.disagreement)
    fmt::print(out, "# the last correction by simulation changed no point by more than {:.2f} %\n",
               100 * *record.disagreement);
  fmt::print(out, "# parameters, and between what they lie if any one size is left out\n");
  const auto& regimes = record.regimes.front();
  std::size_t told = regimes.size();
  for (const auto& each : record.parameters) {
    if (each.regime != told) {
      told = each.regime;
      const auto& regime = regimes[told];
      fmt::print(out, "# regime {}: {} to {}, {}\n", told, to_text(regime.from),
                 regime.to ? "below " + to_text(*regime.to) : "any size",
                 regime.trips == 1 ? "1 trip" : fmt::format("{} trips", regime.trips));
    }
    fmt::print(out, "  {:<34} {:>10} {:<5} ({} to {})\n", each.name, number_text(each.value), each.unit,
               number_text(each.low), number_text(each.high));
  }
  for (const auto& warning : record.warnings)
    fmt::print(out, "# warning: {}\n", warning);
}

void write_json(const TunedAdjustments& tuned, const std::string& fabric, std::ostream& out) {
  Json json{{"schema_version", 1}, {"fabric", fabric}};
  for (std::size_t i = 0; i < tuned.indices.size(); ++i) {
    Json entry{{"index", tuned.indices[i]}};
    entry.update(to_json(tuned.adjustments[i]));
    json["adjustments"].push_back(std::move(entry));
  }
  for (const auto& curve : tuned.curves)
    json["curves"].push_back(to_json(curve));
  out << json.dump(2) << '\n';
}

void write_table(const TunedAdjustments& tuned, const std::string& fabric, std::ostream& out) {
  std::size_t points = 0;
  for (const auto& curve : tuned.curves)
    points += curve.points;
  fmt::print(out, "# fabric {}: {} for {}\n", fabric, counted(tuned.indices.size(), "adjustment"),
             counted(points, "point"));
  write_curves(tuned.curves, out);
  for (std::size_t i = 0; i < tuned.indices.size(); ++i) {
    const auto& adjustment = tuned.adjustments[i];
    fmt::print(out, "# adjustment {}: at each crossing of {}{}\n", tuned.indices[i], name_of(adjustment.crosses),
               adjustment.protocol ? fmt::format(", {}", name_of(protocol_names, *adjustment.protocol)) : "");
    const auto amounts = amounts_of(adjustment);
    for (const auto& [name, amount] : amounts.items())
      fmt::print(out, "  {:<26} {}\n", name, amount.is_string() ? amount.get<std::string>() : amount.dump());
  }
}

std::string merge(const std::string& platform, const std::string& fabric, const CalibrationRecord& record) {
  Json json = Json::parse(platform);
  for (std::size_t c = 0; c < record.regimes.size(); ++c) {
    auto& rule = json["fabrics"][fabric]["rules"][record.rules[c]];
    rule["source"] = to_json(record.regimes[c].front().source);
    rule["regimes"] = to_json(record.regimes[c]);
  }
  return json.dump(2) + "\n";
}

std::string merge(const std::string& platform, const std::string& fabric, const TunedAdjustments& tuned) {
  Json json = Json::parse(platform);
  for (std::size_t i = 0; i < tuned.indices.size(); ++i) {
    auto& entry = json["fabrics"][fabric]["adjustments"][tuned.indices[i]];
    const auto amounts = amounts_of(tuned.adjustments[i]);
    for (const auto& [name, amount] : amounts.items())
      entry[name] = amount;
    entry["source"] = to_json(tuned.adjustments[i].source);
  }
  return json.dump(2) + "\n";
}

} // namespace kakehashi
