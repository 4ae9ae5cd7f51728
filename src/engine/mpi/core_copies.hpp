// Copies of payloads by cores: done when the core's time is over and the copy has flowed through the memory, or over
// the links, that copies share.
#pragma once

#include "engine/mpi/channel_sets.hpp"
#include "engine/mpi/message_pool.hpp"
#include "engine/mpi/rank_table.hpp"

namespace kakehashi {

class CoreCopies {
public:
  // Keeps references.
  CoreCopies(const Setting& setting, Agenda& agenda, ChannelSets& sets, MessagePool& messages)
      : network_(setting.network), recorder_(setting.recorder), agenda_(agenda), sets_(sets), messages_(messages) {}

  // Whether the core's copy, which takes it so long, is one that flows. Else the time is all.
  bool flows(const Message& message, Seconds copy) const;

  // These return what has ended when a copy has. The core is at work for so long, and with that copy at the end.
  std::optional<Occasion> begin(std::uint32_t message, Seconds core_time, Seconds until_done);
  std::optional<Occasion> handle(Event event); // copy_flows or copy_done

private:
  std::optional<Occasion> flow(std::uint32_t id);
  std::optional<Occasion> end(std::uint32_t id);

  Network& network_;
  Recorder* recorder_;
  Agenda& agenda_;
  ChannelSets& sets_;
  MessagePool& messages_;
  std::vector<Seconds> ends_; // the earliest end of each message's copy
};

} // namespace kakehashi
