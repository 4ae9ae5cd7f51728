// The messages that are on their way, by number, and lists of them.
#pragma once

#include "engine/mpi/connections.hpp"
#include "engine/mpi/message.hpp"

#include <vector>

namespace kakehashi {

class MessagePool {
public:
  Message& operator[](std::uint32_t id) { return messages_[id]; }
  const Message& operator[](std::uint32_t id) const { return messages_[id]; }
  std::vector<Message>& all() { return messages_; } // dropped ones, too
  const std::vector<Message>& all() const { return messages_; }

  std::uint32_t take(int from, int to, Bytes size) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(messages_.size()));
      messages_.emplace_back();
    }
    const auto id = free_.back();
    free_.pop_back();
    auto& message = messages_[id] = {};
    message.from = from;
    message.to = to;
    message.size = size;
    return id;
  }
  void drop(std::uint32_t id) { free_.push_back(id); }

  void append(MessageList& list, std::uint32_t id) {
    messages_[id].next = no_message;
    (list.first == no_message ? list.first : messages_[list.last].next) = id;
    list.last = id;
  }

private:
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_;
};

} // namespace kakehashi
