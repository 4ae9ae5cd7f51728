#include "input/growth/growth_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <span>
#include <utility>

namespace kakehashi {
namespace {

// What a rank exchanges with another one, or with nobody in particular, in a communicator.
struct Contact {
  std::uint64_t line = 0;  // line of the first call
  std::uint64_t calls = 0; // equal if these are the same; sizes and collective operations may differ
  double weight = 0;       // messages and their bytes
};
// Of each rank, by the other one and the communicator.
using Contacts = std::vector<std::map<std::pair<std::optional<int>, std::size_t>, Contact>>;

void add_contact(const CallPart& part, const TraceEvent& event, Contact& contact) {
  if (contact.line == 0)
    contact.line = event.line;
  contact.calls += hash_of_numbers(event.what.index(), part.tag);
  contact.weight += part.is_message ? 1 + static_cast<double>(part.bytes) : 0;
}

std::optional<std::vector<GridLine>> lines_on(const Grid& grid, const std::vector<RankGroup>& groups) {
  std::vector<GridLine> lines;
  std::map<std::pair<unsigned, int>, std::size_t> turns;
  for (const auto& group : groups) {
    GridLine line;
    if (group.members.empty())
      return std::nullopt;
    const auto first = grid.place_of(group.members.front());
    for (const auto member : group.members)
      for (std::size_t axis = 0; axis < grid_axes; ++axis)
        if (grid.place_of(member)[axis] != first[axis])
          line.along |= 1u << axis;
    if (group.members != ranks_on(grid, line, group.members.front()))
      return std::nullopt;
    line.turn = turns[{line.along, group.members.front()}]++;
    lines.push_back(line);
  }
  return lines;
}

struct StrayContact {
  int rank = 0;
  int peer = 0;
  std::uint64_t line = 0;
};

// Returns the first rank that names a rank other than its neighbours and the first and last of all.
std::optional<StrayContact> misfit_on(const Grid& grid, const Contacts& contacts) {
  for (std::size_t rank = 0; rank < contacts.size(); ++rank)
    for (const auto& [whom, contact] : contacts[rank])
      if (const auto peer = whom.first;
          peer && *peer != 0 && *peer != grid.ranks() - 1 && !step_between(grid, static_cast<int>(rank), *peer))
        return StrayContact{static_cast<int>(rank), *peer, contact.line};
  return std::nullopt;
}

// Whether ranks with the same neighbours make the same calls.
bool has_alike(const RecordedGrid& found, const Contacts& contacts) {
  std::map<int, std::uint64_t> first; // calls of a rank, by kind
  for (int rank = 0; rank < found.grid.ranks(); ++rank) {
    std::uint64_t calls = 0;
    for (const auto& [whom, contact] : contacts[static_cast<std::size_t>(rank)]) {
      const auto line = found.lines.empty() ? GridLine{} : found.lines[whom.second % found.lines.size()];
      const auto relation = whom.first ? relation_of(found.grid, rank, *whom.first) : relations;
      calls += hash_of_numbers(relation, line.along, line.turn) * contact.calls;
    }
    if (first.try_emplace(kind_of(found.grid, rank), calls).first->second != calls)
      return false;
  }
  return true;
}

// How many axes messages go along, each as often as it has bytes.
double axes_to_go(const Grid& grid, const Contacts& contacts) {
  double sum = 0;
  for (std::size_t rank = 0; rank < contacts.size(); ++rank)
    for (const auto& [whom, contact] : contacts[rank])
      if (whom.first) {
        const auto step = step_between(grid, static_cast<int>(rank), *whom.first);
        const auto axes = step ? grid_axes - static_cast<std::size_t>(std::ranges::count(*step, 0)) : grid_axes;
        sum += static_cast<double>(axes) * contact.weight;
      }
  return sum;
}

Error no_grid(const RecordedSize& recording, const Contacts& contacts, std::size_t axes) {
  for (const std::size_t count : {std::size_t{3}, std::size_t{2}, std::size_t{1}})
    for (const auto& grid : grids_of(recording.ranks, axes > 0 ? axes : count)) {
      const auto found = misfit_on(grid, contacts);
      return file_error(
          ErrorKind::input, recording.name,
          fmt::format("its ranks are on no grid{}, so it cannot be grown: {}",
                      axes > 0 ? fmt::format(" of {} as those of the largest recording", axes_text(axes)) : "",
                      found ? fmt::format("rank {} calls rank {} (record {}), which is no neighbour even on "
                                          "{} x {} x {} ranks",
                                          found->rank, found->peer, found->line, grid.extent[0], grid.extent[1],
                                          grid.extent[2])
                            : "a communicator has ranks that are on no line or plane of it"));
    }
  return file_error(ErrorKind::input, recording.name,
                    fmt::format("it cannot be grown: no grid of {} has {}", axes > 0 ? axes_text(axes) : "any axes",
                                counted(static_cast<std::size_t>(recording.ranks), "rank")));
}

int sum_of_sides(const Grid& grid) {
  return std::accumulate(grid.extent.begin(), grid.extent.end(), 0);
}
bool is_falling(const Grid& grid) {
  return std::ranges::is_sorted(std::span(grid.extent).first(grid.axes()), std::greater{});
}
bool is_rising(const Grid& grid) {
  return std::ranges::is_sorted(std::span(grid.extent).first(grid.axes()));
}
bool is_most_cubic(const Grid& grid) {
  return sum_of_sides(grid) == sum_of_sides(grids_of(grid.ranks(), grid.axes()).front());
}
bool is_even(const Grid& grid) {
  return is_falling(grid) && is_rising(grid);
}

// How far the proportions of a grid are from those of another one: 1 if they are the same.
double stretch_of(const Grid& grid, const Grid& other) {
  std::array<double, grid_axes> factors{};
  for (std::size_t axis = 0; axis < grid_axes; ++axis)
    factors[axis] = 1.0 * grid.extent[axis] / other.extent[axis];
  const auto [least, most] = std::ranges::minmax(std::span(factors).first(other.axes()));
  return most / least;
}

std::vector<const SurveyedSize*> sizes_of(const GrowthBasis& basis) {
  std::vector<const SurveyedSize*> sizes{&basis.recorded};
  for (const auto& size : basis.smaller)
    sizes.push_back(&size);
  return sizes;
}

// Returns the grid that is most like those of the recordings: it has what all of these have, and the proportions of the
// largest.
std::optional<Grid> alike_grid(const GrowthBasis& basis, std::vector<Grid> grids) {
  const auto keep_if_all = [&](bool (*has)(const Grid&)) {
    const auto sizes = sizes_of(basis);
    const bool all = std::ranges::all_of(sizes, [&](const auto* size) { return has(size->grid); });
    if (all)
      std::erase_if(grids, [&](const Grid& grid) { return !has(grid); });
    return all;
  };
  if (!keep_if_all(is_falling))
    keep_if_all(is_rising);
  keep_if_all(is_most_cubic);
  std::optional<Grid> best;
  for (const auto& grid : grids)
    if (!best || stretch_of(grid, basis.recorded.grid) < stretch_of(*best, basis.recorded.grid))
      best = grid;
  return best;
}

std::string numbering_text(const GrowthBasis& basis, const Grid& grid) {
  if (is_even(grid))
    return "";
  for (const auto* size : sizes_of(basis))
    if (!is_even(size->grid))
      return fmt::format("ranks are numbered along the last axis of {} first, as along that of {} in {}; \"grid\" "
                         "states another grid",
                         text_of(grid), text_of(size->grid), size->recording.name);
  return fmt::format("ranks are taken to be numbered along the last axis of {} first, as MPI_Dims_create and "
                     "MPI_Cart_create do, for axes are equally long in all recordings; \"grid\" states another grid",
                     text_of(grid));
}

} // namespace

Result<RecordedGrid> recorded_grid(const RecordedSize& recording, std::size_t axes) {
  Contacts contacts(static_cast<std::size_t>(recording.ranks));
  const auto& groups = recording.source->communicators();
  const auto errors = read_all(recording, [&](int rank, const TraceEvent& event) {
    for (const auto& part : parts_of(event))
      add_contact(part, event, contacts[static_cast<std::size_t>(rank)][{part.peer, part.context}]);
  });
  if (!errors.empty())
    return errors;
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    std::optional<RecordedGrid> best;
    std::pair<bool, double> least;
    for (const auto& grid : axes == 0 || axes == count ? grids_of(recording.ranks, count) : std::vector<Grid>{}) {
      auto lines = misfit_on(grid, contacts) ? std::nullopt : lines_on(grid, groups);
      if (!lines)
        continue;
      RecordedGrid found{grid, std::move(*lines)};
      const std::pair order{!has_alike(found, contacts), axes_to_go(grid, contacts)};
      if (!best || order < least) {
        best = std::move(found);
        least = order;
      }
    }
    if (best)
      return std::move(*best);
  }
  return no_grid(recording, contacts, axes);
}

Result<GrownGrid> grown_grid(const GrowthBasis& basis, int ranks, const std::vector<int>& stated) {
  const auto& recorded = basis.recorded.grid;
  auto grids = grids_of(ranks, recorded.axes());
  std::erase_if(grids, [&](const Grid& grid) {
    const auto sides = std::span(grid.extent).first(grid.axes());
    return grid.is_halved != recorded.is_halved || (!stated.empty() && !std::ranges::equal(sides, stated));
  });
  if (!stated.empty() && !grids.empty())
    return GrownGrid{grids.front(), ""};
  if (const auto grid = alike_grid(basis, std::move(grids)))
    return GrownGrid{*grid, numbering_text(basis, *grid)};
  const auto& name = basis.recorded.recording.name;
  const auto axes = axes_text(recorded.axes());
  if (stated.empty())
    return file_error(
        ErrorKind::input, name,
        fmt::format("no grid of {}, as its own, has {}", axes, counted(static_cast<std::size_t>(ranks), "rank")));
  return file_error(ErrorKind::input, name,
                    mismatch(fmt::format("the \"grid\" {}", fmt::join(stated, " x ")),
                             fmt::format("one of {}{}, as its own", axes,
                                         recorded.is_halved ? " that are equally long powers of two" : "")));
}

} // namespace kakehashi
