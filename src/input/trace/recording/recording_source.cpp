#include "input/trace/recording/recording_source.hpp"

#include "input/trace/recording/recording_events.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

class RecordingStream : public EventStream {
public:
  RecordingStream(std::string file, std::shared_ptr<const RecordingSurvey> survey, int rank)
      : events_(std::move(file), std::move(survey), rank) {}

  const std::string& file() const override { return events_.file(); }
  std::string_view unit() const override { return "record"; }
  const std::optional<Error>& fault() const override { return fault_; }
  const TraceEvent* next() override {
    auto event = events_.next();
    if (!event) {
      fault_ = events_.fault();
      return nullptr;
    }
    event_ = std::move(*event);
    return &event_;
  }

private:
  RecordingEvents events_;
  TraceEvent event_;
  std::optional<Error> fault_;
};

class Recording : public TraceSource {
public:
  Recording(std::string folder, RecordingSurvey survey)
      : folder_(std::move(folder)), survey_(std::make_shared<const RecordingSurvey>(std::move(survey))) {
    for (std::size_t i = 0; i < survey_->communicators.size(); ++i)
      communicators_.push_back(
          {i == 0 ? "world" : fmt::format("communicator {}", i), survey_->communicators[i].members});
  }

  std::unique_ptr<EventStream> open(int rank) const override {
    return std::make_unique<RecordingStream>(recording_file(folder_, rank), survey_, rank);
  }
  std::uint64_t bytes() const override {
    constexpr std::uint64_t bytes_of_call = 20; // about the size of a call as text
    return bytes_of_call * survey_->calls;
  }
  std::vector<std::string> files() const override {
    std::vector<std::string> files;
    for (int rank = 0; rank < survey_->start.ranks; ++rank)
      files.push_back(recording_file(folder_, rank));
    return files;
  }
  const std::vector<RankGroup>& communicators() const override { return communicators_; }
  const std::vector<std::string>& warnings() const override { return survey_->warnings; }
  bool is_cut() const override { return survey_->is_cut; }

private:
  std::string folder_;
  std::shared_ptr<const RecordingSurvey> survey_;
  std::vector<RankGroup> communicators_;
};

} // namespace

std::shared_ptr<const TraceSource> source_of(const std::string& folder, RecordingSurvey survey) {
  return std::make_shared<const Recording>(folder, std::move(survey));
}

Result<OpenedRecording> open_recording(const std::string& folder) {
  auto survey = survey_recording(folder);
  if (!survey)
    return survey.errors();
  if (!survey->unfit.empty())
    return file_error(ErrorKind::input, folder, "it cannot be replayed: " + survey->unfit);
  const bool counts_instructions = survey->start.unit == WorkUnit::instructions;
  const int ranks = survey->start.ranks;
  auto program = survey->start.program;
  return OpenedRecording{source_of(folder, std::move(*survey)), ranks, std::move(program), counts_instructions};
}

} // namespace kakehashi
