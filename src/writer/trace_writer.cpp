#include "writer/export_writer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace kakehashi {
namespace {

using Kind = TracedOperation::Kind;

constexpr double per_second = 1e9; // flops per second of a core in the trace

// Writes the operations of one rank, and keeps its open requests.
class TiWriter {
public:
  TiWriter(int rank, std::ostream& out) : rank_(rank), out_(out) {}

  void write(const TracedOperation& operation) {
    switch (operation.kind) {
    case Kind::compute:
      if (operation.time.value > 0)
        out_ << fmt::format("{} compute {:.6g}\n", rank_, per_second * operation.time.value);
      break;
    case Kind::wait: write_wait(operation.requests); break;
    case Kind::send:
    case Kind::receive:
      constexpr int type_of_bytes = 6;
      const bool is_send = operation.kind == Kind::send;
      out_ << fmt::format("{} {}{} {} {} {} {}\n", rank_, operation.blocking ? "" : "i", is_send ? "send" : "recv",
                          operation.peer, operation.tag, operation.size.count, type_of_bytes);
      if (!operation.blocking)
        open_[operation.request] = is_send ? fmt::format("{} {} {}", rank_, operation.peer, operation.tag)
                                           : fmt::format("{} {} {}", operation.peer, rank_, operation.tag);
      break;
    }
  }

private:
  void write_wait(const std::vector<std::uint32_t>& requests) {
    const auto awaited = std::ranges::count_if(requests, [&](auto request) { return open_.contains(request); });
    if (static_cast<std::size_t>(awaited) == open_.size() && awaited > 1) {
      out_ << fmt::format("{} waitall {}\n", rank_, awaited);
      open_.clear();
      return;
    }
    for (const auto request : requests)
      if (const auto found = open_.find(request); found != open_.end()) {
        out_ << fmt::format("{} wait {}\n", rank_, found->second);
        open_.erase(found);
      }
  }

  int rank_;
  std::ostream& out_;
  std::unordered_map<std::uint32_t, std::string> open_; // a request's name in a wait
};

// Each operation begins when the previous one has begun, or has ended if it blocks, and when the requests that it waits
// for have ended.
class GoalWriter {
public:
  explicit GoalWriter(std::ostream& out) : out_(out) {}

  void write(const TracedOperation& operation) {
    if (operation.kind == Kind::wait) {
      for (const auto request : operation.requests)
        if (const auto found = open_.find(request); found != open_.end()) {
          awaited_.push_back(found->second);
          open_.erase(found);
        }
      return;
    }
    const auto label = ++labels_;
    const auto message = [&](const char* what, const char* where) {
      return fmt::format("{} {}b {} {} tag {}", what, operation.size.count, where, operation.peer, operation.tag);
    };
    out_ << fmt::format("l{}: {}\n", label,
                        operation.kind == Kind::send ? message("send", "to")
                        : operation.kind == Kind::receive
                            ? message("recv", "from")
                            : fmt::format("calc {:.0f}", per_second * operation.time.value));
    for (const auto awaited : awaited_)
      out_ << fmt::format("l{} requires l{}\n", label, awaited);
    const bool waits_for_last = std::ranges::find(awaited_, label - 1) != awaited_.end();
    if (label > 1 && !waits_for_last)
      out_ << fmt::format("l{} {} l{}\n", label, last_blocks_ ? "requires" : "irequires", label - 1);
    awaited_.clear();
    last_blocks_ = operation.blocking;
    if (!operation.blocking)
      open_[operation.request] = label;
  }

private:
  std::ostream& out_;
  std::uint64_t labels_ = 0;
  bool last_blocks_ = true;
  std::vector<std::uint64_t> awaited_;                    // labels that the next operation waits for
  std::unordered_map<std::uint32_t, std::uint64_t> open_; // a request's label
};

} // namespace

void write_ti(const TracedJob& job, std::ostream& out) {
  for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) {
    out << rank << " init\n";
    TiWriter writer(static_cast<int>(rank), out);
    for (const auto& operation : job.ranks[rank])
      writer.write(operation);
    out << rank << " finalize\n";
  }
}

void write_goal(const TracedJob& job, std::ostream& out) {
  out << "num_ranks " << job.ranks.size() << "\n";
  for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) {
    out << "rank " << rank << " {\n";
    GoalWriter writer(out);
    for (const auto& operation : job.ranks[rank])
      writer.write(operation);
    out << "}\n";
  }
}

} // namespace kakehashi
