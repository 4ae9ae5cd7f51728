#include "report/inventory_report.hpp"

#include "report/csv_form.hpp"
#include "report/report.hpp"

#include <algorithm>
#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

// One matrix, each cell as text; no way: "-".
template <class Text>
void write_matrix(const PlatformInventory& inventory, const FabricInventory& fabric, Text text, std::ostream& out) {
  std::size_t width = 8;
  for (const auto& device : inventory.devices)
    width = std::max(width, device.size() + 1);
  fmt::print(out, "{:<{}}", "", width);
  for (const auto& device : inventory.devices)
    fmt::print(out, "{:>{}}", device, width);
  out << '\n';
  for (std::size_t from = 0; from < inventory.devices.size(); ++from) {
    fmt::print(out, "{:<{}}", inventory.devices[from], width);
    for (const auto& pair : fabric.pairs[from])
      fmt::print(out, "{:>{}}", pair ? text(*pair) : "-", width);
    out << '\n';
  }
}

std::string turned_round(const std::string& links) {
  std::string text;
  for (std::size_t end = links.size(); end != std::string::npos;) {
    const auto space = end == 0 ? std::string::npos : links.rfind(' ', end - 1);
    text += (text.empty() ? "" : " ") + links.substr(space + 1, end - space - 1);
    end = space;
  }
  return text;
}

// The links of each pair by a number, the same in both directions, and the list of the numbers.
void write_links(const PlatformInventory& inventory, const FabricInventory& fabric, std::ostream& out) {
  std::vector<std::string> known;
  const auto number_of = [&](const PairFigures& pair) {
    const auto is_same = [&, back = turned_round(pair.links)](const std::string& links) {
      return links == pair.links || links == back;
    };
    const auto found = std::ranges::find_if(known, is_same);
    const auto number = found - known.begin();
    if (found == known.end())
      known.push_back(pair.links);
    return fmt::format("{}", number + 1);
  };
  fmt::print(out, "# {}: links, by number\n", fabric.name);
  write_matrix(inventory, fabric, number_of, out);
  for (std::size_t i = 0; i < known.size(); ++i)
    fmt::print(out, "#   {}: {}\n", i + 1, known[i]);
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
    fmt::print(out, "# {}: one-way time of 8 B, us\n", fabric.name);
    write_matrix(
        inventory, fabric, [](const PairFigures& pair) { return fmt::format("{:.3g}", in_microseconds(pair.latency)); },
        out);
    fmt::print(out, "# {}: MB/s of a ping-pong of 4 MiB\n", fabric.name);
    write_matrix(
        inventory, fabric, [](const PairFigures& pair) { return fmt::format("{:.0f}", pair.rate); }, out);
    write_links(inventory, fabric, out);
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
