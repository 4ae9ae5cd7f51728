#include "study/sweep/tuner.hpp"

#include "base/interrupt.hpp"
#include "workload/benchmark/benchmark.hpp"
#include "workload/collective/libraries.hpp"
#include "workload/job.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>

namespace kakehashi {
namespace {

constexpr std::uint64_t usual_sizes[] = {8, 4096, 1 << 20};
constexpr std::uint64_t most_in_all = 64 << 20; // bytes of all blocks, where sizes are the usual ones
constexpr double far_behind = 4;                // times the best one
constexpr double as_fast = 1.02;                // times the best one: another order of events may change that much
constexpr std::uint64_t widest_gap = 16;        // between two sizes
constexpr double worth_a_run = 1.05;            // gains below it are not worth to be measured
constexpr double sure_enough = 0.9;

// An algorithm that some setting of the library leads to.
struct Entry {
  std::string name;
  AlgorithmChoice choice;
  std::optional<LibraryForm> form; // none: only the library itself, or a file, takes it
  std::optional<Seconds> time;     // none: it could not be run
  bool is_measured = false;
  TimedChoice timed() const { return {name, *time, is_measured}; }
};

struct Cell {
  std::vector<Entry> entries;
  std::string usual;
  std::string of_file; // empty: there is none
  const Entry& entry(const std::string& name) const { return *std::ranges::find(entries, name, &Entry::name); }
  const Entry& best() const {
    return *std::ranges::min_element(entries, {}, [](const Entry& each) {
      return each.time ? each.time->value : std::numeric_limits<double>::infinity();
    });
  }
  bool is_nearly_best(const std::string& name, double within) const {
    const auto found = std::ranges::find(entries, name, &Entry::name);
    return found != entries.end() && found->time && found->time->value <= within * best().time->value;
  }
};

std::string osu_name(Collective collective) {
  return "osu-" + std::string(row_of(collective).name);
}

std::uint64_t between(std::uint64_t low, std::uint64_t high) {
  const auto middle = std::sqrt(static_cast<double>(low) * static_cast<double>(high));
  const auto power = std::bit_floor(static_cast<std::uint64_t>(middle));
  return power > low && power < high ? power : static_cast<std::uint64_t>(middle);
}

// One operation in one communicator of one placement.
class Contest {
public:
  Contest(const Scenario& scenario, Collective collective, std::size_t placement, int ranks, const TuneRequest& request)
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

  // The sizes that are to be run next.
  void refine() {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> gaps;
    for (auto high = cells_.begin(), low = high++; high != cells_.end(); low = high++)
      if (high->first >= 2 * std::max<std::uint64_t>(low->first, 1) + 1)
        gaps.emplace_back(low->first, high->first);
    for (const auto& [low, high] : gaps)
      if (const auto& [a, b] = std::tie(cells_.at(low), cells_.at(high)); differ(low, a, high, b))
        add(between(low, high), &a, &b);
  }

  // What has no time yet, and has not failed.
  template <class Take> void open(const Take& take) {
    for (auto& [size, cell] : cells_)
      for (auto& entry : cell.entries)
        if (fresh_.contains(size))
          take(key(size, entry), with(size, entry), entry.time);
    fresh_.clear();
  }

  // The first size at which the library's own choice could not be run; none: there is none.
  std::optional<std::uint64_t> failed() const {
    for (const auto& [size, cell] : cells_)
      if (!cell.entry(cell.usual).time)
        return size;
    return std::nullopt;
  }

  TunedOperation operation() const {
    return {collective_, placement_, ranks_, request_.margin.value_or(typical_factor(collective_) - 1), {}};
  }

  // Puts measured times in the place of predicted ones. What was measured of a choice at some sizes corrects its
  // predictions at the others: by the factor of the nearest one, or between two by what lies between theirs. → those
  // that were used.
  std::set<std::string> correct(const Tuning& tuning) {
    std::set<std::string> used;
    std::map<std::string, std::map<double, double>> factors; // by name and size; logarithms
    const auto own = operation();
    for (auto& [size, cell] : cells_)
      for (auto& entry : cell.entries)
        for (const auto& name : {entry.name == cell.usual ? std::string() : entry.name, entry.name}) {
          const auto found = request_.measured.find(confirming_file(tuning, own, size, name));
          if (found == request_.measured.end() || !entry.time)
            continue;
          used.insert(found->first);
          if (entry.is_measured)
            continue;
          factors[entry.name][std::log1p(static_cast<double>(size))] = std::log(found->second / *entry.time);
          entry.time = found->second;
          entry.is_measured = true;
        }
    for (auto& [size, cell] : cells_)
      for (auto& entry : cell.entries)
        if (const auto known = factors.find(entry.name); known != factors.end() && entry.time && !entry.is_measured)
          entry.time = std::exp(between_of(known->second, std::log1p(static_cast<double>(size)))) * *entry.time;
    return used;
  }

  TunedOperation result() const {
    auto operation = this->operation();
    std::string before; // chosen at the size before
    for (const auto& [size, cell] : cells_) {
      const auto& usual = cell.entry(cell.usual);
      const auto* best = &cell.best();
      const auto blocks = blocks_of(size);
      TunedSize tuned;
      tuned.size = size;
      tuned.all = blocks.total().count;
      tuned.block = measured_bytes(collective_, blocks, Measure::block);
      tuned.usual = usual.timed();
      tuned.best = best->timed();
      tuned.chosen = tuned.usual;
      if (!cell.of_file.empty() && cell.entry(cell.of_file).time)
        tuned.of_file = cell.entry(cell.of_file).timed();
      const auto* taken = with_form(cell, before);
      const bool are_measured = taken && taken->is_measured && usual.is_measured;
      const double ratio = taken ? *usual.time / *taken->time : 0;
      const auto setting = taken ? setting_of(place_->library.selector, collective_, taken->form->choice) : "";
      if (taken && taken->name != usual.name && ratio >= (are_measured ? as_fast : 1 + operation.margin)) {
        tuned.is_changed = true;
        tuned.chosen = taken->timed();
        tuned.form = *taken->form;
        tuned.setting = setting;
      }
      if (ratio >= worth_a_run && !are_measured && certainty(collective_, ratio - 1) < sure_enough && !setting.empty())
        tuned.rival = TunedRival{taken->timed(), setting};
      before = tuned.is_changed ? tuned.chosen.name : "";
      operation.sizes.push_back(std::move(tuned));
    }
    return operation;
  }

private:
  // Of each choice the first iteration counts, and all ranks enter it at about the same time. In a loop they leave the
  // library's barrier one after the other, and a tree that fits that order would seem to cost next to nothing, which
  // machines with noise do not bear out.
  void begin_together(Benchmark& benchmark) {
    if (collective_ == Collective::barrier)
      return;
    benchmark.warm_up = 0;
    benchmark.repetitions = 1;
    auto& barrier = scenario_.mpi.algorithms[static_cast<std::size_t>(Collective::barrier)];
    if (!barrier)
      barrier = AlgorithmChoice{index_of_algorithm(Collective::barrier, "dissemination"), {}, 0};
  }

  std::vector<std::uint64_t> first_sizes() const {
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

  // Of the points, at x: on the line between two, beyond them as the last one.
  static double between_of(const std::map<double, double>& points, double x) {
    const auto high = points.lower_bound(x);
    if (high == points.begin())
      return high->second;
    const auto low = std::prev(high);
    if (high == points.end())
      return low->second;
    return std::lerp(low->second, high->second, (x - low->first) / (high->first - low->first));
  }

  Blocks blocks_of(std::uint64_t size) const { return call_of(collective_, {size}, ranks_).blocks; }

  // What the library makes of a rule that asks for the form; of none, of its tables.
  AlgorithmChoice taken(std::uint64_t size, const LibraryForm* form) const {
    auto library = place_->library;
    library.rules = nullptr;
    if (form) {
      if (library.selector == Selector::open_mpi_50) // coll/tuned alone reads rules
        library.selector = Selector::open_mpi_41;
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

  bool is_possible(const LibraryForm& form) const {
    if (algorithm_table()[form.choice.algorithm].traits.has_two_levels)
      return has_levels(place_->world, collective_);
    const bool is_gathering = collective_ == Collective::allgather || collective_ == Collective::allgatherv;
    // MPICH's function is for powers of two alone; that of others falls back.
    return !is_gathering || form.function != "recursive_doubling" || std::has_single_bit(static_cast<unsigned>(ranks_));
  }

  void add(std::uint64_t size, const Cell* below, const Cell* above) {
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
    for (const auto& form : forms_of(place_->library.selector, collective_)) {
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

  bool differ(std::uint64_t low, const Cell& a, std::uint64_t high, const Cell& b) const {
    if (high > widest_gap * low || a.usual != b.usual)
      return true;
    const bool is_same = b.is_nearly_best(a.best().name, as_fast) || a.is_nearly_best(b.best().name, as_fast);
    if (!is_same)
      return true;
    for (auto size = 2 * low; size < high; size *= 2)
      if (to_text(taken(size, nullptr)) != a.usual)
        return true;
    return false;
  }

  // The fastest that the library's users can ask for; that of the size before, if it is as fast.
  const Entry* with_form(const Cell& cell, const std::string& before) const {
    const Entry* best = nullptr;
    for (const auto& entry : cell.entries)
      if (entry.form && entry.time && (!best || *entry.time < *best->time))
        best = &entry;
    const auto same = std::ranges::find(cell.entries, before, &Entry::name);
    const bool stays = best && same != cell.entries.end() && same->form && same->time &&
                       same->time->value <= as_fast * best->time->value;
    return stays ? &*same : best;
  }

  std::string key(std::uint64_t size, const Entry& entry) const {
    return fmt::format("{} {} {} {} {}", row_of(collective_).name, request_.placements[placement_], ranks_, size,
                       entry.name);
  }

  Scenario with(std::uint64_t size, const Entry& entry) const {
    auto scenario = scenario_;
    std::get<Benchmark>(scenario.workload).sizes = {{size}};
    scenario.mpi.algorithms[static_cast<std::size_t>(collective_)] = entry.choice;
    return scenario;
  }

  Scenario scenario_;
  Collective collective_;
  std::size_t placement_;
  int ranks_;
  const TuneRequest& request_;
  SharedPlace place_;
  std::map<std::uint64_t, Cell> cells_; // by size
  std::set<std::uint64_t> fresh_;       // sizes that have not been run
};

// Geometric means of times over those of the first placement as it is.
void compare_placements(Tuning& tuning) {
  std::vector<double> usual(tuning.placements.size()), tuned(usual), count(usual);
  for (const auto& operation : tuning.operations)
    for (const auto& each : operation.sizes) {
      const auto first = std::ranges::find_if(tuning.operations, [&](const auto& other) {
        return other.collective == operation.collective && other.ranks == operation.ranks && other.placement == 0;
      });
      const auto same = std::ranges::find(first->sizes, each.size, &TunedSize::size);
      if (same == first->sizes.end() || each.usual.time.value <= 0)
        continue;
      usual[operation.placement] += std::log(each.usual.time / same->usual.time);
      tuned[operation.placement] += std::log(each.chosen.time / same->usual.time);
      ++count[operation.placement];
    }
  for (std::size_t i = 0; i < count.size(); ++i)
    if (count[i] > 0) {
      tuning.placements[i].usual = std::exp(usual[i] / count[i]);
      tuning.placements[i].tuned = std::exp(tuned[i] / count[i]);
    }
}

} // namespace

Result<Tuning> tune(Sweep& places, Outcomes known, const TuneRequest& request) {
  const auto base = places.variants; // the sweep's own grow
  Tuning tuning;
  const auto& first = base.front().scenario;
  tuning.platform = first.platform->name;
  tuning.fabric = first.fabric;
  const auto place = make_place(*first.platform, first.ranks, first.mpi);
  tuning.library = place->library.selector;
  tuning.has_gpus = std::ranges::count(place->kinds, DeviceKind::gpu) > 0;
  tuning.ranks = request.communicators.back();
  if (request.against)
    tuning.against = request.against->file;
  for (const auto& name : request.placements)
    tuning.placements.push_back({name});
  std::vector<Contest> contests;
  for (const auto collective : request.collectives)
    for (const auto ranks : request.communicators)
      for (std::size_t i = 0; i < base.size(); ++i)
        contests.emplace_back(base[i].scenario, collective, i, ranks, request);
  auto how = request.how;
  std::size_t done = 0, all = 0;
  how.settled = [&](const Candidate& candidate, const Outcome& outcome) {
    if (request.how.settled)
      request.how.settled(candidate, outcome);
    request.progress(++done, all);
  };
  how.goes_on = [&] {
    request.progress(done, all);
    return !is_interrupted();
  };
  Evaluator evaluator(places, std::move(known), how);
  for (;;) {
    std::vector<Candidate> candidates;
    std::vector<std::optional<Seconds>*> times;
    places.variants = base;
    for (auto& contest : contests)
      contest.open([&](std::string key, Scenario scenario, std::optional<Seconds>& time) {
        auto devices = scenario.ranks;
        places.variants.push_back({{}, std::move(scenario)});
        candidates.push_back({places.variants.size() - 1, std::move(devices), std::move(key)});
        times.push_back(&time);
      });
    if (candidates.empty())
      break;
    for (const auto& candidate : candidates)
      all += evaluator.known(candidate) ? 0 : 1;
    const auto outcomes = evaluator.run(candidates);
    if (is_interrupted())
      return interrupted();
    tuning.runs += candidates.size();
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (outcomes[i] && outcomes[i]->failure.empty())
        *times[i] = outcomes[i]->time;
    for (std::size_t i = 0; i < contests.size(); ++i)
      if (const auto size = contests[i].failed())
        for (std::size_t k = 0; k < candidates.size(); ++k)
          if (outcomes[k] && !outcomes[k]->failure.empty())
            return run_error(fmt::format("{}: {}", candidates[k].key, outcomes[k]->failure));
    for (auto& contest : contests)
      contest.refine();
  }
  std::set<std::string> used;
  for (auto& contest : contests) {
    used.merge(contest.correct(tuning));
    tuning.operations.push_back(contest.result());
  }
  for (const auto& [file, time] : request.measured)
    if (!used.contains(file))
      return run_error(fmt::format("{}: no choice of this tuning; names are as it proposes them, "
                                   "OPERATION-PLACEMENT-RANKS-SIZE-ALGORITHM.log",
                                   file));
  compare_placements(tuning);
  const auto best = std::ranges::min_element(tuning.placements, {}, &TunedPlacement::tuned);
  const auto margin = request.margin.value_or(typical_factor(Collective::bcast) - 1);
  if (tuning.placements.front().tuned > (1 + margin) * best->tuned)
    tuning.placement = static_cast<std::size_t>(best - tuning.placements.begin());
  return tuning;
}

} // namespace kakehashi
