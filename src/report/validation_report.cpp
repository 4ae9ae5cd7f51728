// The score of all curves and claims, in each format.
#include "report/validation_report.hpp"

#include "report/report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string bounds_text(const ValidationRow& row) {
  return std::isinf(row.high) ? fmt::format("from {:g} on", row.low) : fmt::format("[{:g}, {:g}]", row.low, row.high);
}

} // namespace

void write_table(const Validation& validation, std::ostream& out) {
  fmt::print(out, "{:<12} {:<34} {:<12} {:>6} {:>8} {:>8} {:<10} {:>9}  {}\n", "# platform", "curve or claim", "kind",
             "points", "mean", "worst", "at", "target", "verdict");
  for (const auto& row : validation.rows) {
    fmt::print(out, "{:<12} {:<34} {:<12} ", row.platform, row.name, row.kind);
    if (row.points > 0)
      fmt::print(out, "{:>6} {:>8} {:>8} {:<10} {:>9}", row.points, percent(row.mean), percent(row.worst),
                 to_text(row.worst_size), row.target ? percent(*row.target) : "-");
    else if (row.value)
      fmt::print(out, "{:>24.4g} {:>20}", *row.value, bounds_text(row));
    else
      fmt::print(out, "{:>45}", "");
    fmt::print(out, "  {}{}\n", name_of(verdict_names, row.verdict), row.reason.empty() ? "" : ": " + row.reason);
  }
  fmt::print(out, "# {} pass, {} fail, {} pending\n", validation.count(Verdict::pass), validation.count(Verdict::fail),
             validation.count(Verdict::pending));
}

void write_csv(const Validation& validation, std::ostream& out) {
  out << "platform,name,kind,points,mean,worst,worst_bytes,target,from_bytes,value,low,high,verdict,reason\n";
  for (const auto& row : validation.rows) {
    fmt::print(out, "{},{},{},", row.platform, row.name, row.kind);
    if (row.points > 0)
      fmt::print(out, "{},{:.6f},{:.6f},{},{},{},,,,", row.points, row.mean, row.worst, row.worst_size.count,
                 row.target ? fmt::format("{}", *row.target) : "", row.from.count);
    else
      fmt::print(out, ",,,,,,{},{},{},", row.value ? fmt::format("{:.6g}", *row.value) : "", row.low,
                 std::isinf(row.high) ? "" : fmt::format("{}", row.high));
    auto reason = row.reason;
    std::replace(reason.begin(), reason.end(), '"', '\'');
    fmt::print(out, "{},\"{}\"\n", name_of(verdict_names, row.verdict), reason);
  }
}

void write_json(const Validation& validation, std::ostream& out) {
  using Json = nlohmann::ordered_json;
  Json rows = Json::array();
  for (const auto& row : validation.rows) {
    Json json{{"platform", row.platform},
              {"name", row.name},
              {"kind", row.kind},
              {"verdict", name_of(verdict_names, row.verdict)}};
    if (!row.reason.empty())
      json["reason"] = row.reason;
    if (row.points > 0) {
      json.update({{"points", row.points},
                   {"mean", rounded(row.mean)},
                   {"worst", rounded(row.worst)},
                   {"worst_bytes", row.worst_size.count},
                   {"from_bytes", row.from.count}});
      if (row.target)
        json["target"] = *row.target;
    } else if (row.kind == "claim") {
      if (row.value)
        json["value"] = rounded(*row.value);
      json["between"] = {row.low, std::isinf(row.high) ? Json() : Json(row.high)};
    }
    rows.push_back(std::move(json));
  }
  const Json json{{"schema_version", 1},
                  {"pass", validation.count(Verdict::pass)},
                  {"fail", validation.count(Verdict::fail)},
                  {"pending", validation.count(Verdict::pending)},
                  {"rows", rows}};
  out << json.dump(2) << '\n';
}

} // namespace kakehashi
