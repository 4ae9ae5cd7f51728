// What the records of a rank ask for, and the answers that come later: reads ahead of who asks, and keeps no more than
// the answers in between.
#pragma once

#include "input/trace/recording_records.hpp"

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
  // learn(record): asks and answers as the record does. Nothing: there is no answer. Once for each number.
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
