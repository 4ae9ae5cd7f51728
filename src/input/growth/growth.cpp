#include "input/growth/growth.hpp"

#include "input/growth/doubling_plan.hpp"
#include "input/growth/growth_parts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

// Reports ranks that have the same neighbours but make different calls.
std::optional<Error> unlike_ranks(const SurveyedSize& size) {
  std::array<int, rank_kinds> first{};
  first.fill(-1);
  for (int rank = 0; rank < size.grid.ranks(); ++rank) {
    auto& known = first[static_cast<std::size_t>(kind_of(size.grid, rank))];
    if (known < 0)
      known = rank;
    const auto& one = size.ranks[static_cast<std::size_t>(known)];
    const auto& other = size.ranks[static_cast<std::size_t>(rank)];
    if (one.pattern != other.pattern)
      return file_error(
          ErrorKind::input, size.recording.name,
          fmt::format("it cannot be grown: ranks {} and {} have the same neighbours on {} ranks and make other "
                      "calls ({} and {} of them)",
                      known, rank, text_of(size.grid), one.calls, other.calls));
  }
  return std::nullopt;
}

std::string names_of(const GrowthBasis& basis) {
  std::vector<std::string> others;
  for (const auto& size : basis.smaller)
    others.push_back(size.recording.name);
  return fmt::format("{} ranks from {} ({}){}{}", text_of(basis.grid), basis.recorded.recording.name,
                     text_of(basis.recorded.grid), others.empty() ? "" : " and ", fmt::join(others, ", "));
}

RankCalls sum_of(const std::vector<RankCalls>& ranks) {
  RankCalls all;
  for (const auto& rank : ranks) {
    all.messages += rank.messages;
    all.bytes += rank.bytes;
    all.collective_calls += rank.collective_calls;
    all.collective_bytes += rank.collective_bytes;
    all.work += rank.work;
  }
  return all;
}

// The largest recording comes first.
Errors survey_all(const std::vector<RecordedSize>& recordings, GrowthBasis& basis) {
  basis.smaller.clear();
  for (const auto& recording : recordings) {
    const bool is_largest = &recording == &recordings.front();
    if (!is_largest && recording.ranks == (&recording - 1)->ranks)
      return {file_error(ErrorKind::input, recording.name,
                         fmt::format("it has {} ranks, as {} has", recording.ranks, (&recording - 1)->name))};
    auto size = survey_size(recording, is_largest ? 0 : basis.recorded.grid.axes());
    if (!size)
      return size.errors();
    if (const auto error = unlike_ranks(*size))
      return {*error};
    if (is_largest)
      basis.recorded = std::move(*size);
    else
      basis.smaller.push_back(std::move(*size));
  }
  return {};
}

std::optional<Error> missing_kind(const GrowthBasis& basis) {
  const auto& largest = basis.recorded;
  for (int rank = 0; rank < basis.grid.ranks(); ++rank)
    if (!has_kind(largest.grid, basis.grid, rank))
      return file_error(ErrorKind::input, largest.recording.name,
                        fmt::format("none of its {} ranks is inside on an axis on which rank {} of {} is; the largest "
                                    "recording needs three ranks on each axis",
                                    text_of(largest.grid), rank, text_of(basis.grid)));
  return std::nullopt;
}

// Gives all recordings as many repetitions of their loops as the larger job has.
Errors change_loops(GrowthBasis& basis, std::vector<std::string>& texts) {
  std::vector<const SurveyedSize*> sizes{&basis.recorded};
  for (const auto& size : basis.smaller)
    sizes.push_back(&size);
  auto looped = with_loops_of(sizes, basis.grid.ranks());
  std::ranges::move(looped.texts, std::back_inserter(texts));
  return looped.recordings.empty() ? Errors{} : survey_all(looped.recordings, basis);
}

// The largest recording comes first.
Result<GrownJob> grow_on_grid(const std::vector<RecordedSize>& recordings, int ranks, const std::vector<int>& sides) {
  GrowthBasis basis;
  if (const auto errors = survey_all(recordings, basis); !errors.empty())
    return errors;
  const auto found = grown_grid(basis, ranks, sides);
  if (!found)
    return found.errors();
  basis.grid = found->grid;
  if (const auto error = missing_kind(basis))
    return *error;
  if (const auto error = unmatched_messages(basis.recorded, basis.grid))
    return *error;
  std::vector<std::string> texts{
      fmt::format("{}: each does what the one with the same neighbours did", names_of(basis))};
  if (!found->text.empty())
    texts.push_back(found->text);
  if (const auto errors = change_loops(basis, texts); !errors.empty())
    return errors;
  std::ranges::move(find_changes(basis), std::back_inserter(texts));
  if (std::ranges::all_of(basis.recorded.grid.extent, [](int length) { return length <= 3; }))
    texts.push_back(
        fmt::format("{}: it has no two ranks with the same neighbours, so nothing shows that such ranks do the "
                    "same; four ranks on an axis would",
                    basis.recorded.recording.name));
  for (const auto& recording : recordings)
    std::ranges::copy(recording.source->warnings(), std::back_inserter(texts));
  const auto text = names_of(basis);
  return GrownJob{grown_source(std::move(basis), std::move(texts)), text, true};
}

// Returns the calls of each rank, without a grid. Patterns are equal if all partners are.
std::vector<RankCalls> raw_calls(const RecordedSize& recording) {
  std::vector<RankCalls> all(static_cast<std::size_t>(recording.ranks));
  read_all(recording, [&](int rank, const TraceEvent& event) {
    auto& calls = all[static_cast<std::size_t>(rank)];
    count_event(event, calls);
    for (const auto& part : parts_of(event))
      calls.pattern += hash_of_numbers(event.what.index(), part.tag, part.context, part.peer.value_or(-1));
  });
  return all;
}

GrowthError difference(const std::string& text, const std::vector<RankCalls>& grown,
                       const std::vector<RankCalls>& recorded) {
  GrowthError error{text, sum_of(grown), sum_of(recorded), 0};
  for (std::size_t rank = 0; rank < recorded.size(); ++rank)
    error.unlike += grown[rank].pattern != recorded[rank].pattern;
  return error;
}

} // namespace

Result<GrownJob> grow(std::vector<RecordedSize> recordings, int ranks, const std::vector<int>& sides) {
  std::ranges::sort(recordings, std::greater{}, &RecordedSize::ranks);
  auto job = grow_on_grid(recordings, ranks, sides);
  const auto is_power = [](int number) { return std::has_single_bit(static_cast<unsigned>(number)); };
  if (job || !sides.empty() || !is_power(ranks) ||
      std::ranges::count_if(recordings, is_power, &RecordedSize::ranks) < 2)
    return job;
  auto doubled = grow_by_doubling(recordings, ranks);
  if (doubled)
    return doubled;
  auto errors = job.errors();
  std::ranges::copy(doubled.errors(), std::back_inserter(errors));
  return errors;
}

Result<GrowthError> held_out(std::vector<RecordedSize> recordings) {
  std::ranges::sort(recordings, {}, &RecordedSize::ranks);
  const auto largest = recordings.back();
  recordings.pop_back();
  const auto job = grow(std::move(recordings), largest.ranks);
  if (!job)
    return job.errors();
  const RecordedSize grown{job->text, job->source, largest.ranks};
  if (job->is_on_grid) {
    const auto size = survey_size(largest, 0);
    if (!size)
      return size.errors();
    if (const auto error = unlike_ranks(*size))
      return *error;
    const auto grown_size = survey_size(grown, size->grid.axes());
    if (grown_size && grown_size->grid == size->grid)
      return difference(job->text, grown_size->ranks, size->ranks);
  }
  return difference(job->text, raw_calls(grown), raw_calls(largest));
}

} // namespace kakehashi
