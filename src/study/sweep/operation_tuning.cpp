#include "study/sweep/operation_tuning.hpp"

#include "workload/benchmark/benchmark.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace kakehashi {
namespace {

constexpr std::uint64_t usual_sizes[] = {8, 4096, 1 << 20};
constexpr std::uint64_t most_in_all = 64 << 20; // bytes of all blocks, for the usual sizes
constexpr double far_behind = 4;                // factor of the best time
constexpr double within_noise = 1.02;           // factor of the best time, which another order of events may change
constexpr std::uint64_t widest_gap = 16;        // ratio of two neighbouring sizes
constexpr double worth_a_run = 1.05;            // smaller gains are not worth a measurement
constexpr double sure_enough = 0.9;

std::string osu_name(Collective collective) {
  return "osu-" + std::string(row_of(collective).name);
}

std::uint64_t between(std::uint64_t low, std::uint64_t high) {
  const auto middle = std::sqrt(static_cast<double>(low) * static_cast<double>(high));
  const auto power = std::bit_floor(static_cast<std::uint64_t>(middle));
  return power > low && power < high ? power : static_cast<std::uint64_t>(middle);
}

// Interpolates between the points at x; beyond them it returns the last one's value.
double between_of(const std::map<double, double>& points, double x) {
  const auto high = points.lower_bound(x);
  if (high == points.begin())
    return high->second;
  const auto low = std::prev(high);
  if (high == points.end())
    return low->second;
  return std::lerp(low->second, high->second, (x - low->first) / (high->first - low->first));
}

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const auto half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : std::midpoint(values[half - 1], values[half]);
}

} // namespace

OperationTuning::OperationTuning(const Scenario& scenario, Collective collective, std::size_t placement, int ranks,
                                 const TuneRequest& request)
    : scenario_(scenario), collective_(collective), placement_(placement), ranks_(ranks), request_(request) {
  scenario_.ranks.resize(static_cast<std::size_t>(ranks));
  scenario_.mpi.algorithms[static_cast<std::size_t>(collective)] = std::nullopt;
  auto& benchmark = std::get<Benchmark>(scenario_.workload);
  benchmark.name = osu_name(collective);
  benchmark.root = std::nullopt;
  begin_together(benchmark);
  place_ = make_place(*scenario_.platform, scenario_.ranks, scenario_.mpi);
  for (const auto size : first_sizes())
    add(size, nullptr, nullptr);
}

void OperationTuning::open(const Take& take) {
  for (auto& [size, cell] : cells_)
    for (auto& entry : cell.entries)
      if (fresh_.contains(size))
        take(key(size, entry), with(size, entry), entry.time);
  fresh_.clear();
}

bool OperationTuning::has_failed() const {
  return std::ranges::any_of(cells_, [](const auto& each) { return !each.second.entry(each.second.usual).time; });
}

void OperationTuning::refine() {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> gaps;
  for (auto high = cells_.begin(), low = high++; high != cells_.end(); low = high++)
    if (high->first >= 2 * std::max<std::uint64_t>(low->first, 1) + 1)
      gaps.emplace_back(low->first, high->first);
  for (const auto& [low, high] : gaps)
    if (const auto& [a, b] = std::tie(cells_.at(low), cells_.at(high)); differ(low, a, high, b))
      add(between(low, high), &a, &b);
}

Blocks OperationTuning::blocks_of(std::uint64_t size) const {
  return call_of(collective_, {size}, ranks_).blocks;
}

TunedOperation OperationTuning::operation() const {
  return {collective_, placement_, ranks_, request_.margin.value_or(typical_factor(collective_) - 1), {}};
}

std::set<std::string> OperationTuning::correct(const Tuning& tuning) {
  std::set<std::string> used;
  std::map<std::string, std::map<double, double>> factors; // factors by name and size; logarithms
  std::vector<double> all;
  const auto own = operation();
  for (auto& [size, cell] : cells_)
    for (auto& entry : cell.entries)
      for (const auto& name : {entry.name == cell.usual ? std::string() : entry.name, entry.name}) {
        const auto found = request_.measured.find(confirming_file(tuning, own, size, name));
        if (found == request_.measured.end() || !entry.time)
          continue;
        used.insert(found->first);
        if (entry.basis == Basis::measured)
          continue;
        all.push_back(std::log(found->second / *entry.time));
        factors[entry.name][std::log1p(static_cast<double>(size))] = all.back();
        entry.time = found->second;
        entry.basis = Basis::measured;
      }
  if (all.empty())
    return used;
  const auto usual = median_of(std::move(all));
  for (auto& [size, cell] : cells_)
    for (auto& entry : cell.entries)
      if (entry.time && entry.basis != Basis::measured) {
        const auto known = factors.find(entry.name);
        const bool is_known = known != factors.end();
        const auto factor = is_known ? between_of(known->second, std::log1p(static_cast<double>(size))) : usual;
        entry.time = std::exp(factor) * *entry.time;
        entry.basis = is_known ? Basis::corrected : Basis::shifted;
      }
  return used;
}

TunedSize OperationTuning::tuned(std::uint64_t size, const Cell& cell, const std::string& before) const {
  const auto& usual = cell.entry(cell.usual);
  const auto blocks = blocks_of(size);
  const auto margin = operation().margin;
  TunedSize tuned;
  tuned.size = size;
  tuned.all = blocks.total().count;
  tuned.block = measured_bytes(collective_, blocks, Measure::block);
  tuned.usual = usual.timed();
  tuned.best = cell.best().timed();
  tuned.chosen = tuned.usual;
  if (!cell.of_file.empty() && cell.entry(cell.of_file).time)
    tuned.of_file = cell.entry(cell.of_file).timed();
  const auto* taken = with_form(cell, before);
  if (!taken)
    return tuned;
  const bool are_measured = taken->basis == Basis::measured && usual.basis == Basis::measured;
  const double ratio = *usual.time / *taken->time;
  const auto setting = setting_of(place_->library.selector, collective_, taken->form->choice, request_.release);
  if (taken->name != usual.name && ratio >= (are_measured ? within_noise : 1 + margin)) {
    tuned.is_changed = true;
    tuned.chosen = taken->timed();
    tuned.form = *taken->form;
    tuned.setting = setting;
  }
  if (ratio >= worth_a_run && !are_measured && certainty(collective_, ratio - 1) < sure_enough && !setting.empty())
    tuned.rival = TunedRival{taken->timed(), setting};
  return tuned;
}

TunedOperation OperationTuning::result() const {
  auto operation = this->operation();
  std::string before; // the choice at the previous size
  for (const auto& [size, cell] : cells_) {
    operation.sizes.push_back(tuned(size, cell, before));
    const auto& last = operation.sizes.back();
    before = last.is_changed ? last.chosen.name : "";
  }
  return operation;
}

// Only the first iteration of each choice counts, and all ranks enter it at about the same time. In a loop they leave
// the library's barrier one after the other, and a tree that matches this order would seem to cost almost nothing;
// machines with noise do not confirm that.
void OperationTuning::begin_together(Benchmark& benchmark) {
  if (collective_ == Collective::barrier)
    return;
  benchmark.warm_up = 0;
  benchmark.repetitions = 1;
  auto& barrier = scenario_.mpi.algorithms[static_cast<std::size_t>(Collective::barrier)];
  if (!barrier)
    barrier = AlgorithmChoice{index_of_algorithm(Collective::barrier, "dissemination"), {}, 0};
}

std::vector<std::uint64_t> OperationTuning::first_sizes() const {
  if (!kind_of(std::get<Benchmark>(scenario_.workload)).has_sizes())
    return {0};
  if (!request_.sizes.empty())
    return request_.sizes;
  std::vector<std::uint64_t> sizes;
  const auto all = [&](std::uint64_t size) { return call_of(collective_, {size}, ranks_).blocks.total().count; };
  for (auto size : usual_sizes) {
    while (all(size) > most_in_all && size > 8)
      size /= 2;
    if (sizes.empty() || size > sizes.back())
      sizes.push_back(size);
  }
  return sizes;
}

// Returns the library's choice if a rule asks for the form; without a form, that of its tables.
AlgorithmChoice OperationTuning::taken(std::uint64_t size, const LibraryForm* form) const {
  auto library = place_->library;
  library.rules = nullptr;
  if (form) {
    if (const auto& tables = library_of(library.selector); tables.precedes_rules) // what it follows reads rules
      library.selector = followed_by(tables);
    const auto& row = algorithm_table()[form->choice.algorithm];
    Decision rule;
    rule.collective = collective_;
    rule.algorithm = row.name;
    rule.segment = form->choice.segment;
    rule.width = form->choice.width;
    library.rules = std::make_shared<CollectiveRules>(CollectiveRules{"", {rule}, {}});
  }
  return choose(library, collective_, place_->world, blocks_of(size));
}

bool OperationTuning::is_possible(const LibraryForm& form) const {
  if (algorithm_table()[form.choice.algorithm].traits.has_two_levels)
    return has_levels(place_->world, collective_);
  const bool is_gathering = collective_ == Collective::allgather || collective_ == Collective::allgatherv;
  // MPICH's function is for powers of two alone; that of others falls back.
  return !is_gathering || form.function != "recursive_doubling" || std::has_single_bit(static_cast<unsigned>(ranks_));
}

void OperationTuning::add(std::uint64_t size, const Cell* below, const Cell* above) {
  if (is_without_data(collective_, blocks_of(size)))
    return;
  Cell cell;
  const auto put = [&](const AlgorithmChoice& choice, const LibraryForm* form) {
    auto name = to_text(choice);
    if (const auto found = std::ranges::find(cell.entries, name, &Entry::name); found == cell.entries.end())
      cell.entries.push_back({name, choice, form ? std::optional(*form) : std::nullopt, {}});
    else if (form && !found->form)
      found->form = *form;
    return name;
  };
  cell.usual = put(taken(size, nullptr), nullptr);
  if (request_.against) {
    auto library = place_->library;
    library.rules = request_.against;
    cell.of_file = put(choose(library, collective_, place_->world, blocks_of(size)), nullptr);
  }
  for (const auto& form : forms_of(place_->library.selector, collective_, request_.release)) {
    if (!is_possible(form))
      continue;
    const auto choice = taken(size, &form);
    const auto name = to_text(choice);
    const bool is_worth_it = !below || name == cell.usual || below->is_nearly_best(name, far_behind) ||
                             above->is_nearly_best(name, far_behind);
    if (is_worth_it)
      put(choice, &form);
  }
  cells_[size] = std::move(cell);
  fresh_.insert(size);
}

bool OperationTuning::differ(std::uint64_t low, const Cell& a, std::uint64_t high, const Cell& b) const {
  if (high > widest_gap * low || a.usual != b.usual)
    return true;
  const bool is_same = b.is_nearly_best(a.best().name, within_noise) || a.is_nearly_best(b.best().name, within_noise);
  if (!is_same)
    return true;
  for (auto size = 2 * low; size < high; size *= 2)
    if (to_text(taken(size, nullptr)) != a.usual)
      return true;
  return false;
}

// Returns the fastest choice that the library's users can ask for; the one of the previous size, if it is as fast. One
// of which nothing was measured must be faster by the margin than one of which something was.
const OperationTuning::Entry* OperationTuning::with_form(const Cell& cell, const std::string& before) const {
  const auto margin = operation().margin;
  const auto time = [&](const Entry& entry) {
    return (entry.basis == Basis::shifted ? 1 + margin : 1) * entry.time->value;
  };
  const Entry* best = nullptr;
  for (const auto& entry : cell.entries)
    if (entry.form && entry.time && (!best || time(entry) < time(*best)))
      best = &entry;
  const auto same = std::ranges::find(cell.entries, before, &Entry::name);
  const bool stays =
      best && same != cell.entries.end() && same->form && same->time && time(*same) <= within_noise * time(*best);
  return stays ? &*same : best;
}

std::string OperationTuning::key(std::uint64_t size, const Entry& entry) const {
  return fmt::format("{} {} {} {} {}", row_of(collective_).name, request_.placements[placement_], ranks_, size,
                     entry.name);
}

Scenario OperationTuning::with(std::uint64_t size, const Entry& entry) const {
  auto scenario = scenario_;
  std::get<Benchmark>(scenario.workload).sizes = {{size}};
  scenario.mpi.algorithms[static_cast<std::size_t>(collective_)] = entry.choice;
  return scenario;
}

} // namespace kakehashi
