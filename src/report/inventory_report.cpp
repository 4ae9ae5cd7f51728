#include "report/inventory_report.hpp"

#include "report/csv_form.hpp"
#include "report/report.hpp"

#include <algorithm>
#include <fmt/ostream.h>
#include <nlohmann/json.hpp>
#include <tuple>

namespace kakehashi {
namespace {

std::string turned_round(const std::string& links) {
  std::string text;
  for (std::size_t end = links.size(); end != std::string::npos;) {
    const auto space = end == 0 ? std::string::npos : links.rfind(' ', end - 1);
    text += (text.empty() ? "" : " ") + links.substr(space + 1, end - space - 1);
    end = space;
  }
  return text;
}

// Pairs that are alike, as one row: kinds of the two, how far they are apart, what is between them, and the figures.
struct AlikePairs {
  std::string where;
  std::string links;
  std::string latency;
  std::string rate;
  std::string example;
  std::size_t count;
};

std::string place_text(const PlatformInventory& inventory, std::size_t from, std::size_t to) {
  const auto& kinds = inventory.device_kinds;
  if (from == to)
    return "inside a " + kinds[from];
  const auto [first, second] = std::minmax(kinds[from], kinds[to]);
  const bool is_near = inventory.device_nodes[from] && inventory.device_nodes[from] == inventory.device_nodes[to];
  return fmt::format("{} to {} {}", first, second, is_near ? "in a node" : "between nodes");
}

std::vector<AlikePairs> alike_pairs(const PlatformInventory& inventory, const FabricInventory& fabric) {
  std::vector<AlikePairs> rows;
  for (std::size_t from = 0; from < inventory.devices.size(); ++from)
    for (std::size_t to = 0; to < inventory.devices.size(); ++to) {
      const auto& pair = fabric.pairs[from][to];
      if (!pair)
        continue;
      AlikePairs row{place_text(inventory, from, to),
                     std::min(pair->links, turned_round(pair->links)),
                     fmt::format("{:.3g}", in_microseconds(pair->latency)),
                     fmt::format("{:.0f}", pair->rate),
                     inventory.devices[from] + (from == to ? "" : " " + inventory.devices[to]),
                     1};
      const auto same = std::ranges::find_if(rows, [&](const AlikePairs& other) {
        return std::tie(other.where, other.links, other.latency, other.rate) ==
               std::tie(row.where, row.links, row.latency, row.rate);
      });
      if (same == rows.end())
        rows.push_back(std::move(row));
      else
        ++same->count;
    }
  const auto distance = [](const AlikePairs& row) {
    return row.where.starts_with("inside") ? 0 : row.where.ends_with("between nodes") ? 2 : 1;
  };
  std::ranges::stable_sort(rows, {}, distance);
  return rows;
}

} // namespace

void write_table(const Choices& choices, std::ostream& out) {
  std::size_t width = 0;
  for (const auto& [name, text] : choices.rows)
    width = std::max(width, name.size());
  for (auto row = choices.rows.begin(); row != choices.rows.end();) {
    const auto& name = row->first;
    fmt::print(out, "{:<{}} ", name, width);
    for (; row != choices.rows.end() && row->first == name; ++row)
      fmt::print(out, " {}", row->second);
    out << '\n';
  }
}

void write_csv(const Choices& choices, std::ostream& out) {
  write_csv_line({choices.columns.first, choices.columns.second}, out);
  for (const auto& [name, text] : choices.rows)
    write_csv_line({name, text}, out);
}

void write_json(const Choices& choices, std::ostream& out) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& [name, text] : choices.rows)
    rows.push_back({{choices.columns.first, name}, {choices.columns.second, text}});
  out << nlohmann::ordered_json{{"schema_version", 1}, {choices.what, std::move(rows)}}.dump(2) << '\n';
}

void write_table(const PlatformInventory& inventory, std::ostream& out) {
  fmt::print(out, "# {} ({}): {}", inventory.name, inventory.file, counted(inventory.nodes, "node"));
  for (const auto& [kind, count] : inventory.kinds)
    fmt::print(out, ", {} {}", count, kind);
  out << '\n';
  if (inventory.left_out > 0)
    fmt::print(out, "# devices of the first nodes; {} more are not listed\n", inventory.left_out);
  for (const auto& fabric : inventory.fabrics) {
    const auto rows = alike_pairs(inventory, fabric);
    std::size_t where = 10, example = 8;
    for (const auto& row : rows) {
      where = std::max(where, row.where.size());
      example = std::max(example, row.example.size());
    }
    fmt::print(
        out,
        "# {}: one-way time of 8 B, MB/s of a ping-pong of 4 MiB, and links\n{:<{}} {:>6}  {:<{}} {:>8} {:>9}  {}\n",
        fabric.name, "# where", where, "pairs", "such as", example, "us", "MB/s", "over");
    for (const auto& row : rows)
      fmt::print(out, "{:<{}} {:>6}  {:<{}} {:>8} {:>9}  {}\n", row.where, where, row.count, row.example, example,
                 row.latency, row.rate, row.links);
  }
}

void write_csv(const PlatformInventory& inventory, std::ostream& out) {
  write_csv_line({"platform", "fabric", "from", "to", "links", "latency_us", "mbytes_per_s"}, out);
  for (const auto& fabric : inventory.fabrics)
    for (std::size_t from = 0; from < inventory.devices.size(); ++from)
      for (std::size_t to = 0; to < inventory.devices.size(); ++to)
        if (const auto& pair = fabric.pairs[from][to])
          write_csv_line({inventory.name, fabric.name, inventory.devices[from], inventory.devices[to], pair->links,
                          fmt::format("{:.6g}", in_microseconds(pair->latency)), fmt::format("{:.6g}", pair->rate)},
                         out);
}

void write_json(const PlatformInventory& inventory, std::ostream& out) {
  using Json = nlohmann::ordered_json;
  Json kinds = Json::object(), fabrics = Json::object();
  for (const auto& [kind, count] : inventory.kinds)
    kinds[kind] = count;
  for (const auto& fabric : inventory.fabrics) {
    Json pairs = Json::array();
    for (std::size_t from = 0; from < inventory.devices.size(); ++from)
      for (std::size_t to = 0; to < inventory.devices.size(); ++to)
        if (const auto& pair = fabric.pairs[from][to])
          pairs.push_back({{"from", inventory.devices[from]},
                           {"to", inventory.devices[to]},
                           {"links", pair->links},
                           {"latency_us", rounded(in_microseconds(pair->latency))},
                           {"mbytes_per_s", rounded(pair->rate)}});
    fabrics[fabric.name] = std::move(pairs);
  }
  const Json json{{"schema_version", 2},
                  {"platform", inventory.name},
                  {"nodes", inventory.nodes},
                  {"devices", kinds},
                  {"devices_left_out", inventory.left_out},
                  {"fabrics", fabrics}};
  out << json.dump(2) << '\n';
}

} // namespace kakehashi
