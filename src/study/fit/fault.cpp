#include "study/fit/fit_parts.hpp"

#include "base/text.hpp"
#include "study/run/scenario_run.hpp"
#include "topology/capacity.hpp"
#include "topology/search.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace kakehashi {
namespace {

using Faults = std::vector<PlantableFault>;
using LinkChange = std::function<void(Link&)>;

constexpr double gbit = 1e9 / 8;

bool are_alike(const Link& a, const Link& b) {
  return a.latency == b.latency && capacity_of(a) == capacity_of(b) && sheet_text(a) == sheet_text(b);
}

std::string name_of_group(const std::vector<std::string>& names) {
  return names.size() <= 2 ? fmt::format("{}", fmt::join(names, " or "))
                           : fmt::format("{} or one of {} like it", names.front(), names.size() - 1);
}

// Returns the way of long messages, which may be striped; it belongs to the plan.
const Way& long_way(const Plan& plan, const Scenario& scenario) {
  return (*plan.ways)[*plan.ways->find(0, far_rank(scenario), Side::sender, largest_size)];
}

// Changes the data sheet of a link; a stated bandwidth falls in the same proportion.
LinkChange with_rating(const std::function<void(LinkRating&)>& edit) {
  return [edit](Link& link) {
    const auto capacity = row_of(link.type).capacity;
    const auto before = capacity(*link.rating);
    edit(*link.rating);
    const double share = capacity(*link.rating) / before;
    if (link.bandwidth)
      link.bandwidth = Capacity(share * link.bandwidth->forward, share * link.bandwidth->backward);
  };
}

LinkChange with_shares(double forward, double backward) {
  return [forward, backward](Link& link) {
    const auto now = capacity_of(link);
    link.bandwidth = Capacity(forward * now.forward, backward * now.backward);
  };
}

// Collects the faults of one group of links.
class LinkFaults {
public:
  LinkFaults(Faults& faults, const Platform& platform, const LinkGroup& group)
      : faults_(faults), link_(platform.links[group.links.front()]), index_(group.links.front()),
        name_(name_of_group(group.names)) {}

  void add_all() const {
    const auto& link = link_;
    const bool has_rating = link.rating.has_value();
    if (has_rating && link.rating->lanes)
      add_widths(*link.rating->lanes);
    if (has_rating && link.rating->generation)
      for (int lower = *link.rating->generation - 1; lower >= std::max(1, *link.rating->generation - 2); --lower)
        add_rated("slow-generation", fmt::format("as Gen{} instead of Gen{}", lower, *link.rating->generation),
                  [lower](LinkRating& rating) { rating.generation = lower; });
    if (has_rating && link.rating->signalling)
      add_signalling(*link.rating->signalling);
    if (has_rating && link.rating->line_rate && name_of(link.type) == "ethernet")
      add_line_rates(*link.rating->line_rate);
    if (!has_rating || !(link.rating->lanes || link.rating->line_rate))
      add("slow-link", "at half of its rate", with_shares(0.5, 0.5));
    if (has_rating && link.rating->lanes && link.rating->generation && link.rating->max_payload > Bytes{128})
      add_rated("small-packets", fmt::format("with packets of 128 B instead of {}", to_text(link.rating->max_payload)),
                [](LinkRating& rating) { rating.max_payload = Bytes{128}; });
    if (name_of(link.type) != "pcie")
      add_loads();
  }

private:
  Faults& faults_;
  const Link& link_;
  std::size_t index_;
  std::string name_;

  std::string_view check() const {
    const auto type = name_of(link_.type);
    return type == "pcie"         ? "lspci -vv: LnkSta of the device, and DevCtl for packets"
           : type == "infiniband" ? "ibstat or iblinkinfo: width and rate; perfquery: errors and traffic of its ports"
           : type == "ethernet"   ? "ethtool: speed; ethtool -S: errors and traffic"
           : type == "nvlink"     ? "nvidia-smi nvlink -s"
                                  : "";
  }

  void add(std::string kind, const std::string& how, const LinkChange& change) const {
    faults_.push_back({std::move(kind),
                       fmt::format("{} ({}) {}", name_, sheet_text(link_), how),
                       std::string(check()),
                       [link = index_, change](Platform& platform) { change(platform.links[link]); },
                       {}});
  }
  void add_rated(std::string kind, const std::string& how, const std::function<void(LinkRating&)>& edit) const {
    add(std::move(kind), how, with_rating(edit));
  }

  // Adds half and a quarter of the width.
  void add_widths(int lanes) const {
    const auto& widths = row_of(link_.type).widths;
    for (const int width : {lanes / 2, lanes / 4})
      if (std::ranges::find(widths, width) != widths.end())
        add_rated("narrow-link", fmt::format("at width x{} instead of x{}", width, lanes),
                  [width](LinkRating& rating) { rating.lanes = width; });
  }

  void add_signalling(std::size_t now) const {
    const auto rates = infiniband_rates();
    for (std::size_t lower = now; lower-- > 0 && lower + 2 >= now;)
      add_rated("slow-signalling", fmt::format("as {} instead of {}", rates[lower].name, rates[now].name),
                [lower](LinkRating& rating) { rating.signalling = lower; });
  }

  void add_line_rates(BytesPerSecond now) const {
    int steps = 0;
    for (auto lower = ethernet_gbits.rbegin(); lower != ethernet_gbits.rend() && steps < 3; ++lower)
      if (const BytesPerSecond rate{*lower * gbit}; rate.value < 0.99 * now.value) {
        ++steps;
        add_rated("slow-link", fmt::format("at {:g} Gbit/s", *lower),
                  [rate](LinkRating& rating) { rating.line_rate = rate; });
      }
  }

  // Adds another stream, which takes half, its fair share.
  void add_loads() const {
    add("loaded-link", "loaded by another stream, one way", with_shares(0.5, 1));
    add("loaded-link", "loaded by another stream, the other way", with_shares(1, 0.5));
    add("loaded-link", "loaded by another stream, both ways", with_shares(0.5, 0.5));
  }
};

// Returns devices of the same kind in the same node, at most as many as are worth trying.
std::vector<std::size_t> neighbours_of(const Platform& platform, std::size_t device) {
  constexpr std::size_t most = 8;
  std::vector<std::size_t> found;
  const auto& own = platform.devices[device];
  for (std::size_t i = 0; i < platform.devices.size() && found.size() < most; ++i)
    if (i != device && platform.devices[i].kind == own.kind && own.node && platform.devices[i].node == own.node)
      found.push_back(i);
  return found;
}

void add_places(Faults& faults, const Scenario& scenario) {
  const auto& platform = *scenario.platform;
  const auto from = scenario.ranks[0], to = scenario.ranks[1];
  const auto add = [&](std::size_t a, std::size_t b) {
    std::vector<std::string> moved;
    if (a != from)
      moved.push_back(
          fmt::format("rank 0 is on {} instead of {}", platform.devices[a].name, platform.devices[from].name));
    if (b != to)
      moved.push_back(
          fmt::format("rank 1 is on {} instead of {}", platform.devices[b].name, platform.devices[to].name));
    faults.push_back({"other-socket",
                      fmt::format("{}", fmt::join(moved, ", ")),
                      "mpirun --report-bindings, I_MPI_DEBUG=5 or srun --cpu-bind=verbose",
                      {},
                      [from, to, a, b](Scenario& each) {
                        for (auto& rank : each.ranks)
                          rank = rank == from ? a : rank == to ? b : rank;
                        if (from == to)
                          each.ranks = {a, b};
                      }});
  };
  const auto others_from = neighbours_of(platform, from);
  const auto others_to = neighbours_of(platform, to);
  for (const auto a : others_from)
    add(a, to);
  for (const auto b : others_to)
    add(from, b);
  if (from != to && !others_from.empty() && !others_to.empty())
    add(others_from.front(), others_to.front());
}

void add_fabrics(Faults& faults, const Scenario& scenario) {
  for (const auto& fabric : scenario.platform->fabrics) {
    if (fabric.name == scenario.fabric || fabric.only_stage || fabric.by_scope)
      continue;
    faults.push_back({"other-fabric",
                      fmt::format("messages take {} instead of {}", fabric.name, scenario.fabric),
                      "UCX_LOG_LEVEL=info, --mca btl_base_verbose 20 or I_MPI_DEBUG=5",
                      {},
                      [name = fabric.name](Scenario& each) { each.fabric = name; }});
  }
}

Fabric& fabric_in(Platform& platform, const std::string& name) {
  return *std::ranges::find(platform.fabrics, name, &Fabric::name);
}

void add_adapters(Faults& faults, const Scenario& scenario, const Path& path) {
  for (int fewer = path.terms.stripes - 1; fewer > 0; --fewer)
    faults.push_back({"fewer-adapters",
                      fmt::format("long messages take {} of {} adapters", fewer, path.terms.stripes),
                      "UCX_NET_DEVICES and UCX_MAX_RNDV_RAILS, which is 2 unless set",
                      [name = scenario.fabric, fewer](Platform& platform) {
                        auto& fabric = fabric_in(platform, name);
                        fabric.gateways.resize(std::min(fabric.gateways.size(), static_cast<std::size_t>(fewer)));
                      },
                      {}});
}

void add_software(Faults& faults, const Path& path) {
  for (const double factor : {1.5, 2.0})
    faults.push_back({"slow-cores",
                      fmt::format("cores at {} of their speed (power saving, or shared with other work)",
                                  factor == 2 ? "half" : "two thirds"),
                      "cpupower frequency-info, and top while the benchmark runs",
                      [factor](Platform& platform) {
                        for (auto& fabric : platform.fabrics)
                          for (auto& rule : fabric.rules)
                            for (auto& regime : rule.regimes)
                              for (std::size_t kind = 0; kind < regime.send_overhead.size(); ++kind) {
                                regime.send_overhead[kind].value *= factor;
                                regime.receive_overhead[kind].value *= factor;
                                regime.send_per_byte[kind].value *= factor;
                                regime.receive_per_byte[kind].value *= factor;
                              }
                      },
                      {}});
  if (path.from == path.to || !path.memory.empty())
    faults.push_back({"half-memory",
                      "memory with half of its channels",
                      "dmidecode -t memory",
                      [ends = std::array{path.from, path.to}](Platform& platform) {
                        for (const auto end : std::set(ends.begin(), ends.end()))
                          if (auto& memory = platform.devices[end].memory)
                            memory->bandwidth = 0.5 * bandwidth_of(*memory);
                      },
                      {}});
}

// Adds moved borders: the one at which the rendezvous begins, or, if that is unknown, any between regimes of long
// messages.
void add_limits(Faults& faults, const Scenario& scenario, const Path& path) {
  const auto& regimes = path.terms.rule->regimes;
  const auto f = static_cast<std::size_t>(path.terms.fabric - scenario.platform->fabrics.data());
  const auto r = static_cast<std::size_t>(path.terms.rule - path.terms.fabric->rules.data());
  for (std::size_t i = 0; i + 1 < regimes.size(); ++i) {
    const bool is_rendezvous = regimes[i].protocol() != regimes[i + 1].protocol();
    if (!is_rendezvous && *regimes[i].to < Bytes{1024})
      continue;
    for (const double factor : {0.0625, 0.125, 0.25, 0.5, 2.0, 4.0, 8.0, 16.0}) {
      const Bytes border{static_cast<std::uint64_t>(factor * static_cast<double>(regimes[i].to->count))};
      faults.push_back({"moved-limit",
                        fmt::format("{} from {} on instead of {}", is_rendezvous ? "rendezvous" : "the next protocol",
                                    to_text(border), to_text(*regimes[i].to)),
                        "the variables that move such changes",
                        [f, r, i, border](Platform& platform) {
                          auto& all = platform.fabrics[f].rules[r].regimes;
                          all = with_border(all, i, border);
                        },
                        {}});
    }
  }
}

} // namespace

std::string sheet_text(const Link& link) {
  std::string text(name_of(link.type));
  if (!link.rating)
    return text;
  const auto& rating = *link.rating;
  if (rating.generation)
    text += fmt::format(" Gen{}", *rating.generation);
  if (rating.signalling)
    text += fmt::format(" {}", infiniband_rates()[*rating.signalling].name);
  if (rating.lanes)
    text += fmt::format(" x{}", *rating.lanes);
  if (rating.transfers)
    text += fmt::format(" {} GT/s", four_digits(rating.transfers->value / 1e9));
  if (rating.line_rate)
    text += fmt::format(" {} Gbit/s", four_digits(rating.line_rate->value / gbit));
  return text;
}

int far_rank(const Scenario& scenario) {
  const auto& devices = scenario.platform->devices;
  const auto& ranks = scenario.ranks;
  const auto far = std::ranges::find_if(
      ranks, [&](std::size_t device) { return devices[device].node != devices[ranks.front()].node; });
  const auto other = std::ranges::find_if(ranks, [&](std::size_t device) { return device != ranks.front(); });
  const auto found = far != ranks.end() ? far : other != ranks.end() ? other : ranks.begin() + 1;
  return static_cast<int>(found - ranks.begin());
}

std::vector<LinkGroup> groups_on_way(const Scenario& scenario) {
  std::vector<LinkGroup> groups;
  const auto planned = routes_of(scenario);
  if (!planned)
    return groups;
  const auto& platform = *scenario.platform;
  const auto& channels = planned->topology->channels();
  for (const auto& stage : long_way(*planned, scenario).stages)
    for (std::size_t leg = 0; leg < stage.route.legs(); ++leg) {
      const auto on_leg = channels_of(stage, leg, {.memory = stage.terms.rule->moved_by_cores}, platform);
      for (const auto channel : on_leg) {
        const bool is_link = channel < 2 * platform.links.size();
        const auto link = is_link ? link_of_direction(channel) : 0;
        const auto rate = stage.terms.stripes * share_of(on_leg, channel, channels);
        const auto& known = channels[channel].name;
        const auto name = known.substr(0, known.rfind(':'));
        const auto what = is_link ? sheet_text(platform.links[link]) : known.substr(known.rfind(':') + 1);
        const auto like = std::ranges::find_if(groups, [&](const LinkGroup& group) {
          return group.what == what && group.rate == rate &&
                 (!is_link || are_alike(platform.links[group.links.front()], platform.links[link]));
        });
        auto& group = like != groups.end() ? *like : groups.emplace_back(LinkGroup{{}, {}, what, rate});
        const auto shown = is_link ? platform.links[link].name.substr(0, platform.links[link].name.find(':')) : name;
        if (std::ranges::find(group.names, shown) != group.names.end())
          continue;
        group.names.push_back(shown);
        if (is_link)
          group.links.push_back(link);
      }
    }
  return groups;
}

std::vector<PlantableFault> possible_faults(std::span<const Scenario> scenarios) {
  Faults faults;
  const auto& first = scenarios.front();
  const auto planned = routes_of(first);
  if (!planned)
    return faults;
  const auto& path = long_way(*planned, first).stages.front();
  add_adapters(faults, first, path);
  for (const auto& group : groups_on_way(first))
    if (!group.links.empty())
      LinkFaults(faults, *first.platform, group).add_all();
  if (first.ranks.size() == 2)
    add_places(faults, first);
  add_fabrics(faults, first);
  add_software(faults, path);
  add_limits(faults, first, path);
  return faults;
}

Scenario with_fault(const Scenario& scenario, const PlantableFault& fault) {
  auto changed = scenario;
  if (fault.change) {
    auto platform = std::make_shared<Platform>(*scenario.platform);
    fault.change(*platform);
    changed.platform = std::move(platform);
  }
  if (fault.move)
    fault.move(changed);
  return changed;
}

} // namespace kakehashi
