// A recording → answers that come later than the records that ask for them. It reads ahead as far as needed and keeps
// only the answers in between.
#pragma once

#include "input/trace/recording/recording_records.hpp"

#include <unordered_map>
#include <unordered_set>

namespace kakehashi {

template <class Answer> class RecordingAhead {
public:
  explicit RecordingAhead(const std::string& file) : reader_(file) {}

  void ask(std::uint64_t number) { open_.insert(number); }
  void answer(std::uint64_t number, const Answer& answer) {
    if (open_.erase(number) > 0)
      found_.emplace(number, answer);
  }
  // `learn` calls ask() and answer() for a record. Returns nothing if there is no answer. Call it once for each number.
  template <class Learn> std::optional<Answer> take(std::uint64_t number, const Learn& learn) {
    while (!found_.contains(number)) {
      const auto record = reader_.next();
      if (!record)
        return std::nullopt;
      learn(*record);
    }
    return found_.extract(number).mapped();
  }

private:
  RecordingReader reader_;
  std::unordered_set<std::uint64_t> open_;
  std::unordered_map<std::uint64_t, Answer> found_;
};

} // namespace kakehashi
