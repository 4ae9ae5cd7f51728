#include "engine/network.hpp"
#include "engine/simgrid_compat.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

namespace kakehashi {
namespace {

namespace s4u = simgrid::s4u;
namespace compat = simgrid_compat;

// SimGrid's factors for TCP over Ethernet are off: what protocols cost is in the fabrics' regimes.
std::unique_ptr<s4u::Engine> make_engine() {
  std::vector<std::string> words{"kakehashi",
                                 "--log=root.thresh:error",
                                 "--cfg=network/model:CM02",
                                 "--cfg=network/TCP-gamma:0",
                                 "--cfg=network/bandwidth-factor:1",
                                 "--cfg=network/latency-factor:1",
                                 "--cfg=network/weight-S:0",
                                 "--cfg=network/crosstraffic:0",
                                 fmt::format("--cfg={}:1e-12", compat::timing_precision),
                                 fmt::format("--cfg={}:1e-6", compat::work_precision)};
  std::vector<char*> arguments;
  for (auto& word : words)
    arguments.push_back(word.data());
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  return std::make_unique<s4u::Engine>(&count, arguments.data());
}

// SimGrid heeds the rate of a Comm only between mailboxes, not between hosts. So a cap is a link that every flow has to
// itself (FATPIPE), and endpoints have a SimGrid host for each cap.
class SimGridNetwork : public Network {
public:
  SimGridNetwork(std::span<const Channel> channels, std::span<const NetworkPath> paths)
      : engine_(make_engine()), zone_(compat::root_zone(*engine_)), links_(channels.size()) {
    for (const auto& path : paths) {
      auto& routes = paths_.emplace_back();
      if (path.channels.empty())
        continue;
      std::vector<s4u::LinkInRoute> shared;
      for (const auto channel : path.channels)
        shared.emplace_back(link_of(channel, channels[channel]));
      add_route(routes, path, shared, std::nullopt);
      for (const auto cap : path.caps)
        if (!find_route(routes, cap))
          add_route(routes, path, shared, cap);
    }
    zone_->seal();
    compat::on_completion([this](const s4u::Activity& activity) { finish(activity); });
  }

  std::string name() const override {
    return fmt::format("SimGrid {}.{}", SIMGRID_VERSION_MAJOR, SIMGRID_VERSION_MINOR);
  }
  Seconds now() const override { return {s4u::Engine::get_clock()}; }

  void after(Seconds delay, Event event) override {
    simgrid::kernel::timer::Timer::set(now().value + delay.value, [this, event] { (*handler_)(event); });
  }

  void transfer(std::size_t path, Bytes size, std::optional<BytesPerSecond> cap, Event event) override {
    const auto* route = find_route(paths_[path], cap);
    if (!route) // no channels
      return after(cap ? size / *cap : Seconds{}, event);
    auto comm = s4u::Comm::sendto_init();
    comm->set_payload_size(size.count);
    comm->set_source(route->from)->set_destination(route->to);
    if (comm->get_state() != s4u::Activity::State::STARTED) // once the clock runs, setting the destination starts it
      comm->start();
    const auto* key = comm.get();
    flows_.emplace(key, Flow{std::move(comm), event});
  }

  void run(const std::function<void(Event)>& handler) override {
    handler_ = &handler;
    engine_->run();
    handler_ = nullptr;
  }

private:
  struct CappedRoute {
    std::optional<BytesPerSecond> cap;
    s4u::Host* from = nullptr;
    s4u::Host* to = nullptr;
  };
  struct Flow {
    s4u::CommPtr comm; // SimGrid wants it kept until it is done
    Event event;
  };

  static const CappedRoute* find_route(const std::vector<CappedRoute>& routes, std::optional<BytesPerSecond> cap) {
    const auto found =
        std::find_if(routes.begin(), routes.end(), [&](const CappedRoute& route) { return route.cap == cap; });
    return found == routes.end() ? nullptr : &*found;
  }

  s4u::Link* link_of(std::size_t index, const Channel& channel) {
    if (!links_[index]) {
      links_[index] = compat::add_link(zone_, channel.name, channel.capacity.value);
      links_[index]->set_latency(0.0);
      links_[index]->seal();
    }
    return links_[index];
  }

  s4u::Link* cap_link(BytesPerSecond cap) {
    auto& link = cap_links_[cap.value];
    if (!link) {
      link = compat::add_link(zone_, fmt::format("cap-{}", cap.value), cap.value);
      link->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE);
      link->set_latency(0.0);
      link->seal();
    }
    return link;
  }

  s4u::Host* host_of(std::size_t endpoint, std::optional<BytesPerSecond> cap) {
    auto& host = hosts_[{endpoint, cap ? cap->value : 0}];
    if (!host)
      host = compat::add_host(zone_, fmt::format("endpoint-{}-{}", endpoint, cap ? cap->value : 0));
    return host;
  }

  void add_route(std::vector<CappedRoute>& routes, const NetworkPath& path, std::vector<s4u::LinkInRoute> links,
                 std::optional<BytesPerSecond> cap) {
    if (cap)
      links.emplace_back(cap_link(*cap));
    routes.push_back({cap, host_of(path.from, cap), host_of(path.to, cap)});
    compat::add_route(zone_, routes.back().from, routes.back().to, links);
  }

  void finish(const s4u::Activity& activity) {
    const auto found = flows_.find(static_cast<const s4u::Comm*>(&activity));
    if (found == flows_.end())
      return;
    const auto event = found->second.event;
    just_finished_ = std::move(found->second.comm); // SimGrid still uses it after this callback
    flows_.erase(found);
    (*handler_)(event);
  }

  std::unique_ptr<s4u::Engine> engine_;
  s4u::NetZone* zone_;
  std::vector<s4u::Link*> links_; // of the channels in use
  std::map<double, s4u::Link*> cap_links_;
  std::map<std::pair<std::size_t, double>, s4u::Host*> hosts_;
  std::vector<std::vector<CappedRoute>> paths_;
  std::unordered_map<const s4u::Comm*, Flow> flows_;
  s4u::CommPtr just_finished_;
  const std::function<void(Event)>* handler_ = nullptr;
};

} // namespace

std::unique_ptr<Network> make_simgrid_network(std::span<const Channel> channels, std::span<const NetworkPath> paths) {
  return std::make_unique<SimGridNetwork>(channels, paths);
}

} // namespace kakehashi
