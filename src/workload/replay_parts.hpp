// The state of a rank that replays a trace: its open requests, and the clock of its device.
#pragma once

#include "base/ring.hpp"
#include "model/trace_event.hpp"
#include "workload/operation.hpp"

#include <algorithm>
#include <unordered_map>

namespace kakehashi {

// When the works on a rank's devices end. Nothing else takes the device's time, so each end is known when the work
// begins.
class DeviceClock {
public:
  // Returns when all of these works have ended; at least `now`.
  Seconds end_of(const std::vector<std::uint64_t>& works, Seconds now) const {
    for (const auto work : works)
      if (const auto found = ends_.find(work); found != ends_.end())
        now = std::max(now, found->second);
    return now;
  }
  void begun(std::uint64_t work, Seconds end, Seconds now) {
    if (ends_.size() >= most_) { // those that have ended hold nothing up
      std::erase_if(ends_, [now](const auto& each) { return each.second <= now; });
      most_ = std::max(most_, 2 * ends_.size());
    }
    ends_[work] = end;
    last_ = std::max(last_, end);
  }
  Seconds last() const { return last_; } // the last end of any work

private:
  std::unordered_map<std::uint64_t, Seconds> ends_;
  std::size_t most_ = 1024;
  Seconds last_;
};

// The open nonblocking operations of a recorded rank, by the names that traces give them.
class OpenRequests {
public:
  void add(const RequestName& name, Request request, std::uint64_t line) { entries_.push_back({name, request, line}); }

  // Adds one that the trace gave a number.
  void add(std::uint64_t number, Request request, std::uint64_t line) { numbered_[number] = {request, line}; }
  // Removes and returns the open ones among these numbers.
  std::vector<Request> take_numbered(const std::vector<std::uint64_t>& numbers) {
    std::vector<Request> requests;
    waited_for_.clear();
    for (const auto number : numbers)
      if (const auto found = numbered_.find(number); found != numbered_.end()) {
        requests.push_back(found->second.request);
        waited_for_.push_back({{}, found->second.request, found->second.line});
        numbered_.erase(found);
      }
    return requests;
  }

  // Returns the oldest one with that name.
  std::optional<Request> find(const RequestName& name) const {
    const auto place = place_of(name);
    return place == entries_.size() ? std::nullopt : std::optional(entries_[place].request);
  }
  void remove(const RequestName& name) { entries_.remove(place_of(name)); }
  // Removes the oldest one with that name, which becomes `taken`; returns false if there is none.
  bool take(const RequestName& name, Request& taken) {
    const auto place = place_of(name);
    if (place == entries_.size())
      return false;
    taken_ = entries_[place]; // messages may still ask for its line
    taken = taken_.request;
    entries_.remove(place);
    return true;
  }

  void remove(Request request) {
    const auto place = entries_.find([&](const Entry& entry) { return entry.request.index == request.index; });
    if (place < entries_.size())
      entries_.remove(place);
  }

  // Notes that a test found the request ended, or that it had ended when it began. A later wait for it ends at once.
  void set_tested(const RequestName& name) {
    remove(name);
    const auto found = std::ranges::find(tested_, name, &Tested::name);
    if (found == tested_.end())
      tested_.push_back({name, 1});
    else
      ++found->count;
  }
  bool take_tested(const RequestName& name) {
    const auto found = std::ranges::find(tested_, name, &Tested::name);
    if (found == tested_.end() || found->count == 0)
      return false;
    --found->count;
    return true;
  }

  bool empty() const { return entries_.empty(); }
  std::vector<RequestName> names() const {
    std::vector<RequestName> names;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      names.push_back(entries_[i].name);
    return names;
  }
  std::vector<Request> all() const {
    std::vector<Request> requests;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      requests.push_back(entries_[i].request);
    return requests;
  }
  std::vector<Request> take_all() {
    auto requests = all();
    std::swap(waited_for_, entries_); // messages may still ask for their lines
    entries_.clear();
    return requests;
  }

  // Removes and returns all but `others`.
  std::vector<Request> take_all_but(std::vector<RequestName> others) {
    auto all = std::exchange(entries_, {});
    Entries kept;
    for (; !all.empty(); all.pop_front()) {
      const auto found = std::ranges::find(others, all.front().name);
      (found == others.end() ? entries_ : kept).push_back(all.front());
      if (found != others.end())
        others.erase(found);
    }
    auto requests = take_all();
    entries_ = std::move(kept);
    return requests;
  }

  // Returns the line that started the request; 0 if it is none of these.
  std::uint64_t line_of(Request request) const {
    for (const auto* list : {&entries_, &waited_for_})
      for (std::size_t i = 0; i < list->size(); ++i)
        if ((*list)[i].request.index == request.index)
          return (*list)[i].line;
    for (const auto& [number, started] : numbered_)
      if (started.request.index == request.index)
        return started.line;
    return taken_.request.index == request.index ? taken_.line : 0;
  }

private:
  struct Entry {
    RequestName name;
    Request request;
    std::uint64_t line = 0;
  };
  using Entries = Ring<Entry>;
  struct Started {
    Request request;
    std::uint64_t line;
  };
  struct Tested { // not waited for yet; most never are
    RequestName name;
    std::uint64_t count;
  };
  std::size_t place_of(const RequestName& name) const { // the number of entries: there is none
    return entries_.find([&](const Entry& entry) { return entry.name == name; });
  }

  Entries entries_;    // most that are waited for are near its front
  Entry taken_;        // request of the last wait for one
  Entries waited_for_; // requests of the last call that waited for several
  std::unordered_map<std::uint64_t, Started> numbered_;
  std::vector<Tested> tested_;
};

} // namespace kakehashi
