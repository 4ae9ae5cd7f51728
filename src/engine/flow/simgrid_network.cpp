#include "engine/flow/network.hpp"
#include "engine/flow/shuffle.hpp"
#include "engine/flow/simgrid_compat.hpp"

#include <algorithm>
#include <cassert>
#include <csignal>
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
                                 fmt::format("--cfg={}:{}", compat::timing_precision, blur.value),
                                 fmt::format("--cfg={}:1e-6", compat::work_precision)};
  std::vector<char*> arguments;
  for (auto& word : words)
    arguments.push_back(word.data());
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  struct sigaction interrupt {}; // SimGrid takes Ctrl-C for itself
  sigaction(SIGINT, nullptr, &interrupt);
  auto engine = std::make_unique<s4u::Engine>(&count, arguments.data());
  sigaction(SIGINT, &interrupt, nullptr);
  compat::reset_clock();
  return engine;
}

using Links = std::vector<simgrid::kernel::resource::StandardLinkImpl*>;

// SimGrid asks its zone for the route of a transfer when the transfer starts, and wants every route known before. Ours
// are found as they are needed, so the zone has two hosts only and answers with the links of the transfer that starts.
class OneRouteZone : public simgrid::kernel::routing::NetZoneImpl {
public:
  explicit OneRouteZone(const char* name) : NetZoneImpl(name) {}
  void get_local_route(const simgrid::kernel::routing::NetPoint*, const simgrid::kernel::routing::NetPoint*,
                       simgrid::kernel::routing::Route* into, double*) override {
    into->link_list_ = *links;
  }
  const Links* links = nullptr;
};

// SimGrid heeds the rate of a Comm only between mailboxes, not between hosts. So a cap is a link that every flow has to
// itself (FATPIPE), and a set of channels has a list of links for each cap.
class SimGridNetwork : public Network {
public:
  SimGridNetwork(const std::deque<Channel>& channels, std::uint32_t seed, Seconds tick)
      : Network(tick, seed), engine_(make_engine()), zone_(new OneRouteZone("platform")), channels_(channels),
        seed_(seed) {
    has_alarm_ = true;
    compat::set_root(*engine_, zone_);
    from_ = compat::add_host(zone_->get_iface(), "from");
    to_ = compat::add_host(zone_->get_iface(), "to");
    zone_->get_iface()->seal();
    link_zone_ = new OneRouteZone("links"); // a sealed zone takes no more links
    link_zone_->set_network_model(zone_->get_network_model());
    // SimGrid keeps a callback for the life of the process, so there is one, which looks for the network that lives
    // now.
    [[maybe_unused]] static const bool is_connected = [] {
      compat::on_completion([](const s4u::Activity& activity) {
        if (live_)
          live_->finish(activity);
      });
      return true;
    }();
    assert(is_connected && !live_);
    live_ = this;
  }
  SimGridNetwork(const SimGridNetwork&) = delete;
  SimGridNetwork& operator=(const SimGridNetwork&) = delete;

  ~SimGridNetwork() override {
    live_ = nullptr;
    for (const auto& [time, timer] : wakes_) // timers of a run that was left in the middle
      timer->remove();
    for (const auto& [key, flow] : flows_)
      flow.comm->cancel();
    delete link_zone_; // which SimGrid would forget, as it is not the root
  }

  std::string name() const override { return simgrid_name(); }

  std::size_t add_set(std::span<const std::size_t> channels) override {
    Links links;
    for (const auto channel : channels)
      links.push_back(link_of(channel));
    sets_.push_back({{0, std::move(links)}});
    return sets_.size() - 1;
  }

  void transfer(std::size_t set, Bytes size, std::optional<BytesPerSecond> cap, Event event) override {
    assert(set < sets_.size() && size.count > 0);
    const auto& shared = sets_[set].at(0);
    if (shared.empty())
      return after(cap ? size / *cap : Seconds{}, event);
    zone_->links = cap ? &with_cap(set, *cap) : &shared;
    auto comm = s4u::Comm::sendto_init();
    comm->set_payload_size(size.count);
    comm->set_source(from_)->set_destination(to_);
    if (comm->get_state() != s4u::Activity::State::STARTED) // once the clock runs, setting the destination starts it
      comm->start();
    const auto* key = comm.get();
    flows_.emplace(key, Flow{std::move(comm), event, shuffled(started_++, seed_)});
  }

  void run(const std::function<void(Event)>& handler) override {
    handler_ = &handler;
    engine_->run();
    handler_ = nullptr;
  }

private:
  struct Flow {
    s4u::CommPtr comm; // SimGrid wants it kept until it is done
    Event event;
    std::uint64_t order;
  };
  struct Done {
    Seconds time;
    std::uint64_t order;
    Event event;
  };

  void set_alarm(Seconds time) override { wake(time); }

  // SimGrid calls the timers of a time before it tells the completions; these get a timer, too, at the same time, so
  // that all of them are known when it rings.
  void wake(Seconds time) {
    const auto [wake, is_new] = wakes_.try_emplace(time.value, nullptr);
    if (is_new)
      wake->second = simgrid::kernel::timer::Timer::set(std::max(time.value, s4u::Engine::get_clock()),
                                                        [this, time] { wake_up(time); });
  }

  // SimGrid deletes a timer after its call, but not if that throws.
  void wake_up(Seconds time) {
    const auto* timer = wakes_.at(time.value);
    wakes_.erase(time.value);
    try {
      hand_out(time);
    } catch (...) {
      delete timer;
      throw;
    }
  }

  // First delays, then transfers, until both have nothing more that is due.
  void hand_out(Seconds time) {
    beat(true);
    const auto is_due = [&](const Done& done) { return done.time <= time + blur; };
    for (;;) {
      while (!events_.empty() && events_.next() <= (time + blur).value) {
        now_ = std::max(now_, time);
        beat();
        (*handler_)(events_.pop());
      }
      const auto later = std::stable_partition(done_.begin(), done_.end(), is_due);
      std::vector<Done> due(done_.begin(), later);
      if (due.empty())
        return;
      now_ = std::max(now_, time);
      done_.erase(done_.begin(), later);
      std::sort(due.begin(), due.end(), [](const Done& a, const Done& b) { return a.order < b.order; });
      for (const auto& done : due)
        (*handler_)(done.event);
    }
  }

  simgrid::kernel::resource::StandardLinkImpl* add_link(const std::string& name, BytesPerSecond capacity,
                                                        s4u::Link::SharingPolicy policy) {
    auto* link = compat::add_link(link_zone_->get_iface(), name, capacity.value);
    link->set_sharing_policy(policy);
    link->set_latency(0.0);
    link->seal();
    return link->get_impl();
  }

  simgrid::kernel::resource::StandardLinkImpl* link_of(std::size_t channel) {
    if (links_.size() <= channel)
      links_.resize(channels_.size());
    if (!links_[channel])
      links_[channel] =
          add_link(channels_[channel].name, channels_[channel].capacity, s4u::Link::SharingPolicy::SHARED);
    return links_[channel];
  }

  const Links& with_cap(std::size_t set, BytesPerSecond cap) {
    const auto [found, is_new] = sets_[set].try_emplace(cap.value, sets_[set].at(0));
    if (is_new) {
      auto& link = cap_links_[cap.value];
      if (!link)
        link = add_link(fmt::format("cap-{}", cap.value), cap, s4u::Link::SharingPolicy::FATPIPE);
      found->second.push_back(link);
    }
    return found->second;
  }

  void finish(const s4u::Activity& activity) {
    const auto found = flows_.find(static_cast<const s4u::Comm*>(&activity));
    if (found == flows_.end())
      return;
    const Seconds time = on_tick({s4u::Engine::get_clock()});
    done_.push_back({time, found->second.order, found->second.event});
    just_finished_ = std::move(found->second.comm); // SimGrid still uses it after this callback
    flows_.erase(found);
    wake(time);
  }

  static inline SimGridNetwork* live_ = nullptr; // as SimGrid's engine is one, so is this

  std::unique_ptr<s4u::Engine> engine_;
  OneRouteZone* zone_; // SimGrid owns it
  OneRouteZone* link_zone_;
  s4u::Host* from_;
  s4u::Host* to_;
  const std::deque<Channel>& channels_;
  Links links_; // links of the channels in use
  std::map<double, simgrid::kernel::resource::StandardLinkImpl*> cap_links_;
  std::vector<std::map<double, Links>> sets_; // keys are caps, 0: none
  std::unordered_map<const s4u::Comm*, Flow> flows_;
  s4u::CommPtr just_finished_;
  std::uint32_t seed_;
  std::map<double, simgrid::kernel::timer::Timer*> wakes_; // keys are the times for which they are set
  std::vector<Done> done_;                                 // transfers that are not handed out yet
  std::uint64_t started_ = 0;
  const std::function<void(Event)>* handler_ = nullptr;
};

} // namespace

std::string simgrid_fault() {
  return "";
}

bool load_simgrid() {
  return true; // it is linked
}

std::string simgrid_name() {
  return fmt::format("SimGrid {}.{}", SIMGRID_VERSION_MAJOR, SIMGRID_VERSION_MINOR);
}

std::unique_ptr<Network> make_simgrid_network(const std::deque<Channel>& channels, std::uint32_t seed, Seconds tick) {
  return std::make_unique<SimGridNetwork>(channels, seed, tick);
}

} // namespace kakehashi
