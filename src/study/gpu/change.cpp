#include "study/gpu/change.hpp"

#include "base/text.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <span>

namespace kakehashi {
namespace {

using Links = std::vector<std::size_t>;

std::shared_ptr<const Platform> with_links(const Platform& platform, const Links& links, double factor) {
  auto changed = std::make_shared<Platform>(platform);
  for (const auto link : links) {
    const auto capacity = capacity_of(platform.links[link]);
    changed->links[link].bandwidth = Capacity(factor * capacity.forward, factor * capacity.backward);
  }
  return changed;
}

// What alike links have in common.
std::string link_class(const Platform& platform, std::size_t number) {
  const auto& link = platform.links[number];
  const std::pair<std::string_view, std::string_view> ends =
      std::minmax({name_of(device_kind_names, platform.devices[link.from].kind),
                   name_of(device_kind_names, platform.devices[link.to].kind)});
  return fmt::format("{} of {:.1f} GB/s between {} and {}", name_of(link.type), capacity_of(link).forward.value / 1e9,
                     ends.first, ends.second);
}

Links alike_links(const Platform& platform, std::size_t like) {
  Links links;
  const auto wanted = link_class(platform, like);
  for (std::size_t i = 0; i < platform.links.size(); ++i)
    if (link_class(platform, i) == wanted)
      links.push_back(i);
  return links;
}

// A link of each kind that the first rank's bytes pass.
Links links_on_ways(const GpuSystem& system) {
  Links links;
  std::set<std::string> classes;
  const auto add = [&](const Result<Route>& route) {
    if (!route)
      return;
    for (const auto link : route->links)
      if (classes.insert(link_class(*system.platform, link)).second)
        links.push_back(link);
  };
  const auto& node = system.nodes.front();
  const auto device = [&](int rank) { return system.ranks[static_cast<std::size_t>(rank)].device; };
  if (node.size() > 1) {
    const auto nvlink =
        system.handicaps.has_peers ? system.nvlink_way(device(node[0]), device(node[1])) : Result<Route>(Errors{});
    add(nvlink ? nvlink : system.pcie_way(device(node[0]), device(node[1])));
  }
  const int rail = std::max(0, system.ranks[static_cast<std::size_t>(node[0])].rail);
  if (system.node_count() > 1)
    add(system.network_way(device(node[0]), device(system.nodes[1][0]), rail, rail));
  return links;
}

// The job's nodes keep the first adapters that its GPUs use, so many.
std::shared_ptr<const Platform> with_adapters(const GpuSystem& system, std::size_t kept) {
  std::set<std::string_view> lost;
  for (std::size_t i = kept; i < system.rails.size(); ++i)
    lost.insert(system.platform->devices[system.rails[i]].local_name());
  auto changed = std::make_shared<Platform>(*system.platform);
  const auto is_lost = [&](std::size_t device) {
    const auto& each = changed->devices[device];
    return is_adapter(each.kind) && lost.contains(each.local_name());
  };
  std::erase_if(changed->links, [&](const Link& link) { return is_lost(link.from) || is_lost(link.to); });
  return changed;
}

// Each node gets another adapter beside its first one, with links like those.
// A second one like each of the first `count` adapters of a node.
std::shared_ptr<const Platform> with_more_adapters(const GpuSystem& system, std::size_t count) {
  std::set<std::string, std::less<>> names;
  for (const auto rail : std::span(system.rails).first(count))
    names.emplace(system.platform->devices[rail].local_name());
  auto changed = std::make_shared<Platform>(*system.platform);
  for (std::size_t i = 0; i < system.platform->devices.size(); ++i) {
    if (!names.contains(system.platform->devices[i].local_name()) || !is_adapter(system.platform->devices[i].kind))
      continue;
    const auto added = changed->devices.size();
    changed->devices.push_back(system.platform->devices[i]);
    changed->devices.back().name += "-more";
    for (const auto& link : system.platform->links)
      if (link.from == i || link.to == i) {
        auto& copy = changed->links.emplace_back(link);
        copy.name += "-more";
        (link.from == i ? copy.from : copy.to) = added;
      }
  }
  return changed;
}

std::shared_ptr<const Platform> with_release(const GpuSystem& system, GpuRelease release) {
  auto changed = std::make_shared<Platform>(*system.platform);
  changed->gpu_library.name = system.library->name;
  changed->gpu_library.version = release;
  return changed;
}

// Makes changes of one setup.
struct GpuChangeMaker {
  const GpuSetup& setup;
  const GpuCollectives& now;
  std::vector<GpuChange> changes = {};

  const GpuSystem& system() const { return now.system(); }
  const Platform& platform() const { return *setup.platform; }
  std::string title(GpuRelease release) const {
    return fmt::format("{} {}", system().library->title, to_text(release));
  }
  void add(std::string kind, std::string what, std::shared_ptr<const Platform> changed, std::string check = "") {
    changes.push_back({std::move(kind), std::move(what), std::move(check), std::move(changed), setup.wishes});
  }
  void add_handicap(std::string what, std::string check, const GpuHandicaps& handicaps) {
    changes.push_back({"handicap", std::move(what), std::move(check), setup.platform, setup.wishes, handicaps});
  }
  template <class Change> void add_wish(std::string kind, std::string what, std::string check, const Change& change) {
    auto wishes = setup.wishes;
    change(wishes);
    changes.push_back({std::move(kind), std::move(what), std::move(check), setup.platform, wishes});
  }

  // The links of that name in a limit, in either direction.
  Links limiting_links(const std::vector<std::string>& limits) const {
    Links found;
    for (const auto& limit : limits)
      for (std::size_t link = 0; link < platform().links.size(); ++link)
        if (system().topology->channel_text(2 * link) == limit ||
            system().topology->channel_text(2 * link + 1) == limit)
          found.push_back(link);
    return found;
  }

  void add_faster_links(const std::vector<std::string>& limits) {
    std::set<std::string> seen;
    for (const auto link : limiting_links(limits))
      if (const auto alike = alike_links(platform(), link); seen.insert(link_class(platform(), link)).second)
        add("faster-links",
            fmt::format("twice the rate of {}{}", platform().links[link].name,
                        alike.size() > 1 ? fmt::format(" and {} like it", alike.size() - 1) : ""),
            with_links(platform(), alike, 2));
  }

  void add_other_adapters() {
    const auto rails = system().rails.size();
    if (system().node_count() < 2)
      return;
    if (rails < system().nodes.front().size())
      add("more-adapters", "one more adapter a node", with_more_adapters(system(), 1));
    if (rails > 1 && 2 * rails <= system().nodes.front().size())
      add("more-adapters", fmt::format("{} adapters a node", 2 * rails), with_more_adapters(system(), rails));
    if (rails > 1)
      add("fewer-adapters", fmt::format("{} of {} adapters a node", rails / 2, rails),
          with_adapters(system(), rails / 2));
  }

  // The newest release, and the one before the job's; they choose with other numbers.
  void add_releases() {
    const auto& releases = system().library->releases;
    const auto at = system().release - releases.data();
    if (at > 0)
      add("release",
          fmt::format("{} instead of {}", title(releases[static_cast<std::size_t>(at) - 1].from),
                      to_text(system().version)),
          with_release(system(), releases[static_cast<std::size_t>(at) - 1].from));
    if (system().release != &releases.back())
      add("release", fmt::format("{} instead of {}", title(releases.back().from), to_text(system().version)),
          with_release(system(), releases.back().from));
  }

  void add_choices() {
    if (setup.operation == GpuOperation::alltoall || setup.operation == GpuOperation::sendrecv)
      return;
    if (setup.wishes.algorithm || setup.wishes.protocol)
      add_wish("own-choice", "the library's own choice", "", [](GpuWishes& wishes) {
        wishes.algorithm.reset();
        wishes.protocol.reset();
      });
    const auto candidates = now.candidates(setup.operation, setup.sizes.back(), every_choice(setup.wishes));
    for (const auto& each : candidates)
      if (each.time)
        add_wish("choice",
                 fmt::format("{} by {}", name_of(gpu_algorithm_names, each.algorithm),
                             name_of(gpu_protocol_names, each.protocol)),
                 "", [&](GpuWishes& wishes) {
                   wishes.algorithm = each.algorithm;
                   wishes.protocol = each.protocol;
                 });
  }

  void add_fewer_channels() {
    const int channels = std::min(now.graph().channels, setup.wishes.channels.value_or(now.graph().channels));
    if (channels > 1)
      add_wish("channels", fmt::format("{} channels instead of {}", channels / 2, channels),
               "NCCL_MAX_NCHANNELS, NCCL_MAX_CTAS and the config of the communicator",
               [&](GpuWishes& wishes) { wishes.channels = channels / 2; });
  }

  void add_settings() {
    const auto& wishes = setup.wishes;
    if (system().node_count() < 2)
      return;
    if (system().adds)
      add_wish("setting", fmt::format("NCCL_COLLNET_ENABLE={}", wishes.has_collnet ? 0 : 1), "",
               [&](GpuWishes& changed) { changed.has_collnet = !wishes.has_collnet; });
    for (const auto each : {CrossNic::never, CrossNic::always})
      if (system().rails.size() > 1 && now.graph().crosses == (each == CrossNic::never))
        add_wish("setting", fmt::format("NCCL_CROSS_NIC={}", static_cast<int>(each)), "",
                 [&](GpuWishes& changed) { changed.cross_nic = each; });
  }

  void add_slow_links() {
    for (const auto link : links_on_ways(system()))
      add("slow-link",
          fmt::format("{} ({}) at half of its rate", platform().links[link].name, name_of(platform().links[link].type)),
          with_links(platform(), {link}, 0.5),
          fmt::format("links of {}: lspci -vv (LnkSta), ibstat, nvidia-smi nvlink -s", link_class(platform(), link)));
  }

  void add_lost_adapters() {
    const auto rails = system().rails.size();
    if (system().node_count() < 2)
      return;
    for (std::size_t kept = rails / 2; kept > 0; kept = kept > 1 ? 1 : 0)
      add("unused-adapters", fmt::format("{} of {} adapters a node are used", kept, rails),
          with_adapters(system(), kept), "NCCL_DEBUG=INFO (\"NET/IB : Using\"), NCCL_IB_HCA and ibstat on each node");
  }

  void add_detours() {
    const auto& node = system().nodes.front();
    if (node.size() > 1)
      add_handicap("GPUs of a node reach each other through the host's memory",
                   "NCCL_DEBUG=INFO (\"via SHM\"), NCCL_P2P_DISABLE, ACS of PCIe switches, IOMMU, isolated containers",
                   {.has_peers = false});
    if (system().node_count() > 1)
      add_handicap("adapters reach GPUs through the host's memory",
                   "NCCL_DEBUG=INFO (no \"GDRDMA\"), nvidia-peermem, NCCL_NET_GDR_LEVEL", {.has_gpudirect = false});
  }

  void add_missing_protocols() {
    const std::string check = "NCCL_PROTO, NCCL_ALGO and the tuner plug-in of the network";
    add_handicap("LL is off", check, {.lacks = {true, false, false}});
    add_handicap("LL128 is off", check, {.lacks = {false, true, false}});
    add_handicap("LL and LL128 are off", check, {.lacks = {true, true, false}});
    for (const auto algorithm : {GpuAlgorithm::ring, GpuAlgorithm::tree})
      if (setup.operation == GpuOperation::allreduce && !setup.wishes.algorithm)
        add_wish("one-algorithm", fmt::format("{} alone is taken", name_of(gpu_algorithm_names, algorithm)),
                 "NCCL_ALGO, and the tuner plug-in of the network",
                 [&](GpuWishes& wishes) { wishes.algorithm = algorithm; });
  }

  void add_all_releases() {
    for (const auto& release : system().library->releases)
      if (&release != system().release)
        add("release", fmt::format("the library is {}, not {}", title(release.from), to_text(system().version)),
            with_release(system(), release.from), "NCCL_DEBUG=VERSION, and which library the program loads");
  }
};

} // namespace

GpuSetup setup_of(const Scenario& scenario) {
  const auto& benchmark = std::get<Benchmark>(scenario.workload);
  return {scenario.platform, scenario.ranks, *kind_of(benchmark).gpu, benchmark.sizes, benchmark.gpu};
}

Result<std::shared_ptr<const GpuCollectives>> collectives_of(const GpuSetup& setup) {
  return gpu_collectives(setup.platform, std::make_shared<Topology>(*setup.platform), setup.ranks, setup.wishes,
                         setup.handicaps);
}

Result<std::vector<GpuTime>> times_of(const GpuSetup& setup) {
  const auto gpus = collectives_of(setup);
  if (!gpus)
    return gpus.errors();
  std::vector<GpuTime> times;
  for (const auto size : setup.sizes) {
    const auto time = (*gpus)->time(setup.operation, size, setup.wishes);
    if (!time)
      return time.errors();
    times.push_back(*time);
  }
  return times;
}

std::vector<GpuChange> gpu_machine_changes(const GpuSetup& setup, const GpuCollectives& now,
                                           const std::vector<std::string>& limits) {
  GpuChangeMaker maker{setup, now};
  maker.add_faster_links(limits);
  maker.add_other_adapters();
  return std::move(maker.changes);
}

std::shared_ptr<const Platform> with_nvlink_domain(const Platform& platform, std::size_t gpus) {
  auto changed = std::make_shared<Platform>(platform);
  std::optional<std::size_t> wide;
  std::size_t joined = 0;
  for (auto& link : changed->links) {
    if (link.type != link_type("nvlink"))
      continue;
    auto& end = changed->devices[link.from].kind == DeviceKind::gpu ? link.to : link.from;
    if (changed->devices[end].kind != DeviceKind::network_switch || !changed->devices[end].node)
      continue;
    if (!wide || joined % gpus == 0) {
      auto added = changed->devices[end];
      added.name = fmt::format("nvlink-domain{}", joined / gpus);
      added.node.reset();
      wide = changed->devices.size();
      changed->devices.push_back(std::move(added));
    }
    end = *wide;
    ++joined;
  }
  return wide ? changed : nullptr;
}

std::vector<GpuChange> gpu_what_ifs(const GpuSetup& setup, const GpuCollectives& now,
                                    const std::vector<std::string>& limits) {
  if (setup.ranks.size() < 2)
    return {};
  GpuChangeMaker maker{setup, now, gpu_machine_changes(setup, now, limits)};
  maker.add_fewer_channels();
  maker.add_settings();
  maker.add_releases();
  maker.add_choices();
  return std::move(maker.changes);
}

std::vector<GpuChange> gpu_faults(const GpuSetup& setup, const GpuCollectives& now) {
  if (setup.ranks.size() < 2)
    return {};
  GpuChangeMaker maker{setup, now};
  maker.add_slow_links();
  maker.add_lost_adapters();
  maker.add_detours();
  maker.add_missing_protocols();
  maker.add_fewer_channels();
  maker.add_all_releases();
  return std::move(maker.changes);
}

} // namespace kakehashi
