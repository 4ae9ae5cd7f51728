#include "input/import/assembly.hpp"

#include "base/number.hpp"
#include "input/import/formats.hpp"
#include "input/import/text_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace kakehashi {
namespace {

using std::string_view;

// One end of a cable.
struct EndOfCable {
  std::string port, far_port; // "[1]"
  std::string rate;           // "4xEDR"
  Cable cable;
};

// A switch or an adapter.
struct Member {
  bool is_switch = false;
  std::string description;
  std::string name; // name of the device or the host
  std::size_t rail = 0;
  std::map<std::string, std::vector<EndOfCable>> links; // links by the device at the far end
};

using Members = std::map<std::string, Member>; // members by id

// Reads "4xEDR".
std::optional<Cable> cable_of(string_view word, const Source& source) {
  auto rate = word;
  const auto lanes = take_number<int>(rate);
  if (!lanes || !rate.starts_with('x'))
    return std::nullopt;
  rate.remove_prefix(1);
  const auto& widths = row_of(link_type("infiniband")).widths;
  for (const auto& row : infiniband_rates())
    if (row.name == rate && std::find(widths.begin(), widths.end(), lanes) != widths.end())
      return infiniband_cable(rate, *lanes, source);
  return std::nullopt;
}

// Reads "Switch 36 "S-…" # "name" …" and "Ca 2 "H-…" # "host mlx5_0"", each followed by lines of ports: "[1](…)
// "H-…"[1] # … 4xEDR".
Result<Members> read_members(const std::vector<std::string>& lines, const std::string& file) {
  Members members;
  std::string current;
  std::set<std::string> seen; // ends of links
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const string_view line = lines[i];
    if (line.starts_with("Switch") || line.starts_with("Ca") || line.starts_with("Rt")) {
      current = quoted(line);
      if (current.empty())
        return input_error(file, fmt::format("line {}", i + 1), "there is no id in quotes");
      members[current].is_switch = !line.starts_with("Ca");
      if (const auto comment = line.find('#'); comment != string_view::npos)
        members[current].description = quoted(line, comment);
    } else if (line.starts_with("[") && !current.empty()) {
      const std::string peer(quoted(line));
      const auto words = words_in(line);
      const auto source = stated(fmt::format("ibnetdiscover: {}", words.back()));
      auto cable = cable_of(words.back(), source);
      if (peer.empty() || peer == current) // a cable for tests
        continue;
      if (!cable)
        return input_error(
            file, fmt::format("line {}", i + 1),
            mismatch(in_quotes(words.back()), "the width and rate of the link, such as 4xEDR, at the end of the line"));
      const std::string port(line.substr(0, line.find(']') + 1));
      if (!seen.insert(current + port).second)
        continue;
      if (const auto comment = line.find('#'); comment != string_view::npos && members[peer].description.empty())
        members[peer].description = quoted(line, comment); // text for a list that lacks the device at the far end
      const auto far_port = line.substr(line.find(peer) + peer.size() + 1);
      members[current].links[peer].push_back(
          {port, std::string(far_port.substr(0, far_port.find(']') + 1)), std::string(words.back()), *cable});
    }
  }
  return members;
}

// Returns parallel cables as one link.
Cable all_of(const std::vector<EndOfCable>& ends) {
  auto all = ends.front().cable;
  if (ends.size() == 1)
    return all;
  std::map<std::string, std::size_t> kinds;
  all.bandwidth = BytesPerSecond{};
  for (const auto& end : ends) {
    *all.bandwidth += capacity_of(end.cable);
    ++kinds[end.cable.source.from];
  }
  all.source.from.clear();
  for (const auto& [kind, count] : kinds)
    all.source.from += fmt::format("{}{} of: {}", all.source.from.empty() ? "" : ", ", count, kind);
  return all;
}

// Returns cables that are slower than most others of their switch to hosts, or to other switches; failing cables are.
std::vector<std::string> slow_cables(const Members& members) {
  const auto rate = [](const EndOfCable& end) { return capacity_of(end.cable); };
  std::set<std::string> seen; // one end of each cable
  std::vector<std::string> slow;
  const auto add_slower = [&](const std::string& id, const Member& member, bool to_switches) {
    std::vector<BytesPerSecond> rates;
    for (const auto& [peer, ends] : member.links)
      if (members.at(peer).is_switch == to_switches)
        std::ranges::transform(ends, std::back_inserter(rates), rate);
    std::ranges::sort(rates);
    for (const auto& [peer, ends] : member.links)
      for (const auto& end : ends)
        if (members.at(peer).is_switch == to_switches && rate(end) < rates[rates.size() / 2] &&
            seen.insert(std::min(id + end.port, peer + end.far_port)).second)
          slow.push_back(fmt::format("{} at port {} of {}", end.rate, end.port, in_quotes(member.description)));
  };
  for (const auto& [id, member] : members)
    for (const bool to_switches : {true, false})
      if (member.is_switch)
        add_slower(id, member, to_switches);
  return slow;
}

// Returns "a, b, c, …".
std::string beginning_of(std::vector<std::string> names) {
  constexpr std::size_t most = 5;
  if (names.size() > most)
    names[most] = "…";
  names.resize(std::min(names.size(), most + 1));
  return fmt::format("{}", fmt::join(names, ", "));
}

// Whether it is an aggregation node of SHARP, which is no host.
bool is_aggregation(string_view description) {
  return description.find("Aggregation Node") != string_view::npos;
}

// Whether the description is the factory's; a host replaces it by its own name.
bool is_of_factory(string_view description) {
  return description.find("Mellanox Technologies") != string_view::npos && !is_aggregation(description);
}

// Names all members. Adapters of one host are its rails.
std::vector<std::string> name_members(Members& members) {
  std::map<std::string, std::size_t> rails;
  std::size_t switches = 0;
  for (auto& [id, member] : members) {
    const auto words = words_in(member.description);
    if (member.is_switch) {
      member.name = fmt::format("switch{}", switches++);
    } else if (!is_aggregation(member.description)) {
      member.name = plain_name(words.empty() || is_of_factory(member.description) ? id : words.front());
      member.rail = rails[member.name]++;
    }
  }
  std::vector<std::string> hosts;
  for (const auto& [host, count] : rails)
    hosts.push_back(host);
  return hosts;
}

// Makes two switches one if they have no hosts and join the same switches: subnet managers spread routes over them.
// False if there are none.
bool merge_two_alike(Members& members) {
  std::map<std::vector<std::string>, std::string> first; // first by far ends
  for (auto at = members.begin(); at != members.end(); ++at) {
    const auto is_host = [&](const auto& link) { return !members.at(link.first).is_switch; };
    if (!at->second.is_switch || std::any_of(at->second.links.begin(), at->second.links.end(), is_host))
      continue;
    std::vector<std::string> ends;
    for (const auto& [end, link] : at->second.links)
      ends.push_back(end);
    const auto [known, is_new] = first.emplace(ends, at->first);
    if (is_new)
      continue;
    auto& kept = members.at(known->second);
    for (const auto& [end, link] : at->second.links) {
      const auto append = [&cables = link](std::vector<EndOfCable>& to) {
        to.insert(to.end(), cables.begin(), cables.end());
      };
      append(kept.links[end]);
      auto& back = members.at(end).links;
      append(back[known->second]);
      back.erase(at->first);
    }
    kept.description += ", " + at->second.description;
    members.erase(at);
    return true;
  }
  return false;
}

} // namespace

bool is_ibnetdiscover(const Sample& sample) {
  for (const string_view mark : {"\nSwitch\t", "\nSwitch ", "\nCa\t", "\nCa ", "switchguid=", "caguid="})
    if (sample.text.find(mark) != string_view::npos || sample.text.starts_with(mark.substr(1)))
      return true;
  return false;
}

Result<Imported> read_ibnetdiscover(std::string text, const std::string& file, const ImportOptions&) {
  auto members = read_members(plain_lines(text), file);
  if (!members)
    return members.errors();
  // Each link is listed at both ends; a list that is cut off may lack one of them.
  for (const auto& [id, member] : Members(*members))
    for (const auto& [peer, link] : member.links) {
      auto& other = (*members)[peer];
      if (other.links.empty())
        other.is_switch |= peer.starts_with("S-");
      other.links.emplace(id, link);
    }
  Imported imported;
  if (const auto slow = slow_cables(*members); !slow.empty())
    imported.notes.push_back("slower than others of the same switch, as cables are that fail: " + beginning_of(slow));
  std::set<std::string> of_factory;
  for (const auto& [id, member] : *members)
    if (!member.is_switch && is_of_factory(member.description))
      of_factory.insert(in_quotes(member.description));
  if (!of_factory.empty())
    imported.notes.push_back(
        fmt::format("adapters that no host has named are nodes of their own, named by their GUIDs: {}; "
                    "rdma-ndd on the hosts names them",
                    beginning_of({of_factory.begin(), of_factory.end()})));
  while (merge_two_alike(*members)) {
  }
  NetworkPlan plan;
  plan.hosts = name_members(*members);
  if (plan.hosts.empty())
    return file_error(ErrorKind::input, file,
                      "there is no host adapter (Ca) in this list; ibnetdiscover lists them when it "
                      "runs as root while the nodes are up");
  for (const auto& [id, member] : *members) {
    if (member.is_switch)
      plan.switches.devices.push_back(
          {member.name, DeviceKind::network_switch, stated(shortened("ibnetdiscover: " + member.description, 200))});
    for (const auto& [peer_id, link] : member.links) {
      const auto& peer = members->at(peer_id);
      const auto cable = all_of(link);
      if (member.name.empty() || peer.name.empty() || (id > peer_id && member.is_switch == peer.is_switch))
        continue;
      const auto host = [&](const std::string& name) {
        return static_cast<std::size_t>(std::lower_bound(plan.hosts.begin(), plan.hosts.end(), name) -
                                        plan.hosts.begin());
      };
      if (member.is_switch && peer.is_switch)
        plan.switches.links.push_back({member.name, peer.name, cable});
      else if (!member.is_switch && peer.is_switch)
        plan.ports.push_back({host(member.name), member.rail, peer.name, 0, 0, cable});
      else if (!member.is_switch && !peer.is_switch)
        plan.ports.push_back({host(member.name), member.rail, "", host(peer.name), peer.rail, cable});
    }
  }
  if (plan.ports.empty())
    return file_error(ErrorKind::input, file, "no host adapter of this list has a link");
  imported.description = fmt::format("network of {} from ibnetdiscover", counted(plan.hosts.size(), "node"));
  imported.network = std::move(plan);
  return imported;
}

} // namespace kakehashi
