// The score of all curves and claims, in each format.
#include "report/validation_report.hpp"

#include "base/digits.hpp"
#include "report/csv_form.hpp"
#include "report/number_form.hpp"

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

struct RoleTotal {
  std::size_t hold = 0;
  std::size_t fail = 0;
  std::size_t pending = 0;
};

RoleTotal total_of(const Validation& validation, const std::optional<Role>& role) {
  return {validation.count(Verdict::pass, role),
          validation.count(Verdict::fail, role) + validation.count(Verdict::miss, role),
          validation.count(Verdict::pending, role)};
}

// "# prediction: 13 of 13 hold, 3 pending"
void write_total(const Validation& validation, const std::optional<Role>& role, std::string_view name,
                 std::ostream& out) {
  const auto [hold, fail, pending] = total_of(validation, role);
  if (hold + fail + pending > 0)
    fmt::print(out, "# {}: {} of {} hold{}\n", name, hold, hold + fail,
               pending > 0 ? fmt::format(", {} pending", pending) : "");
}

} // namespace

void write_table(const Validation& validation, std::ostream& out) {
  fmt::print(out, "{:<12} {:<34} {:<10} {:>6} {:>8} {:>8} {:<10} {:>9}  {}\n", "# platform", "curve or claim", "role",
             "points", "mean", "worst", "at", "target", "verdict");
  for (const auto& row : validation.rows) {
    fmt::print(out, "{:<12} {:<34} {:<10} ", row.platform, row.name, role_text(row.role));
    if (row.points > 0)
      fmt::print(out, "{:>6} {:>8} {:>8} {:<10} {:>9}", row.points, percent(row.mean), percent(row.worst),
                 to_text(row.worst_size), row.target ? percent(*row.target) : "-");
    else if (row.value)
      fmt::print(out, "{:>24} {:>20}", four_digits(*row.value), bounds_text(row));
    else
      fmt::print(out, "{:>45}", "");
    fmt::print(out, "  {}{}{}{}\n", name_of(verdict_names, row.verdict), row.reason.empty() ? "" : ": " + row.reason,
               row.is_implied ? " (implied, not stated)" : "",
               row.repeats.empty() ? "" : " (repeats " + row.repeats + ")");
  }
  for (std::size_t role = 0; role < role_names.size(); ++role)
    write_total(validation, static_cast<Role>(role), role_names[role], out);
  write_total(validation, std::nullopt, "no role declared", out);
  if (const auto hold = validation.count_repeats(Verdict::pass),
      all = hold + validation.count_repeats(Verdict::miss) + validation.count_repeats(Verdict::fail);
      all > 0)
    fmt::print(out, "# repeats of other lines, not counted above: {} of {} hold\n", hold, all);
  fmt::print(out, "# {} pass, {} fail, {} known to be missed, {} pending, {} without a target\n",
             validation.count(Verdict::pass), validation.count(Verdict::fail), validation.count(Verdict::miss),
             validation.count(Verdict::pending), validation.count(Verdict::shown));
}

void write_csv(const Validation& validation, std::ostream& out) {
  out << "platform,fabric,name,role,kind,points,mean,worst,worst_bytes,target,from_bytes,value,low,high,verdict,reason,"
         "implied,repeats\n";
  for (const auto& row : validation.rows) {
    std::vector<std::string> cells{row.platform, row.fabric, row.name, std::string(row.role ? role_text(row.role) : ""),
                                   row.kind};
    if (row.points > 0)
      cells.insert(cells.end(),
                   {std::to_string(row.points), fmt::format("{:.6f}", row.mean), fmt::format("{:.6f}", row.worst),
                    std::to_string(row.worst_size.count), row.target ? fmt::format("{}", *row.target) : "",
                    std::to_string(row.from.count), "", "", ""});
    else
      cells.insert(cells.end(), {"", "", "", "", "", "", row.value ? fmt::format("{:.6g}", *row.value) : "",
                                 fmt::format("{}", row.low), std::isinf(row.high) ? "" : fmt::format("{}", row.high)});
    cells.insert(cells.end(), {std::string(name_of(verdict_names, row.verdict)), row.reason,
                               row.is_implied ? "yes" : "no", row.repeats});
    write_csv_line(cells, out);
  }
}

void write_json(const Validation& validation, std::ostream& out) {
  using Json = nlohmann::ordered_json;
  Json rows = Json::array();
  for (const auto& row : validation.rows) {
    Json json{{"platform", row.platform}, {"fabric", row.fabric},
              {"name", row.name},         {"role", row.role ? Json(role_text(row.role)) : Json()},
              {"kind", row.kind},         {"verdict", name_of(verdict_names, row.verdict)}};
    if (!row.reason.empty())
      json["reason"] = row.reason;
    if (!row.repeats.empty())
      json["repeats"] = row.repeats;
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
      json["implied"] = row.is_implied;
      json["between"] = {row.low, std::isinf(row.high) ? Json() : Json(row.high)};
    }
    rows.push_back(std::move(json));
  }
  Json roles = Json::object();
  for (std::size_t role = 0; role < role_names.size(); ++role) {
    const auto total = total_of(validation, static_cast<Role>(role));
    roles[std::string(role_names[role])] = {{"hold", total.hold}, {"fail", total.fail}, {"pending", total.pending}};
  }
  const Json json{{"schema_version", 1},
                  {"pass", validation.count(Verdict::pass)},
                  {"fail", validation.count(Verdict::fail)},
                  {"missed", validation.count(Verdict::miss)},
                  {"pending", validation.count(Verdict::pending)},
                  {"without_target", validation.count(Verdict::shown)},
                  {"roles", roles},
                  {"rows", rows}};
  out << json.dump(2) << '\n';
}

} // namespace kakehashi
