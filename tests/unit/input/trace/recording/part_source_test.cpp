#include "input/trace/recording/recording_source.hpp"

#include <functional>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using PartEvents = std::vector<TraceEvent>;

class PartEventStream : public EventStream {
public:
  explicit PartEventStream(PartEvents events) : events_(std::move(events)) {}
  const std::string& file() const override { return file_; }
  const TraceEvent* next() override { return next_ < events_.size() ? &events_[next_++] : nullptr; }
  const std::optional<Error>& fault() const override { return fault_; }

private:
  std::string file_ = "listed";
  PartEvents events_;
  std::size_t next_ = 0;
  std::optional<Error> fault_;
};

class PartEventSource : public TraceSource {
public:
  explicit PartEventSource(std::vector<PartEvents> events) : events_(std::move(events)) {
    groups_.push_back({"world", {}});
    for (int rank = 0; rank < std::ssize(events_); ++rank)
      groups_[0].members.push_back(rank);
  }
  std::unique_ptr<EventStream> open(int rank) const override {
    return std::make_unique<PartEventStream>(events_[static_cast<std::size_t>(rank)]);
  }
  std::uint64_t bytes() const override { return 1000; }
  std::vector<std::string> files() const override { return {"listed"}; }
  const std::vector<RankGroup>& communicators() const override { return groups_; }

private:
  std::vector<PartEvents> events_;
  std::vector<RankGroup> groups_;
};

// Adds the events of a rank, each on a line of its own.
class RankEvents {
public:
  RankEvents& in(std::string_view region) {
    region_ = region;
    return *this;
  }
  RankEvents& work(double seconds) { return add(ElapseEvent{Seconds{seconds}, true}, 0); }
  RankEvents& send(int to, double seconds = 0) {
    SendEvent send;
    send.to = to;
    return add(send, seconds);
  }
  RankEvents& receive(int from, double seconds = 0) {
    ReceiveEvent receive;
    receive.from = from;
    receive.tag = 0;
    return add(receive, seconds);
  }
  RankEvents& exchange(int with, double seconds = 0) {
    SendReceiveEvent both;
    both.send.to = with;
    both.receive.from = with;
    both.receive.tag = 0;
    return add(both, seconds);
  }
  RankEvents& barrier(double seconds = 0) { return add(CollectiveEvent{}, seconds); }
  operator PartEvents() const { return events_; }

private:
  template <class What> RankEvents& add(What what, double seconds) {
    events_.push_back({events_.size() + 1, Seconds{seconds}, {}, region_, what});
    return *this;
  }
  PartEvents events_;
  std::string_view region_;
};

// "work 0.5, send, receive, both, barrier": what a rank does; or the error.
std::string part_of(const std::vector<PartEvents>& ranks, const ReplayPart& part, int rank,
                    AtBorder at_border = AtBorder::left_out) {
  const auto source =
      only_part(std::make_shared<PartEventSource>(ranks), static_cast<int>(ranks.size()), "halo", part, at_border);
  if (!source)
    return to_text(source.errors().front());
  std::string text;
  const auto stream = (*source)->open(rank);
  while (const auto* event = stream->next()) {
    text += text.empty() ? "" : ", ";
    if (const auto* work = std::get_if<ElapseEvent>(&event->what))
      text += "work " + std::to_string(work->time.value).substr(0, 4);
    else
      text += std::holds_alternative<SendEvent>(event->what)          ? "send"
              : std::holds_alternative<ReceiveEvent>(event->what)     ? "receive"
              : std::holds_alternative<SendReceiveEvent>(event->what) ? "both"
                                                                      : "barrier";
  }
  for (const auto& warning : (*source)->warnings())
    text += "; " + warning;
  return text;
}

ReplayPart between(const char* from, const char* to, const char* region = "") {
  return {region, *from ? border_of(from) : std::nullopt, *to ? border_of(to) : std::nullopt};
}

std::string crossing(int messages, int of, int calls, int all) {
  return "; halo: " + std::to_string(messages) + " of " + std::to_string(of) + " messages and " +
         std::to_string(calls) + " of " + std::to_string(all) +
         " collective calls cross the border of the part, so that only some of their ranks make them in it; they are "
         "left out";
}

TEST(PartSource, CutsWorkAtItsBorders) {
  const std::vector<PartEvents> ranks{RankEvents().work(2).barrier(1).work(2), RankEvents().work(2).barrier(1).work(2)};
  EXPECT_EQ(part_of(ranks, between("1.5 s", "3.25 s"), 0), "work 0.50, barrier, work 0.25");
  EXPECT_EQ(part_of(ranks, between("0 s", "9 s"), 1), "work 2.00, barrier, work 2.00");
  EXPECT_EQ(part_of(ranks, between("2.5 s", ""), 0), "work 2.00"); // the barrier has begun before
  EXPECT_EQ(part_of(ranks, between("", "2 s"), 0), "work 2.00");
}

TEST(PartSource, LeavesOutWhatCrossesTheBorder) {
  // At 2 s the second message is on its way, and rank 1 is not in the barrier yet.
  const std::vector<PartEvents> ranks{RankEvents().send(1, 1).send(1, 0.5).barrier(1).send(1, 0),
                                      RankEvents().receive(0, 2).receive(0, 0.5).barrier(1).receive(0, 0)};
  EXPECT_EQ(part_of(ranks, between("", "2 s"), 0), "send" + crossing(1, 2, 1, 1));
  EXPECT_EQ(part_of(ranks, between("", "2 s"), 1), "receive" + crossing(1, 2, 1, 1));
  EXPECT_EQ(part_of(ranks, between("2 s", ""), 0), "send" + crossing(1, 2, 1, 1));
  EXPECT_EQ(part_of(ranks, between("2 s", ""), 1), "receive" + crossing(1, 2, 1, 1)); // the third, not the second
  EXPECT_EQ(part_of(ranks, between("2 s", ""), 1, AtBorder::kept), "receive, barrier, receive");
}

TEST(PartSource, KeepsHalfOfAnExchange) {
  const std::vector<PartEvents> ranks{RankEvents().exchange(1, 2), RankEvents().send(0, 1).receive(0, 1)};
  EXPECT_EQ(part_of(ranks, between("", "0.5 s"), 0), "receive" + crossing(1, 2, 0, 0));
  EXPECT_EQ(part_of(ranks, between("", "0.5 s"), 1), "send" + crossing(1, 2, 0, 0));
}

TEST(PartSource, TellsMessagesToItselfFromOthers) {
  const std::vector<PartEvents> ranks{RankEvents().send(0, 1).send(0, 1).receive(0, 1).receive(0, 1)};
  EXPECT_EQ(part_of(ranks, between("1 s", "3 s"), 0), "" + crossing(2, 2, 0, 0));
  EXPECT_EQ(part_of(ranks, between("0 s", "3 s"), 0), "send, receive" + crossing(1, 2, 0, 0));
}

TEST(PartSource, BeginsAndEndsWhereRanksComeToARegion) {
  const auto rank = [](double start) {
    auto events = RankEvents().work(start).barrier(1).in("step/solve").work(1).barrier(1).in("").work(3);
    return PartEvents(events.in("step").barrier(1).in("end").work(5));
  };
  const std::vector<PartEvents> ranks{rank(1), rank(2)};
  EXPECT_EQ(part_of(ranks, between("region solve", ""), 0), "work 1.00, barrier, work 3.00, barrier, work 5.00");
  EXPECT_EQ(part_of(ranks, between("region solve", "region end"), 1), "work 1.00, barrier, work 3.00, barrier");
  EXPECT_EQ(part_of(ranks, between("", "region step"), 1), "work 2.00, barrier");
  EXPECT_EQ(part_of(ranks, between("", "", "step"), 0), "work 1.00, barrier, barrier");
  EXPECT_EQ(
      part_of(ranks, between("region end", "", "step"), 0),
      "halo: no rank does anything in region step of it from region end; the rank that takes longest has 14.000000 "
      "s");
  for (const auto& part : {between("region stop", ""), between("", "region stop"), between("", "", "stop")})
    EXPECT_EQ(part_of(ranks, part, 0), "halo: got the region \"stop\", expected one of end, step, step/solve");
}

TEST(PartSource, RefusesAPartInWhichNothingIs) {
  const std::vector<PartEvents> ranks{RankEvents().work(2).barrier(1), RankEvents().work(1).barrier(2)};
  EXPECT_EQ(part_of(ranks, between("3 s", ""), 0),
            "halo: no rank does anything in it from 3 s; the rank that takes longest has 3.000000 s");
  EXPECT_EQ(part_of(ranks, between("", "", "solve"), 0),
            "halo: got the region \"solve\", expected none, as the program names no regions");
  EXPECT_EQ(part_of(ranks, between("1.5 s", "2 s"), 1), ""); // only rank 0 works there
  EXPECT_EQ(part_of(ranks, between("1.5 s", "2 s"), 0), "work 0.50");
}

TEST(PartSource, ReadsBorders) {
  EXPECT_EQ(border_of("1.5 s")->time, Seconds{1.5});
  EXPECT_EQ(border_of("region main loop")->region, "main loop");
  EXPECT_FALSE(border_of("region "));
  EXPECT_FALSE(border_of("1.5"));
  EXPECT_FALSE(border_of("-1 s"));
  EXPECT_EQ(text_of(between("1 s", "region end", "solve"), "halo"), "region solve of halo from 1 s to region end");
  EXPECT_TRUE(ends_too_early(between("1 s", "1 s")));
  EXPECT_FALSE(ends_too_early(between("1 s", "region end")));
}

} // namespace
} // namespace kakehashi
