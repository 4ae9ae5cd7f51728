// A recording and what changes in it → a source whose streams make these changes.
#pragma once

#include "model/trace_event.hpp"

namespace kakehashi {

struct ChangedRecording {
  std::shared_ptr<const TraceSource> source; // the recording
  int recorded_ranks = 0;
  int ranks = 0;
  std::vector<RankGroup> groups;
  std::vector<std::string> warnings;
  std::vector<std::string> other_files{}; // that the changes come from
};

// A stream is made of the changes, which all ranks share, and a rank. `Changes` is a ChangedRecording with more
// members.
template <class Changes, class Stream> class ChangedSource : public TraceSource {
public:
  explicit ChangedSource(Changes changes) : changes_(std::make_shared<const Changes>(std::move(changes))) {}

  std::unique_ptr<EventStream> open(int rank) const override { return std::make_unique<Stream>(changes_, rank); }
  std::uint64_t bytes() const override {
    return changes_->source->bytes() / static_cast<std::uint64_t>(changes_->recorded_ranks) *
           static_cast<std::uint64_t>(changes_->ranks);
  }
  std::vector<std::string> files() const override {
    auto files = changes_->source->files();
    files.insert(files.end(), changes_->other_files.begin(), changes_->other_files.end());
    return files;
  }
  const std::vector<RankGroup>& communicators() const override { return changes_->groups; }
  const std::vector<std::string>& warnings() const override { return changes_->warnings; }
  bool is_cut() const override { return changes_->source->is_cut(); }
  std::string communicator_advice() const override { return changes_->source->communicator_advice(); }

private:
  std::shared_ptr<const Changes> changes_;
};

} // namespace kakehashi
