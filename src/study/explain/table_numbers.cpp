#include "study/explain/explanations.hpp"

#include "workload/benchmark/benchmark.hpp"
#include "workload/benchmark/kind.hpp"
#include "workload/collective/libraries.hpp"
#include "workload/workload.hpp"

#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

struct Number {
  const char* name;
  bool (*is_stated)(const Decision& row);
  void (*scale)(Decision& row, double factor);
};

template <auto member> void scale(Decision& row, double factor) {
  auto& number = row.*member;
  number = static_cast<std::remove_reference_t<decltype(number)>>(std::lround(static_cast<double>(number) * factor));
}
template <auto member> bool differs(const Decision& row) {
  return row.*member != Decision{}.*member;
}
template <auto member> constexpr Number limit(const char* name) {
  return {name, differs<member>, scale<member>};
}
template <auto member> constexpr Number line(const char* name) {
  return {name,
          [](const Decision& row) {
            return std::isfinite((row.*member).at_zero) && ((row.*member).per_byte != 0 || (row.*member).at_zero > 0);
          },
          [](Decision& row, double factor) {
            (row.*member).per_byte *= factor;
            (row.*member).at_zero *= factor;
          }};
}

constexpr Number numbers[] = {limit<&Decision::bytes_from>("bytes from"),
                              limit<&Decision::bytes_below>("bytes below"),
                              limit<&Decision::ranks_from>("ranks from"),
                              limit<&Decision::ranks_below>("ranks below"),
                              limit<&Decision::ranks_per_node_from>("ranks a node from"),
                              limit<&Decision::ranks_per_node_below>("ranks a node below"),
                              line<&Decision::ranks_below_line>("ranks below a line"),
                              line<&Decision::ranks_above_line>("ranks above a line"),
                              {"segment", [](const Decision& row) { return row.segment.count > 0; },
                               [](Decision& row, double factor) {
                                 row.segment.count = static_cast<std::uint64_t>(
                                     std::lround(static_cast<double>(row.segment.count) * factor));
                               }}};

std::vector<Decision> rows_of(Selector selector) {
  std::vector<Decision> rows;
  for (const auto* each = &library_of(selector); each; each = each->next.get())
    rows.insert(rows.end(), each->decisions.begin(), each->decisions.end());
  return rows;
}

// Returns the algorithms that all ranks together use at the benchmark's sizes, and for the vectors that these may
// reduce and broadcast.
std::vector<AlgorithmChoice> choices_of(const Benchmark& benchmark, const Group& world, const Library& library) {
  const auto own = *kind_of(benchmark).collective;
  const bool gathers = own == Collective::allgather || own == Collective::allgatherv;
  std::vector<AlgorithmChoice> choices;
  const auto choose_for = [&](Collective collective, Bytes size) {
    choices.push_back(choose(library, collective, world, call_of(collective, size, world.size()).blocks));
  };
  for (const auto size : benchmark.sizes) {
    choose_for(own, size);
    for (const auto part : {Collective::reduce, Collective::bcast})
      if (gathers || own == Collective::allreduce)
        choose_for(part, gathers ? Bytes{size.count * static_cast<std::uint64_t>(world.size())} : size);
  }
  return choices;
}

void scale_number(MpiSettings& mpi, const std::vector<Decision>& rows, std::size_t row, const Number& number,
                  double factor) {
  auto rules = mpi.rules ? *mpi.rules : CollectiveRules{"", rows, {}};
  number.scale(rules.rows[row], factor);
  mpi.rules = std::make_shared<const CollectiveRules>(std::move(rules));
}

} // namespace

std::vector<Parameter> table_numbers_of(const Scenario& scenario) {
  const auto* benchmark = std::get_if<Benchmark>(&scenario.workload);
  if (!benchmark || !kind_of(*benchmark).collective || scenario.mpi.rules)
    return {};
  const auto place = make_place(*scenario.platform, scenario.ranks, scenario.mpi);
  const auto selector = place->library.selector;
  const auto rows = rows_of(selector);
  const auto now = choices_of(*benchmark, place->world, place->library);
  std::vector<Parameter> parameters;
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (const auto& number : numbers) {
      if (!number.is_stated(rows[row]))
        continue;
      const auto changes = [&](double factor) {
        auto settings = scenario.mpi;
        scale_number(settings, rows, row, number, factor);
        return choices_of(*benchmark, place->world, make_library(settings)) != now;
      };
      if (!changes(0.5) && !changes(2))
        continue;
      Source source{SourceKind::assumed, std::string(library_of(selector).source)};
      if (!rows[row].claim.empty())
        source = {SourceKind::document, source.from, {std::string(rows[row].claim)}};
      parameters.push_back(
          {tables_place,
           fmt::format("{} {} row {}: {}", selector_names[static_cast<std::size_t>(selector)],
                       row_of(rows[row].collective).name, row, number.name),
           Better::neither,
           {std::move(source)},
           [rows, row, &number](Platform& p, double factor) { scale_number(p.mpi, rows, row, number, factor); }});
    }
  return parameters;
}

} // namespace kakehashi
