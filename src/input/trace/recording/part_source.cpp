#include "input/trace/recording/recording_source.hpp"

#include "input/trace/recording/crossings.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace kakehashi {
namespace {

class PartStream : public EventStream {
public:
  PartStream(std::unique_ptr<EventStream> all, int rank, const ReplayPart& part, const Crossings* crossings)
      : all_(std::move(all)), cursor_(part), numbers_(rank), crossings_(crossings) {}

  const std::string& file() const override { return all_->file(); }
  std::string_view unit() const override { return all_->unit(); }
  const std::optional<Error>& fault() const override { return all_->fault(); }
  const TraceEvent* next() override {
    while (const auto* event = all_->next()) {
      const auto share = cursor_.share_of(*event);
      const auto ends = crossings_ ? numbers_.next(*event) : CallNumbers::Ends{};
      if (share <= 0)
        continue;
      if (share < 1)
        return shortened(*event, share);
      const bool keeps_send = !ends.send || crossings_->is_whole(ends.send->sequence, ends.send->number);
      const bool keeps_receive = !ends.receive || crossings_->is_whole(ends.receive->sequence, ends.receive->number);
      if (keeps_send && keeps_receive)
        return event;
      const auto* both = std::get_if<SendReceiveEvent>(&event->what);
      if (both && keeps_send)
        return with(*event, both->send);
      if (both && keeps_receive)
        return with(*event, both->receive);
    }
    return nullptr;
  }

private:
  template <class What> const TraceEvent* with(const TraceEvent& event, What what) {
    event_ = {event.line, event.recorded, event.site, event.region, std::move(what)};
    return &event_;
  }
  const TraceEvent* shortened(const TraceEvent& event, double share) {
    auto elapse = std::get<ElapseEvent>(event.what);
    elapse.time = share * elapse.time;
    return with(event, elapse);
  }

  std::unique_ptr<EventStream> all_;
  PartCursor cursor_;
  CallNumbers numbers_;
  const Crossings* crossings_; // null: nothing is left out
  TraceEvent event_;
};

class PartSource : public TraceSource {
public:
  PartSource(std::shared_ptr<const TraceSource> all, ReplayPart part, std::optional<Crossings> crossings,
             std::vector<std::string> warnings)
      : all_(std::move(all)), part_(std::move(part)), crossings_(std::move(crossings)), warnings_(std::move(warnings)) {
  }

  std::unique_ptr<EventStream> open(int rank) const override {
    return std::make_unique<PartStream>(all_->open(rank), rank, part_, crossings_ ? &*crossings_ : nullptr);
  }
  std::uint64_t bytes() const override { return all_->bytes(); }
  std::vector<std::string> files() const override { return all_->files(); }
  const std::vector<RankGroup>& communicators() const override { return all_->communicators(); }
  const std::vector<std::string>& warnings() const override { return warnings_; }
  bool is_cut() const override { return all_->is_cut(); }

private:
  std::shared_ptr<const TraceSource> all_;
  ReplayPart part_;
  std::optional<Crossings> crossings_;
  std::vector<std::string> warnings_;
};

// A survey of all ranks' events, and of those in the part.
struct PartSurvey {
  Crossings crossings;
  std::set<std::string, std::less<>> regions;
  Seconds time; // time of the slowest rank
  bool is_empty = true;
};

std::optional<Error> read_rank(EventStream& stream, int rank, const ReplayPart& part, PartSurvey& survey) {
  PartCursor cursor(part);
  CallNumbers numbers(rank);
  Crossings::Calls sends, receives;
  const auto keep = [](Crossings::Calls& calls, const std::optional<CallNumbers::Numbered>& call) {
    if (call)
      calls[call->sequence].add(call->number, call->number + 1);
  };
  while (const auto* event = stream.next()) {
    const auto share = cursor.share_of(*event);
    const auto ends = numbers.next(*event);
    if (!event->region.empty() && !survey.regions.contains(event->region))
      survey.regions.emplace(event->region);
    if (share <= 0)
      continue;
    survey.is_empty = false;
    keep(sends, ends.send);
    keep(receives, ends.receive);
  }
  survey.crossings.add(sends);
  survey.crossings.add(receives);
  survey.time = std::max(survey.time, cursor.time());
  return stream.fault();
}

// Finds a region that the part names and no rank comes to.
std::optional<Error> unknown_region(const std::string& file, const ReplayPart& part, const PartSurvey& survey) {
  const auto known = survey.regions.empty() ? std::string("none, as the program names no regions")
                                            : fmt::format("one of {}", fmt::join(survey.regions, ", "));
  const auto is_known = [&](const std::string& name) {
    return std::ranges::any_of(survey.regions, [&](const std::string& each) { return is_in_region(each, name); });
  };
  for (const auto& name : {part.region, part.from ? part.from->region : "", part.to ? part.to->region : ""})
    if (!name.empty() && !is_known(name))
      return file_error(ErrorKind::input, file, mismatch(fmt::format("the region {}", in_quotes(name)), known));
  return std::nullopt;
}

Error empty_part(const std::string& file, const ReplayPart& part, const PartSurvey& survey) {
  return file_error(ErrorKind::input, file,
                    fmt::format("no rank does anything in {}; the rank that takes longest has {:.6f} s",
                                text_of(part, "it"), survey.time.value));
}

std::string warning_of(const std::string& file, const Crossings& crossings) {
  const auto all_messages = crossings.messages() + crossings.whole_messages();
  const auto all_calls = crossings.collectives() + crossings.whole_collectives();
  return fmt::format("{}: {} of {} messages and {} of {} collective calls cross the border of the part, so that only "
                     "some of their ranks make them in it; they are left out",
                     file, crossings.messages(), all_messages, crossings.collectives(), all_calls);
}

} // namespace

Result<std::shared_ptr<const TraceSource>> only_part(std::shared_ptr<const TraceSource> source, int ranks,
                                                     const std::string& file, const ReplayPart& part,
                                                     AtBorder at_border) {
  PartSurvey survey;
  for (int rank = 0; rank < ranks; ++rank)
    if (auto fault = read_rank(*source->open(rank), rank, part, survey))
      return *fault;
  if (auto error = unknown_region(file, part, survey))
    return *error;
  if (survey.is_empty)
    return empty_part(file, part, survey);
  std::vector<std::size_t> members;
  for (const auto& communicator : source->communicators())
    members.push_back(communicator.members.size());
  survey.crossings.finish(members);
  auto warnings = source->warnings();
  const bool leaves_out = at_border == AtBorder::left_out && survey.crossings.are_there();
  if (leaves_out)
    warnings.push_back(warning_of(file, survey.crossings));
  return std::shared_ptr<const TraceSource>(std::make_shared<PartSource>(
      std::move(source), part, leaves_out ? std::optional(std::move(survey.crossings)) : std::nullopt,
      std::move(warnings)));
}

std::optional<Error> timeless_part(const std::string& folder, const ReplayPart& part) {
  if (!part.has_times())
    return std::nullopt;
  return file_error(ErrorKind::input, folder,
                    "work is counted in instructions here, so nobody knows when something was; the borders of a part "
                    "can be regions: \"region NAME\"");
}

Result<OpenedRecording> open_part(const std::string& folder, const ReplayPart& part) {
  auto recording = open_recording(folder);
  if (!recording || part.is_all())
    return recording;
  if (recording->counts_instructions)
    if (auto error = timeless_part(folder, part))
      return *error;
  auto source = only_part(std::move(recording->source), recording->ranks, folder, part, AtBorder::left_out);
  if (!source)
    return source.errors();
  recording->source = std::move(*source);
  return recording;
}

} // namespace kakehashi
