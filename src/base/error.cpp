#include "base/error.hpp"

#include "base/interrupt.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace kakehashi {
namespace {

// Damerau's variant of the edit distance: swapping two neighbours counts once.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

} // namespace

Error input_error(std::string file, std::string place, std::string message, std::string suggestion) {
  return {ErrorKind::input, std::move(file), std::move(place), std::move(message), std::move(suggestion)};
}

Error file_error(ErrorKind kind, std::string file, std::string message) {
  return {kind, std::move(file), "", std::move(message), ""};
}

Error usage_error(std::string message, std::string suggestion) {
  return {ErrorKind::usage, "", "", std::move(message), std::move(suggestion)};
}

Error run_error(std::string message) {
  return {ErrorKind::run, "", "", std::move(message), ""};
}

Error system_error(std::string message) {
  return {ErrorKind::system, "", "", std::move(message), ""};
}

std::string mismatch(std::string_view found, std::string_view expected) {
  return fmt::format("got {}, expected {}", found, expected);
}

std::string to_text(const Error& error) {
  std::string text;
  if (!error.file.empty())
    text += printable(error.file) + ": ";
  if (!error.place.empty())
    text += printable(error.place) + ": ";
  text += printable_lines(error.message);
  if (!error.suggestion.empty())
    text += fmt::format(" (did you mean \"{}\"?)", printable(error.suggestion));
  return text;
}

int exit_code(std::span<const Error> errors) {
  if (std::ranges::find(errors, ErrorKind::interrupt, &Error::kind) != errors.end())
    return interrupt_exit;
  const auto is_run = [](const Error& error) {
    return error.kind == ErrorKind::run || error.kind == ErrorKind::system;
  };
  return std::all_of(errors.begin(), errors.end(), is_run) ? 1 : 2;
}

std::string closest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  if (word.size() > 100)
    return best;
  for (const auto& candidate : candidates) {
    const auto distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  if (!best.empty() || word.size() < 3)
    return best;
  const auto end = "-" + in_lower_case(word); // "alltoall" of "imb-alltoall"
  const auto found = std::ranges::find_if(candidates, [&](const std::string& each) { return each.ends_with(end); });
  return found == candidates.end() ? best : *found;
}

} // namespace kakehashi
