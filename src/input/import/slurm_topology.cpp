#include "input/import/assembly.hpp"

#include "base/number.hpp"
#include "input/import/compose.hpp"
#include "input/import/formats.hpp"
#include "input/import/text_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <yaml-cpp/yaml.h>

namespace kakehashi {
namespace {

using std::string_view;

constexpr std::size_t most_hosts = 10000;
constexpr std::size_t most_levels = 20; // levels of switches
constexpr std::size_t most_yaml = 16 << 20;
constexpr const char* expected_names = "names such as n[01-16],login1, at most 10000";
constexpr string_view no_blocks =
    "this is for Slurm's plugin topology/block, which does not state how blocks are joined; "
    "expected {}, as topology/tree takes them";

struct Switch {
  std::string name;
  std::size_t line = 0;
  std::vector<std::string> nodes;
  std::vector<std::string> switches;
};

// Adds PREFIX[1-3,7]REST for each number; false: it has another form, or there are too many.
bool expand(string_view pattern, std::vector<std::string>& names) {
  const auto open = pattern.find('[');
  if (open == string_view::npos) {
    names.emplace_back(pattern);
    return !pattern.empty() && names.size() <= most_hosts;
  }
  const auto close = pattern.find(']', open);
  if (close == string_view::npos)
    return false;
  auto ranges = pattern.substr(open + 1, close - open - 1);
  while (!ranges.empty()) {
    const auto range = ranges.substr(0, ranges.find(','));
    ranges.remove_prefix(std::min(range.size() + 1, ranges.size()));
    const auto first_text = range.substr(0, range.find('-'));
    const auto last_text = first_text.size() == range.size() ? range : range.substr(first_text.size() + 1);
    const auto first = number_in<std::size_t>(first_text), last = number_in<std::size_t>(last_text);
    if (!first || !last || *last < *first || *last - *first >= most_hosts)
      return false;
    for (auto number = *first; number <= *last; ++number)
      if (!expand(
              fmt::format("{}{:0{}}{}", pattern.substr(0, open), number, first_text.size(), pattern.substr(close + 1)),
              names))
        return false;
  }
  return true;
}

Result<std::vector<Switch>> read_switches(const std::vector<std::string>& lines, const std::string& file) {
  std::vector<Switch> switches;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Switch found;
    found.line = i + 1;
    const auto fault = [&](std::string message) {
      return input_error(file, fmt::format("line {}", i + 1), std::move(message));
    };
    for (const auto word : words_in(string_view(lines[i]).substr(0, lines[i].find('#')))) {
      const auto equals = word.find('=');
      const auto key = in_lower_case(word.substr(0, equals));
      const auto value = equals == string_view::npos ? string_view{} : word.substr(equals + 1);
      if (key == "blockname")
        return fault(fmt::format(no_blocks, "lines of SwitchName"));
      if (key == "switchname")
        found.name = value;
      if (key != "nodes" && key != "switches")
        continue;
      auto names = expand_hosts(value);
      if (!names)
        return fault(mismatch(in_quotes(word), expected_names));
      (key == "nodes" ? found.nodes : found.switches) = std::move(*names);
    }
    if (!found.name.empty())
      switches.push_back(std::move(found));
  }
  return switches;
}

// Whether the topology has the key with a value other than false.
bool has_key(const YAML::Node& topology, const char* key) {
  const auto value = topology[key];
  bool is_true = true;
  return value && (!YAML::convert<bool>::decode(value, is_true) || is_true);
}

// Returns the cluster's topology in a topology.yaml: the first one marked as default, or else the first one.
YAML::Node default_of(const YAML::Node& topologies) {
  for (const auto& topology : topologies)
    if (has_key(topology, "cluster_default"))
      return topology;
  return topologies[0];
}

Result<std::vector<Switch>> read_yaml_switches(const YAML::Node& topologies, const std::string& file) {
  const auto fault = [&](const YAML::Mark& mark, const std::string& message) {
    return input_error(file, fmt::format("line {}", mark.line + 1), message);
  };
  const auto is_map = [](const YAML::Node& each) { return each.IsMap(); };
  if (!topologies.IsSequence() || topologies.size() == 0 || !std::all_of(topologies.begin(), topologies.end(), is_map))
    return fault(topologies.Mark(), "expected a list of topologies, as Slurm's topology.yaml is");
  const auto topology = default_of(topologies);
  if (has_key(topology, "block"))
    return fault(topology.Mark(), fmt::format(no_blocks, "a tree with switches"));
  if (!has_key(topology, "tree") || !topology["tree"].IsMap())
    return fault(topology.Mark(), "this topology names no switches; expected a tree, or, for one switch, no file but "
                                  "`--nodes 8 --network HDR`, say");
  std::vector<Switch> switches;
  for (const auto& each : topology["tree"]["switches"]) {
    if (!is_map(each) || !each["switch"] || !each["switch"].IsScalar())
      return fault(each.Mark(), "the key \"switch\" is missing, the name of the switch");
    Switch found{each["switch"].Scalar(), static_cast<std::size_t>(each.Mark().line) + 1, {}, {}};
    for (const auto& [key, list] : {std::pair("nodes", &found.nodes), std::pair("children", &found.switches)})
      if (const auto value = each[key]) {
        auto names = value.IsScalar() ? expand_hosts(value.Scalar()) : std::nullopt;
        if (!names)
          return fault(value.Mark(),
                       fmt::format("{}: {}", key,
                                   mismatch(value.IsScalar() ? in_quotes(value.Scalar()) : "a list", expected_names)));
        *list = std::move(*names);
      }
    switches.push_back(std::move(found));
  }
  return switches;
}

// Returns the number of nodes below each switch, by name. Each pass adds a level, from the leaves upwards. Errors: a
// switch is defined twice, is below itself, or has an undefined switch below it.
Result<std::map<std::string, std::size_t>> nodes_below(const std::vector<Switch>& switches, const std::string& file) {
  const auto fault = [&](const Switch& at, const std::string& found, const std::string& expected) {
    return input_error(file, fmt::format("line {}", at.line), mismatch(found, expected));
  };
  std::map<std::string, std::size_t> below;
  for (const auto& each : switches)
    if (!below.emplace(each.name, 0).second)
      return fault(each, "the switch " + in_quotes(each.name) + " twice", "each only once");
  for (const auto& each : switches)
    for (const auto& child : each.switches)
      if (!below.contains(child) || child == each.name)
        return fault(each, in_quotes(child), "the name of another switch");
  for (std::size_t pass = 0; pass <= most_levels; ++pass) {
    bool is_changed = false;
    for (const auto& each : switches) {
      auto count = each.nodes.size();
      for (const auto& child : each.switches)
        count += below[child];
      count = std::min(count, most_hosts);
      is_changed |= count != below[each.name];
      below[each.name] = count;
    }
    if (!is_changed)
      return below;
  }
  return fault(switches.front(), "switches that are below themselves", fmt::format("at most {} levels", most_levels));
}

Result<Imported> network_of(const std::vector<Switch>& switches, const std::string& file,
                            const ImportOptions& options) {
  NetworkPlan plan;
  std::set<std::string> hosts;
  for (const auto& each : switches)
    hosts.insert(each.nodes.begin(), each.nodes.end());
  plan.hosts.assign(hosts.begin(), hosts.end());
  if (plan.hosts.empty())
    return file_error(ErrorKind::input, file, "no switch has nodes; expected some with names such as n[0-15]");
  const auto cable = options.cable.value_or(
      infiniband_cable("HDR", 4, assumed("Slurm does not state the rate; `--network EDR` or the like does")));
  const auto counted_below = nodes_below(switches, file);
  if (!counted_below)
    return counted_below.errors();
  const auto& below = *counted_below;
  for (const auto& each : switches) {
    plan.switches.devices.push_back({plain_name(each.name), DeviceKind::network_switch, stated("Slurm: " + each.name)});
    for (const auto& child : each.switches) {
      const auto nodes = below.at(child);
      auto up = in_parallel(cable, std::max<std::size_t>(1, nodes));
      up.source = assumed(fmt::format("as many links up as nodes below, {}; Slurm does not state them", nodes));
      plan.switches.links.push_back({plain_name(each.name), plain_name(child), up});
    }
    for (const auto& node : each.nodes)
      plan.ports.push_back({static_cast<std::size_t>(std::distance(hosts.begin(), hosts.find(node))), 0,
                            plain_name(each.name), 0, 0, cable});
  }
  for (auto& host : plan.hosts)
    host = plain_name(host);
  Imported imported;
  imported.description = fmt::format("network of {} from Slurm's topology", counted(plan.hosts.size(), "node"));
  if (!options.cable)
    imported.notes.push_back(
        "the rate of the links is not stated; assumed: HDR. `--network EDR`, for example, states it");
  imported.network = std::move(plan);
  return imported;
}

} // namespace

std::optional<std::vector<std::string>> expand_hosts(string_view list) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i == list.size() || (list[i] == ',' && depth == 0)) {
      if (!expand(list.substr(begin, i - begin), names))
        return std::nullopt;
      begin = i + 1;
    } else {
      depth += list[i] == '[' ? 1 : list[i] == ']' ? -1 : 0;
    }
  }
  return names;
}

bool is_slurm_topology(const Sample& sample) {
  const auto text = in_lower_case(sample.text.substr(0, 100000));
  return text.find("switchname=") != std::string::npos || text.find("blockname=") != std::string::npos;
}

Result<Imported> read_slurm_topology(std::string text, const std::string& file, const ImportOptions& options) {
  const auto switches = read_switches(plain_lines(text), file);
  if (!switches)
    return switches.errors();
  return network_of(*switches, file, options);
}

bool is_slurm_yaml(const Sample& sample) {
  return sample.text.starts_with("- topology:") || sample.text.find("\n- topology:") != string_view::npos;
}

Result<Imported> read_slurm_yaml(std::string text, const std::string& file, const ImportOptions& options) {
  if (text.size() > most_yaml)
    return file_error(ErrorKind::input, file, "larger than 16 MiB");
  try {
    const auto topologies = YAML::Load(text);
    const auto switches = read_yaml_switches(topologies, file);
    if (!switches)
      return switches.errors();
    auto imported = network_of(*switches, file, options);
    if (imported && topologies.size() > 1)
      imported->notes.push_back(fmt::format("of the {} topologies, that of the cluster is read: {}", topologies.size(),
                                            in_quotes(default_of(topologies)["topology"].as<std::string>(""))));
    return imported;
  } catch (const YAML::Exception& failure) {
    return input_error(file, fmt::format("line {}", failure.mark.line + 1), "this is no YAML: " + failure.msg);
  }
}

} // namespace kakehashi
