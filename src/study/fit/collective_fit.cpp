#include "study/fit/fits.hpp"

#include "study/fit/fit_parts.hpp"
#include "workload/benchmark/kind.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

namespace kakehashi {
namespace {

constexpr double least_reach = 0.02; // the change of a log's times from which a field counts as moving the log
constexpr double least_share = 0.25; // the same, as a share of the change of the log that the field moves most
// The gain of mean held-out error that a field needs. A field that moves several operations needs as much as a regime.
// A gap in the model of one operation may look like a field at all its sizes and numbers of ranks, so a field that
// moves one operation must show itself clearly.
constexpr double least_gain_of_several = 0.0125;
constexpr double least_gain_of_one = 0.05;
constexpr double even = 0.005;   // gains that differ by less count as equal
constexpr double parallel = 0.9; // cosine from which two fields move the same sizes in the same way

bool every_point(std::size_t, std::size_t) {
  return true;
}

// The points that a fit uses, and those that judge it.
struct Fold {
  Chosen seen;
  Chosen held_out;
};

std::vector<Fold> halves(std::size_t log) {
  std::vector<Fold> folds;
  for (const std::size_t half : {0, 1}) {
    const auto is_held_out = [=](std::size_t s, std::size_t i) { return s == log && i % 2 == half; };
    folds.push_back({[=](std::size_t s, std::size_t i) { return !is_held_out(s, i); }, is_held_out});
  }
  return folds;
}

struct TriedField {
  OpenField field;
  std::optional<Response> response{};
  std::vector<std::size_t> movers{}; // the logs that it moves
  bool is_in = true;                 // whether the field is in the fit
  std::string evidence{};

  bool is_moved(std::size_t log) const { return std::ranges::find(movers, log) != movers.end(); }
};

// For the fields in the fit: the logarithms of their values.
using FieldValues = std::map<const TriedField*, double>;

Misses with_points(Misses misses, const Misses& others, const Chosen& chosen) {
  for (std::size_t s = 0; s < misses.size(); ++s)
    for (std::size_t i = 0; i < misses[s].size(); ++i)
      if (chosen(s, i))
        misses[s][i] = others[s][i];
  return misses;
}

double cosine(const Misses& one, const Misses& other) {
  double product = 0, of_one = 0, of_other = 0;
  for (std::size_t s = 0; s < one.size(); ++s)
    for (std::size_t i = 0; i < one[s].size(); ++i) {
      product += one[s][i] * other[s][i];
      of_one += one[s][i] * one[s][i];
      of_other += other[s][i] * other[s][i];
    }
  return product / std::max(1e-300, std::sqrt(of_one * of_other));
}

class Search {
public:
  Search(const std::vector<Scenario>& scenarios, int jobs, const StudyProgress& progress)
      : start_(scenarios), scenarios_(scenarios), jobs_(jobs), progress_(progress) {
    for (auto& field : open_fields(scenarios))
      candidates_.push_back({std::move(field)});
  }

  Result<CollectiveFit> run() {
    auto first = misses_of(scenarios_, jobs_);
    if (!first)
      return first.errors();
    now_ = base_ = before_ = std::move(*first);
    try_other_copies();
    for (auto& each : candidates_)
      respond(each, std::log(each.field.usual), false);
    if (!errors_.empty())
      return errors_;
    leave_out_one_of_those_alike();
    leave_out_what_does_not_help();
    FieldValues values;
    // Effects are only nearly additive, so they are measured again near the result.
    for (const bool is_fine : {false, true}) {
      values = fitted(every_point);
      put(values);
      base_ = now_;
      for (auto& each : candidates_)
        if (each.is_in)
          respond(each, values.at(&each), is_fine);
    }
    if (!errors_.empty())
      return errors_;
    leave_out_what_has_no_bounds(fitted(every_point));
    values = fitted(every_point);
    put(values);
    return errors_.empty() ? Result(record(values)) : errors_;
  }

private:
  std::vector<Scenario> start_;
  std::vector<Scenario> scenarios_; // with all values found so far
  int jobs_;
  const StudyProgress& progress_;
  std::vector<TriedField> candidates_;
  Misses before_, base_, now_; // at the start; when the candidates were measured; with all values found so far
  std::optional<CollectiveField> copies_; // none: no core copies these messages
  bool is_put_ = false;                   // the scenarios have a value for each field in the fit
  Errors errors_;
  std::size_t looks_ = 0;

  // Cores copy a byte once or twice, by how the library was built, which no pair of ranks shows within caches. What
  // passes once in one log does so in all, so no log is held out.
  void try_other_copies() {
    const auto fabrics = copying_fabrics(start_.front());
    if (fabrics.empty() || is_of_gpus() || std::ranges::any_of(start_, is_recorded, &Scenario::workload))
      return;
    const auto& rules = find_fabric(*start_.front().platform, fabrics.front())->rules;
    const int now = std::ranges::find_if(rules, &Rule::moved_by_cores)->copies;
    const int other = 3 - now;
    auto others = with_copies(start_, fabrics, other);
    auto misses = misses_of(others, jobs_);
    if (!misses) {
      errors_ = misses.errors();
      return;
    }
    const double before = mean_error(base_, every_point);
    const double after = mean_error(*misses, every_point);
    auto& field = copies_.emplace();
    field.limit.field = "copies";
    field.fabrics = fabrics;
    field.limit.amount = other;
    field.limit.value = std::to_string(other);
    field.limit.evidence =
        fmt::format("error {:.1f} % with {}, {:.1f} % with {}", 100 * before, now, 100 * after, other);
    field.before = std::to_string(now);
    field.limit.is_limit = before - after >= least_gain_of_one;
    if (!field.limit.is_limit) {
      field.obstacle = field.limit.evidence;
      return;
    }
    start_ = scenarios_ = std::move(others);
    now_ = base_ = std::move(*misses);
  }

  void respond(TriedField& candidate, double logarithm, bool is_fine) {
    if (!errors_.empty())
      return;
    const bool is_known = candidate.field.now || is_put_;
    auto response = response_of(scenarios_, candidate.field, logarithm, is_known ? &base_ : nullptr, is_fine, jobs_);
    if (progress_)
      progress_(++looks_, 0);
    if (!response) {
      errors_ = response.errors();
      return;
    }
    candidate.response = std::move(*response);
    double most = 0;
    for (std::size_t s = 0; s < base_.size(); ++s)
      most = std::max(most, candidate.response->reach(s));
    candidate.movers.clear();
    for (std::size_t s = 0; s < base_.size(); ++s)
      if (candidate.response->reach(s) >= std::max(least_reach, least_share * most))
        candidate.movers.push_back(s);
    if (candidate.movers.empty()) {
      candidate.is_in = false;
      candidate.evidence = "no log here depends on it";
    }
  }

  // Returns the change by all these values but one. Effects are additive only near where they were measured.
  Misses effect(const FieldValues& values, const TriedField* but = nullptr) const {
    auto all = sum(base_, base_, -1);
    for (const auto& [candidate, value] : values)
      if (candidate != but)
        all = sum(sum(std::move(all), candidate->response->at(value), 1), base_, -1);
    return all;
  }

  FieldValues fitted(const Chosen& seen) const {
    constexpr int sweeps = 4;
    FieldValues values;
    for (int sweep = 0; sweep < sweeps; ++sweep)
      for (const auto& each : candidates_)
        if (each.is_in)
          values[&each] = std::min(std::log(each.field.most), each.response->best(seen, effect(values, &each)));
    return values;
  }

  // A log is held out as a whole if each field that moves it also moves others.
  std::vector<Fold> folds_of(std::size_t log) const {
    const bool has_others = std::ranges::all_of(candidates_, [=](const TriedField& each) {
      return !each.is_in || !each.is_moved(log) || each.movers.size() > 1;
    });
    if (!has_others)
      return halves(log);
    return {
        {[=](std::size_t s, std::size_t) { return s != log; }, [=](std::size_t s, std::size_t) { return s == log; }}};
  }

  // Returns the error of each log, by fits that did not use the points they are compared with.
  std::vector<double> held_out_errors() const {
    std::vector<double> errors;
    for (std::size_t log = 0; log < base_.size(); ++log) {
      auto held_out = base_;
      for (const auto& fold : folds_of(log))
        held_out = with_points(std::move(held_out), sum(base_, effect(fitted(fold.seen)), 1), fold.held_out);
      errors.push_back(mean_error(held_out, [=](std::size_t s, std::size_t) { return s == log; }));
    }
    return errors;
  }

  bool is_of_gpus() const {
    const auto* benchmark = std::get_if<Benchmark>(&start_.front().workload);
    return benchmark && kind_of(*benchmark).gpu;
  }

  std::size_t operations_of(const std::vector<std::size_t>& logs) const {
    std::set<std::string_view> operations;
    for (const auto log : logs) {
      const auto* benchmark = std::get_if<Benchmark>(&scenarios_[log].workload);
      operations.insert(benchmark ? std::string_view(benchmark->name) : scenarios_[log].name);
    }
    return operations.size();
  }

  double least_gain_of(const TriedField& candidate) const {
    return is_of_gpus() || operations_of(candidate.movers) > 1 ? least_gain_of_several : least_gain_of_one;
  }

  static double mean_over(const std::vector<double>& errors, const std::vector<std::size_t>& logs) {
    double all = 0;
    for (const auto log : logs)
      all += errors[log];
    return all / static_cast<double>(logs.size());
  }

  // Between GPUs short calls show a start and steps, long ones the rate of links.
  std::size_t most_fields_of_one() const { return is_of_gpus() ? 3 : 1; }

  // Leaves out fields one after the other, first the one that improves held-out times least. Only some stay for
  // each operation, since several fields together can imitate a gap in the model of an operation.
  void leave_out_what_does_not_help() {
    while (true) {
      const auto with = held_out_errors();
      const auto in_fit = std::ranges::count_if(candidates_, &TriedField::is_in);
      std::vector<std::size_t> all(scenarios_.size());
      std::iota(all.begin(), all.end(), std::size_t{0});
      const bool are_too_many = static_cast<std::size_t>(in_fit) > most_fields_of_one() * operations_of(all);
      TriedField* least = nullptr;
      double least_excess = are_too_many ? HUGE_VAL : 0;
      for (auto& each : candidates_) {
        if (!each.is_in)
          continue;
        each.is_in = false;
        const double error_without = mean_over(held_out_errors(), each.movers);
        each.is_in = true;
        const double error_with = mean_over(with, each.movers);
        each.evidence =
            fmt::format("held-out error {:.1f} % without it, {:.1f} % with it", 100 * error_without, 100 * error_with);
        const double excess = error_without - error_with - least_gain_of(each);
        if ((are_too_many || excess < 0) && excess < least_excess + (least ? even : 0)) { // the last of equal ones
          least_excess = excess;
          least = &each;
        }
      }
      if (!least)
        break;
      least->is_in = false;
    }
  }

  // Of two fields that move the same sizes alike, keeps the one without which held-out times are worse; of equal ones
  // the first.
  void leave_out_one_of_those_alike() {
    const auto error_without = [&](TriedField& candidate) {
      candidate.is_in = false;
      const double error = mean_over(held_out_errors(), candidate.movers);
      candidate.is_in = true;
      return error;
    };
    for (auto& one : candidates_)
      for (auto& other : candidates_) {
        if (&one >= &other || !one.is_in || !other.is_in || cosine(turn_of(one), turn_of(other)) <= parallel)
          continue;
        const bool is_first_better = error_without(one) + even >= error_without(other);
        auto& out = is_first_better ? other : one;
        out.is_in = false;
        out.evidence = fmt::format("these logs do not separate it from {}: both change the same sizes alike",
                                   (is_first_better ? one : other).field.name);
      }
  }

  static Misses turn_of(const TriedField& candidate) {
    const auto at = std::log(candidate.field.usual);
    return sum(candidate.response->at(at + 0.7), candidate.response->at(at - 0.7), -1);
  }

  void leave_out_what_has_no_bounds(const FieldValues& values) {
    for (auto& each : candidates_) {
      const auto is_mover = [&](std::size_t s, std::size_t) { return each.is_moved(s); };
      const auto is_bounded = [&](double direction) {
        return each.response->bound(values.at(&each), direction, is_mover).has_value();
      };
      if (!each.is_in || is_bounded(-1) || is_bounded(1))
        continue;
      each.is_in = false;
      each.evidence = "these logs do not determine it within a factor of eight";
    }
  }

  // Puts these values into the scenarios and simulates them.
  void put(const FieldValues& values) {
    if (!errors_.empty())
      return;
    is_put_ = true;
    scenarios_ = start_;
    for (const auto& [candidate, value] : values)
      scenarios_ = with_value(scenarios_, candidate->field, std::exp(value));
    auto misses = misses_of(scenarios_, jobs_);
    if (misses)
      now_ = std::move(*misses);
    else
      errors_ = misses.errors();
  }

  CollectiveFit record(const FieldValues& values) const {
    CollectiveFit fit;
    if (const auto& library = start_.front().platform->gpu_library; is_of_gpus() && library.version.number > 0)
      fit.release = to_text(library.version);
    const auto held_out = held_out_errors();
    for (std::size_t log = 0; log < now_.size(); ++log) {
      const auto is_own = [=](std::size_t s, std::size_t) { return s == log; };
      fit.logs.push_back({scenarios_[log].name, now_[log].size(), mean_error(before_, is_own), mean_error(now_, is_own),
                          std::nullopt});
      if (std::ranges::any_of(candidates_, [&](const TriedField& each) { return each.is_in && each.is_moved(log); }))
        fit.logs.back().held_out = held_out[log];
    }
    if (copies_)
      fit.fields.push_back(*copies_);
    for (const auto& each : candidates_)
      fit.fields.push_back(record_of(each, values));
    keep_before_unless_better(fit);
    return fit;
  }

  // Fields that help one by one may not help together if a log is held out from all of them.
  static void keep_before_unless_better(CollectiveFit& fit) {
    double without = 0, with = 0;
    for (const auto& log : fit.logs) {
      without += log.before / static_cast<double>(fit.logs.size());
      with += std::max(log.held_out.value_or(0), log.after) / static_cast<double>(fit.logs.size());
    }
    if (with < without)
      return;
    for (auto& log : fit.logs)
      log.after = log.before;
    for (auto& field : fit.fields)
      if (std::exchange(field.limit.is_limit, false))
        field.obstacle = fmt::format("all that would change together: held-out error {:.1f} % before, {:.1f} % after",
                                     100 * without, 100 * with);
  }

  CollectiveField record_of(const TriedField& candidate, const FieldValues& values) const {
    const auto& field = candidate.field;
    const auto& first = scenarios_.front();
    CollectiveField found;
    found.before = field.now ? field.text(*field.now) : std::string(field.without);
    found.kind = first.platform->devices[first.ranks.front()].kind;
    found.limit.devices = field.devices;
    found.limit.field = field.name;
    for (const auto log : candidate.movers)
      found.limit.from += (found.limit.from.empty() ? "" : ", ") + scenarios_[log].name;
    if (!candidate.is_in) {
      found.obstacle = candidate.evidence;
      return found;
    }
    const double value = values.at(&candidate);
    found.change = field.now ? std::exp(value) / *field.now : 1;
    found.limit.is_limit = true;
    found.limit.amount = std::exp(value);
    found.limit.value = field.text(found.limit.amount);
    found.limit.evidence = candidate.evidence;
    const auto is_mover = [&](std::size_t s, std::size_t) { return candidate.is_moved(s); };
    if (const auto low = candidate.response->bound(value, -1, is_mover))
      found.low = field.text(std::exp(*low));
    if (const auto high = candidate.response->bound(value, 1, is_mover))
      found.high = field.text(std::exp(*high));
    return found;
  }
};

} // namespace

Result<CollectiveFit> fit_collectives(const std::vector<Scenario>& scenarios, int jobs, const StudyProgress& progress) {
  return Search(scenarios, jobs, progress).run();
}

} // namespace kakehashi
