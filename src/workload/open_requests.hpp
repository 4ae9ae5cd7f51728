// The nonblocking operations of a recorded rank that it has not waited for, by the names that traces give them.
#pragma once

#include "spec/trace_event.hpp"
#include "workload/operation.hpp"

#include <algorithm>

namespace kakehashi {

class OpenRequests {
public:
  void add(const RequestName& name, Request request, std::uint64_t line) { entries_.push_back({name, request, line}); }

  // The oldest one of that name.
  std::optional<Request> find(const RequestName& name) const {
    const auto found = place_of(name);
    return found == entries_.end() ? std::nullopt : std::optional(found->request);
  }
  void remove(const RequestName& name) { entries_.erase(place_of(name)); }

  // A test found that it has ended; a wait for it, if there still is one, is over at once.
  void set_tested(const RequestName& name) {
    remove(name);
    tested_.push_back(name);
  }
  bool take_tested(const RequestName& name) {
    const auto found = std::find(tested_.begin(), tested_.end(), name);
    if (found == tested_.end())
      return false;
    tested_.erase(found);
    return true;
  }

  bool empty() const { return entries_.empty(); }
  std::vector<Request> take_all() {
    std::vector<Request> requests;
    for (const auto& entry : entries_)
      requests.push_back(entry.request);
    waited_for_.swap(entries_); // messages may ask for their lines still
    entries_.clear();
    return requests;
  }

  // Where the request was started; 0 if it is none of these.
  std::uint64_t line_of(Request request) const {
    for (const auto* list : {&entries_, &waited_for_})
      for (const auto& entry : *list)
        if (entry.request.index == request.index)
          return entry.line;
    return 0;
  }

private:
  struct Entry {
    RequestName name;
    Request request;
    std::uint64_t line;
  };
  std::vector<Entry>::const_iterator place_of(const RequestName& name) const {
    return std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.name == name; });
  }

  std::vector<Entry> entries_;
  std::vector<Entry> waited_for_; // by the last waitall
  std::vector<RequestName> tested_;
};

} // namespace kakehashi
