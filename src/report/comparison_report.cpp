#include "report/comparison_report.hpp"

#include <algorithm>
#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

std::string size_text(const Comparison& all, std::uint64_t size) {
  return all.size_name == "bytes" ? to_text(Bytes{size}) : fmt::format("{} {}", all.size_name, size);
}

std::size_t width_of(const std::string& name) {
  return std::max<std::size_t>(14, name.size());
}

// Each contender's reasons, with the sizes at which they begin to hold.
void write_reasons(const Comparison& all, std::ostream& out) {
  for (std::size_t c = 0; c < all.contenders.size(); ++c) {
    fmt::print(out, "# {}:\n", all.contenders[c]);
    const std::string* before = nullptr;
    for (const auto& row : all.rows) {
      const auto& reason = row.times[c].reason;
      if (before && *before == reason)
        continue;
      fmt::print(out, "#   {}{}\n", all.size_name.empty() ? "" : "from " + size_text(all, row.size) + " on: ", reason);
      before = &reason;
    }
  }
}

} // namespace

void write_table(const Comparison& all, std::ostream& out) {
  fmt::print(out, "# {}: time in us{}\n", all.scenario,
             all.rate_name.empty() ? "" : " and, behind it, " + all.rate_name);
  fmt::print(out, "{:<12}", all.size_name.empty() ? "#" : "# " + all.size_name);
  for (const auto& name : all.contenders)
    fmt::print(out, " {:>{}}{}", name, width_of(name),
               all.rate_name.empty() ? "" : fmt::format(" {:>10}", all.rate_name));
  fmt::print(out, "  winner (margin)\n");
  for (const auto& row : all.rows) {
    fmt::print(out, "{:<12}", all.size_name.empty() ? "all" : std::to_string(row.size));
    for (std::size_t c = 0; c < row.times.size(); ++c)
      fmt::print(out, " {:>{}.2f}{}", in_microseconds(row.times[c].time), width_of(all.contenders[c]),
                 all.rate_name.empty() ? "" : fmt::format(" {:>10.2f}", row.times[c].rate));
    fmt::print(out, "  {} ({:.1f} %)\n", all.contenders[row.winner], 100 * row.margin);
  }
  for (const auto& crossover : all.crossovers)
    fmt::print(out, "# from {} ({}) on {} wins, before it {}\n", size_text(all, crossover.size), crossover.size,
               all.contenders[crossover.after], all.contenders[crossover.before]);
  if (all.crossovers.empty() && all.rows.size() > 1)
    fmt::print(out, "# no crossover: {} wins everywhere\n", all.contenders[all.rows.front().winner]);
  else if (all.multiple > 1)
    fmt::print(out, "# crossovers are among multiples of {}, since other sizes are slowed down by alignment\n",
               to_text(Bytes{all.multiple}));
  fmt::print(out, "# where most of the time goes\n");
  write_reasons(all, out);
}

void write_csv(const Comparison& all, std::ostream& out) {
  out << "size";
  for (const auto& name : all.contenders)
    fmt::print(out, ",{0}_us,{0}_rate", name);
  out << ",winner,margin";
  for (const auto& name : all.contenders)
    fmt::print(out, ",{}_reason", name);
  out << '\n';
  for (const auto& row : all.rows) {
    fmt::print(out, "{}", row.size);
    for (const auto& time : row.times)
      fmt::print(out, ",{:.6f},{:.6f}", in_microseconds(time.time), time.rate);
    fmt::print(out, ",{},{:.6f}", all.contenders[row.winner], row.margin);
    for (const auto& time : row.times)
      fmt::print(out, ",\"{}\"", time.reason);
    out << '\n';
  }
}

void write_json(const Comparison& all, std::ostream& out) {
  using Json = nlohmann::ordered_json;
  Json rows = Json::array();
  for (const auto& row : all.rows) {
    Json times = Json::array();
    for (const auto& time : row.times) {
      Json json{{"time_us", rounded(in_microseconds(time.time))}};
      if (!all.rate_name.empty())
        json["rate"] = rounded(time.rate);
      json["reason"] = time.reason;
      times.push_back(std::move(json));
    }
    rows.push_back({{"size", row.size},
                    {"times", times},
                    {"winner", all.contenders[row.winner]},
                    {"margin", rounded(row.margin)}});
  }
  Json crossovers = Json::array();
  for (const auto& crossover : all.crossovers)
    crossovers.push_back({{"size", crossover.size},
                          {"before", all.contenders[crossover.before]},
                          {"after", all.contenders[crossover.after]}});
  const Json json{{"schema_version", 1},
                  {"scenario", all.scenario},
                  {"contenders", all.contenders},
                  {"size_is", all.size_name},
                  {"rate_is", all.rate_name},
                  {"crossovers_among_multiples_of", all.multiple},
                  {"rows", rows},
                  {"crossovers", crossovers}};
  out << json.dump(2) << '\n';
}

} // namespace kakehashi
