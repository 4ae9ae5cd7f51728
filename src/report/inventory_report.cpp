#include "base/text.hpp"
#include "report/column.hpp"
#include "report/findings.hpp"
#include "result/inventory.hpp"
#include "writer/json_values.hpp"

#include <algorithm>
#include <fmt/format.h>
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

// Similar pairs in one row: the kinds of the two devices, how far apart they are, the links between them, and the
// figures.
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
                     fmt::format("{:.0f}", inventory.unit.of_decimal(pair->rate)),
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

// Lists one name per line.
ReportParts parts_of(const Choices& choices) {
  Listing listing{"", {left(choices.columns.first), left(choices.columns.second, 0, 2)}, {}, false};
  for (auto row = choices.rows.begin(); row != choices.rows.end();) {
    const auto& name = row->first;
    auto texts = row->second;
    for (++row; row != choices.rows.end() && row->first == name; ++row)
      texts += " " + row->second;
    listing.rows.push_back({name, texts});
  }
  return {std::move(listing)};
}

Sheet sheet_of(const Choices& choices) {
  Sheet sheet{{choices.columns.first, choices.columns.second}, {}};
  for (const auto& [name, text] : choices.rows)
    sheet.rows.push_back({name, text});
  return sheet;
}

Json tree_of(const Choices& choices) {
  const auto& [first, second] = choices.columns;
  Json rows = Json::array();
  for (const auto& [name, text] : choices.rows)
    rows.push_back({{first, name}, {second, text}});
  return {{"schema_version", 1}, {choices.what, rows}};
}

ReportParts parts_of(const PlatformInventory& inventory) {
  auto whole = fmt::format("{} ({}): {}", inventory.name, inventory.file, counted(inventory.nodes, "node"));
  for (const auto& [kind, count] : inventory.kinds)
    whole += fmt::format(", {} {}", count, kind);
  const auto unit = inventory.unit;
  ReportParts parts{Note{whole}};
  if (inventory.left_out > 0)
    parts.push_back(Note{fmt::format("devices of the first nodes; {} more are not listed", inventory.left_out)});
  for (const auto& fabric : inventory.fabrics) {
    Listing listing{fabric.name + (fabric.is_hypothetical ? " (hypothetical)" : "") +
                        fmt::format(": one-way time of 8 B, {} of a ping-pong of 4 MiB, and links", unit.name()),
                    {left("where", 10), right("pairs", 6), left("such as", 8, 2), right("us", 8),
                     right(std::string(unit.name()), 9), left("over", 0, 2)},
                    {}};
    for (const auto& row : alike_pairs(inventory, fabric))
      listing.rows.push_back({row.where, row.count, row.example, row.latency, row.rate, row.links});
    parts.push_back(std::move(listing));
  }
  return parts;
}

// A pair of devices that the fabric joins.
struct JoinedPair {
  std::string fabric;
  bool is_hypothetical = false; // the fabric
  std::string from, to;
  PairFigures figures;
};

std::vector<JoinedPair> joined_pairs(const PlatformInventory& inventory, const FabricInventory& fabric) {
  std::vector<JoinedPair> pairs;
  for (std::size_t from = 0; from < inventory.devices.size(); ++from)
    for (std::size_t to = 0; to < inventory.devices.size(); ++to)
      if (const auto& pair = fabric.pairs[from][to])
        pairs.push_back({fabric.name, fabric.is_hypothetical, inventory.devices[from], inventory.devices[to], *pair});
  return pairs;
}

// Only programs read these.
ColumnsOf<JoinedPair> joined_columns(const std::string& platform) {
  const Form six_digits{.in_csv = "{:.6g}"};
  return {{"platform", {}, {}, fixed(platform)},
          {"fabric", {}, {}, [](const JoinedPair& pair) { return Datum(pair.fabric); }},
          {"from", {}, {}, [](const JoinedPair& pair) { return Datum(pair.from); }},
          {"to", {}, {}, [](const JoinedPair& pair) { return Datum(pair.to); }},
          {"links", {}, {}, [](const JoinedPair& pair) { return Datum(pair.figures.links); }},
          {"latency_us", {}, six_digits, [](const JoinedPair& pair) { return Datum(pair.figures.latency); }},
          {"mbytes_per_s", {}, six_digits, [](const JoinedPair& pair) { return Datum(pair.figures.rate); }},
          {"hypothetical", {}, {}, [](const JoinedPair& pair) { return Datum(pair.is_hypothetical); }}};
}

Sheet sheet_of(const PlatformInventory& inventory) {
  const auto columns = joined_columns(inventory.name);
  auto sheet = sheet_of(columns, std::vector<JoinedPair>());
  for (const auto& fabric : inventory.fabrics)
    sheet.append(sheet_of(columns, joined_pairs(inventory, fabric)));
  return sheet;
}

Json tree_of(const PlatformInventory& inventory) {
  Json kinds = Json::object(), fabrics = Json::object(), hypothetical = Json::array();
  for (const auto& [kind, count] : inventory.kinds)
    kinds[kind] = count;
  const auto columns = picked(joined_columns(inventory.name), {"from", "to", "links", "latency_us", "mbytes_per_s"});
  for (const auto& fabric : inventory.fabrics) {
    if (fabric.is_hypothetical)
      hypothetical.push_back(fabric.name);
    fabrics[fabric.name] = list_of(columns, joined_pairs(inventory, fabric));
  }
  return {{"schema_version", 2},
          {"platform", inventory.name},
          {"nodes", inventory.nodes},
          {"devices", kinds},
          {"devices_left_out", inventory.left_out},
          {"hypothetical_fabrics", hypothetical},
          {"fabrics", fabrics}};
}

} // namespace

Report report_of(const Choices& choices) {
  return {[&] { return parts_of(choices); }, [&] { return sheet_of(choices); }, [&] { return tree_of(choices); }};
}
Report report_of(const PlatformInventory& inventory) {
  return {[&] { return parts_of(inventory); }, [&] { return sheet_of(inventory); }, [&] { return tree_of(inventory); }};
}

} // namespace kakehashi
