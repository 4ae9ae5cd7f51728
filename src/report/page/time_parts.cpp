#include "report/page/page.hpp"

#include "base/text.hpp"
#include "report/draw/chart.hpp"
#include "report/draw/lanes.hpp"
#include "report/report_parts.hpp"
#include "writer/number_form.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace kakehashi {
namespace {

constexpr std::size_t most_rank_lanes = 64;

struct Sort {
  std::string_view name;
  Seconds RankTimes::*time;
  Paint paint;
};
constexpr std::array sorts{
    Sort{"compute", &RankTimes::compute, Paint::series_7}, Sort{"overhead", &RankTimes::overhead, Paint::series_0},
    Sort{"waiting", &RankTimes::waiting, Paint::use_0}, Sort{"transfer", &RankTimes::transfer, Paint::series_1}};

double us(Seconds time) {
  return in_microseconds(time);
}

std::string note_of(std::size_t shown, std::size_t all, std::string_view what) {
  return shown < all ? fmt::format("The first {} of {} {}; JSON has all.", shown, all, what) : "";
}

} // namespace

Figure ranks_figure(const RunSummary& summary, std::span<const std::string> devices) {
  LaneChart chart{"What each rank's time went into", "time (us)", {}, {}, AxisForm::linear, true};
  for (const auto& sort : sorts)
    chart.keys.push_back({std::string(sort.name), sort.paint});
  const auto count = std::min(most_rank_lanes, summary.ranks.size());
  for (std::size_t rank = 0; rank < count; ++rank) {
    const auto& times = summary.ranks[rank];
    ChartLane lane{fmt::format("{} {}", rank, devices[rank]), {}, {}, ""};
    double at = 0;
    for (const auto& sort : sorts) {
      const double time = us(times.*sort.time);
      if (time > 0)
        lane.bars.push_back({at, at + time, sort.paint,
                             fmt::format("rank {}: {} {:.3f} us, {:.1f} % of its time", rank, sort.name, time,
                                         100 * time / us(times.total()))});
      at += time;
    }
    chart.lanes.push_back(std::move(lane));
  }
  return figure_of("Each rank's time", note_of(count, summary.ranks.size(), "ranks"), chart);
}

Figure path_figure(const RunSummary& summary) {
  LaneChart chart{"What the critical path consists of", "time (us)", {}, {}, AxisForm::linear, true};
  chart.keys = {{"alone on its links", Paint::series_0}, {"longer, since others use them", Paint::series_1}};
  constexpr std::size_t most = 12;
  constexpr double least = 0.005; // share of the path; the table below has all
  const auto kinds = kinds_of(summary.shares);
  for (const auto& kind : std::span(kinds).first(std::min(most, kinds.size()))) {
    if (kind.time < least * summary.duration)
      break;
    const double time = us(kind.time);
    const double contended = us(kind.contended);
    const auto where = kind.places > 1
                           ? fmt::format("{} places, most in {}", kind.places, place_of(kind.largest).substr(2))
                           : place_of(kind.largest).substr(2);
    ChartLane lane{kind.what, {}, {}, fmt::format("{:.1f} %", 100 * (kind.time / summary.duration))};
    if (time > contended)
      lane.bars.push_back({0, time - contended, Paint::series_0,
                           fmt::format("{}: {:.3f} us, {:.1f} % of the path, {}", kind.what, time,
                                       100 * (kind.time / summary.duration), where)});
    if (contended > 0)
      lane.bars.push_back({time - contended, time, Paint::series_1,
                           fmt::format("{}: {:.3f} us of it because others use the links", kind.what, contended)});
    chart.lanes.push_back(std::move(lane));
  }
  const auto place = place_of_path(summary);
  return figure_of("The critical path",
                   fmt::format("{:.3f} us in all, by kind of step; each step begins where another ends{}.",
                               us(summary.duration), place.empty() ? "" : ", " + place),
                   chart);
}

namespace {

MatrixChart chart_of(const Traffic& traffic) {
  MatrixChart chart{"Bytes from each rank to each other", {}, "from rank", "to rank", {}};
  for (std::size_t from = 0; from < traffic.blocks(); ++from)
    chart.names.push_back(traffic.name_of(from));
  for (const auto& [from, to, field] : traffic.pairs())
    if (field.bytes > 0)
      chart.fields.push_back({from, to, field.bytes,
                              fmt::format("rank {} to {}: {} MB in {}", traffic.name_of(from), traffic.name_of(to),
                                          four_digits(field.bytes / 1e6), counted(field.messages, "message"))});
  return chart;
}

} // namespace

Figure traffic_figure(const Traffic& traffic) {
  constexpr std::size_t most_on_phone = 32;
  return figure_of("Who talks to whom", "The darker on light paper, or the lighter on dark, the more bytes.",
                   [&](double width) {
                     return draw(chart_of(width < wide_page ? traffic.coarser(most_on_phone) : traffic), width);
                   });
}

Listing links_table(std::span<const LinkUse> links, RateUnit unit, const std::string& where) {
  auto listing = listing_of(links, unit);
  listing.name = "Busiest links" + where;
  listing.below = "> and < are the two directions of a link.";
  return listing;
}

Figure effects_figure(std::span<const Effect> effects) {
  LaneChart chart{"Mean change of the rows' times if each parameter were a tenth better",
                  "change (%)",
                  {},
                  {},
                  AxisForm::linear,
                  true};
  constexpr std::size_t most = 16;
  constexpr double least = 5e-5; // smaller values would be 0.00 %; the table below has all
  for (const auto& effect : effects.first(std::min(most, effects.size()))) {
    if (std::abs(effect.change) < least)
      continue;
    const auto text = fmt::format("{:+.2f} %", 100 * effect.change);
    const auto name = fmt::format("{} of {}", effect.what, effect.place);
    chart.lanes.push_back(
        {name,
         {{0, 100 * effect.change, effect.change < 0 ? Paint::good : Paint::bad, name + ": " + text, false}},
         {},
         text});
  }
  return figure_of("What would help", "Each parameter a tenth better than it is.", chart);
}

} // namespace kakehashi
