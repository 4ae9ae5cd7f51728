// A network whose clock and flows a test drives by hand.
#pragma once

#include "engine/flow/network.hpp"

namespace kakehashi {

class FakeNetwork : public Network {
public:
  struct Flow {
    std::size_t set;
    Bytes size;
    std::optional<BytesPerSecond> cap;
    Event event;
  };

  FakeNetwork() : Network(fine_tick, 0) {}
  std::string name() const override { return "fake"; }
  std::size_t add_set(std::span<const std::size_t> channels) override {
    sets_.emplace_back(channels.begin(), channels.end());
    return sets_.size() - 1;
  }
  void transfer(std::size_t set, Bytes size, std::optional<BytesPerSecond> cap, Event event) override {
    flows_.push_back({set, size, cap, event});
  }
  void run(const std::function<void(Event)>&) override {} // the test does that

  void go_to(Seconds time) { now_ = time; }
  // Goes to the end of the delay that ends first, if that is no later than this time.
  std::optional<Event> end_delay(Seconds until) {
    if (events_.empty() || events_.next() > until.value)
      return std::nullopt;
    now_ = Seconds{events_.next()};
    return events_.pop();
  }
  Event end_flow(std::size_t number) {
    const auto event = flows_.at(number).event;
    flows_.erase(flows_.begin() + static_cast<std::ptrdiff_t>(number));
    return event;
  }
  const std::vector<Flow>& flows() const { return flows_; } // in the order of their starts
  const std::vector<std::size_t>& channels_of(const Flow& flow) const { return sets_.at(flow.set); }

private:
  std::vector<std::vector<std::size_t>> sets_;
  std::vector<Flow> flows_;
};

} // namespace kakehashi
