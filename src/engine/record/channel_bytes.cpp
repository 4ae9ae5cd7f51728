#include "engine/record/channel_bytes.hpp"

#include "transport/path.hpp"

#include <algorithm>

namespace kakehashi {

void ChannelBytes::learn_ways(std::size_t count) {
  for (auto way = first_.size(); way < count; ++way) {
    first_.push_back(flows_.size());
    flows_.resize(flows_.size() + ways_[way].stages.size());
  }
}

void ChannelBytes::add(std::span<const std::size_t> channels, double each, std::vector<double>& bytes) const {
  for (const auto channel : channels) {
    const auto counts_at = shift_ ? shift_->channel(channel) : channel;
    if (bytes.size() <= counts_at)
      bytes.resize(counts_at + 1);
    bytes[counts_at] += each;
  }
}

std::vector<double> ChannelBytes::total() const {
  auto bytes = loads_;
  for (std::size_t way = 0; way < first_.size(); ++way)
    for (std::size_t stage = 0; stage < ways_[way].stages.size(); ++stage) {
      const auto& path = ways_[way].stages[stage];
      const auto& flow = flows_[first_[way] + stage];
      for (std::size_t leg = 0; leg < path.route.legs(); ++leg) {
        add(channels_of(path, leg, false, ways_.platform()), flow.plain, bytes);
        add(channels_of(path, leg, true, ways_.platform()), flow.loading, bytes);
      }
    }
  if (!shift_)
    return bytes;
  bytes.resize(std::max(bytes.size(), shift_->channels.size()));
  for (std::size_t channel = 0; channel < bytes.size(); ++channel)
    bytes[channel] = bytes[shift_->channel(channel)];
  return bytes;
}

} // namespace kakehashi
