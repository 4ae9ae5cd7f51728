#include "input/trace/region_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace kakehashi {
namespace {

class RegionStream : public EventStream {
public:
  RegionStream(std::unique_ptr<EventStream> all, std::string region)
      : all_(std::move(all)), region_(std::move(region)) {}

  const std::string& file() const override { return all_->file(); }
  std::string_view unit() const override { return all_->unit(); }
  const std::optional<Error>& fault() const override { return all_->fault(); }
  const TraceEvent* next() override {
    const auto* event = all_->next();
    while (event && !is_in_region(event->region, region_))
      event = all_->next();
    return event;
  }

private:
  std::unique_ptr<EventStream> all_;
  std::string region_;
};

class RegionSource : public TraceSource {
public:
  RegionSource(std::shared_ptr<const TraceSource> all, std::string region)
      : all_(std::move(all)), region_(std::move(region)) {}

  std::unique_ptr<EventStream> open(int rank) const override {
    return std::make_unique<RegionStream>(all_->open(rank), region_);
  }
  std::uint64_t bytes() const override { return all_->bytes(); }
  std::vector<std::string> files() const override { return all_->files(); }
  const std::vector<RankGroup>& communicators() const override { return all_->communicators(); }
  const std::vector<std::string>& warnings() const override { return all_->warnings(); }
  bool is_cut() const override { return all_->is_cut(); }

private:
  std::shared_ptr<const TraceSource> all_;
  std::string region_;
};

// Messages from one rank to another in the region.
struct Crossing {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};
using Crossings = std::map<std::pair<int, int>, Crossing>;

void count(const SendEvent& send, int rank, Crossings& crossings) {
  if (send.to)
    ++crossings[{rank, *send.to}].sent;
}
void count(const ReceiveEvent& receive, int rank, Crossings& crossings) {
  if (receive.from)
    ++crossings[{*receive.from, rank}].received;
}

} // namespace

Result<std::shared_ptr<const TraceSource>> only_in_region(std::shared_ptr<const TraceSource> source, int ranks,
                                                          const std::string& file, const std::string& region) {
  std::set<std::string, std::less<>> others;
  Crossings crossings;
  bool is_there = false;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto stream = source->open(rank);
    while (const auto* event = stream->next()) {
      if (!is_in_region(event->region, region)) {
        if (!event->region.empty() && !others.contains(event->region))
          others.emplace(event->region);
        continue;
      }
      is_there = true;
      if (const auto* send = std::get_if<SendEvent>(&event->what))
        count(*send, rank, crossings);
      else if (const auto* receive = std::get_if<ReceiveEvent>(&event->what))
        count(*receive, rank, crossings);
      else if (const auto* both = std::get_if<SendReceiveEvent>(&event->what)) {
        count(both->send, rank, crossings);
        count(both->receive, rank, crossings);
      }
    }
    if (const auto& fault = stream->fault())
      return *fault;
  }
  if (!is_there)
    return file_error(ErrorKind::input, file,
                      mismatch(fmt::format("the region {}", in_quotes(region)),
                               others.empty() ? std::string("none, as the program names no regions")
                                              : fmt::format("one of {}", fmt::join(others, ", "))));
  for (const auto& [pair, crossing] : crossings)
    if (crossing.sent != crossing.received)
      return file_error(
          ErrorKind::input, file,
          fmt::format("messages cross the border of the region {}: rank {} sends {} in it to rank {}, which "
                      "receives {} there",
                      in_quotes(region), pair.first, crossing.sent, pair.second, crossing.received));
  return std::shared_ptr<const TraceSource>(std::make_shared<RegionSource>(std::move(source), region));
}

} // namespace kakehashi
