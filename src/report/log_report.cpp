#include "report/log_report.hpp"

#include "base/text.hpp"
#include "report/number_form.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

using Json = nlohmann::ordered_json;

constexpr double worth_saying = 0.04; // of a time
constexpr std::size_t most_shown = 4; // faults

std::string_view change_text(const FoundChange& change) {
  switch (change.kind) {
  case ProtocolChange::short_ends:
    return change.cost().value > 0 ? "short messages end: payloads no longer leave with their descriptor"
                                   : "short messages end: from here on a byte costs less";
  case ProtocolChange::copies_end: return "copies end: from here on payloads are read where they are";
  case ProtocolChange::eager_ends: return "eager ends: the receiver is asked first, or copies end";
  case ProtocolChange::parts: return "long messages go in parts, or over several adapters";
  case ProtocolChange::slower: return "a byte costs more: a cache ends, or a slower link sets the pace";
  case ProtocolChange::bytes_pace: return "bytes set the pace from here on, before it is the number of messages";
  }
  return "";
}

std::string rate_text(std::optional<BytesPerSecond> rate) {
  return rate ? fmt::format("{:.0f}", rate->value / 1e6) : "-";
}

// To about two digits: the sizes at which lines meet are no more exact.
std::string about(Bytes size) {
  const auto count = static_cast<double>(size.count);
  const double unit = count < 1024 ? 1 : count < 1 << 20 ? 1024 : 1 << 20;
  return fmt::format("{:.{}f} {}", count / unit, unit > 1 && count / unit < 10 ? 1 : 0,
                     unit > 1024 ? "MiB"
                     : unit > 1  ? "KiB"
                                 : "B");
}

// What could be had by moving a limit; empty: nothing worth it. Of messages that overlap lines say nothing of that.
std::string advice_of(const FoundChange& change, bool is_lone) {
  const auto limits = {ProtocolChange::copies_end, ProtocolChange::eager_ends, ProtocolChange::parts};
  if (!is_lone || std::ranges::find(limits, change.kind) == limits.end())
    return "";
  const double too_early = change.cost() / change.measured;
  const double too_late = (change.last_measured - change.last_after) / change.last_measured;
  if (change.even && *change.even > change.first && too_early > worth_saying)
    return fmt::format(
        "too early: the protocol below would take {:.2f} us ({:.0f} %) less at {}, and less up to about {}",
        in_microseconds(change.cost()), 100 * too_early, to_text(change.first), about(*change.even));
  if ((!change.even || *change.even < change.last) && too_late > worth_saying)
    return fmt::format("too late: the protocol above would take {:.2f} us ({:.0f} %) less at {}",
                       in_microseconds(change.last_measured - change.last_after), 100 * too_late, to_text(change.last));
  return "";
}

void write_changes(const ExplainedTable& table, std::ostream& out) {
  if (table.changes.empty()) {
    fmt::print(out, "# one protocol for all sizes, as far as the log shows\n");
    return;
  }
  fmt::print(out, "{:<12} {:>20} {:>11} {:>8}  {}\n", "# change at", "costs there", "MB/s below", "above",
             "what it is");
  for (const auto& change : table.changes) {
    fmt::print(
        out, "{:<12} {:>20} {:>11} {:>8}  {}\n", to_text(change.first),
        fmt::format("{:+.2f} us ({:+.0f} %)", in_microseconds(change.cost()), 100 * (change.cost() / change.expected)),
        rate_text(change.rate_below), rate_text(change.rate_above), change_text(change));
    if (const auto advice = advice_of(change, table.is_lone); !advice.empty())
      fmt::print(out, "{:<12} {}\n", "", advice);
  }
}

std::string standard_text(const MovingVariable& variable) {
  return variable.row->standard ? fmt::format("{} unless set", to_text(*variable.row->standard))
                                : "chosen at start unless set";
}

std::string_view scope_text(LogScope scope) {
  return scope == LogScope::inside_node ? ", inside nodes" : scope == LogScope::between_nodes ? ", between nodes" : "";
}

// Of variables that start elsewhere nobody would think, unless the library is known to have no others.
std::vector<MovingVariable> likely(const std::vector<MovingVariable>& variables) {
  std::vector<MovingVariable> found;
  std::ranges::copy_if(variables, std::back_inserter(found),
                       [](const MovingVariable& variable) { return variable.is_here || !variable.row->standard; });
  return found.empty() ? variables : found;
}

void write_variables(const std::vector<ExplainedTable>& tables, std::ostream& out) {
  std::vector<const FoundChange*> shown; // each kind once, and where eager ends each size
  const auto is_shown = [&](const FoundChange& change) {
    return std::ranges::any_of(shown, [&](const FoundChange* other) {
      return other->kind == change.kind && (other->first == change.first || change.kind == ProtocolChange::short_ends);
    });
  };
  for (const auto& table : tables)
    for (const auto& change : table.changes)
      if (!change.variables.empty() && !is_shown(change))
        shown.push_back(&change);
  for (const auto* change : shown) {
    fmt::print(out, "# what may move the change at {}\n", to_text(change->first));
    for (const auto& variable : likely(change->variables))
      fmt::print(out, "  {:<55} {}{}: {}\n", variable.row->setting, variable.row->library,
                 scope_text(variable.row->scope), standard_text(variable));
  }
}

// The first, and how many there are besides.
std::string names_text(const std::vector<std::string>& names) {
  return names.size() <= 2 ? fmt::format("{}", fmt::join(names, ", "))
                           : fmt::format("{} and {} like it", names.front(), names.size() - 1);
}

void write_links(const LogExplanation& all, std::ostream& out) {
  BytesPerSecond best;
  for (const auto& table : all.tables)
    best = std::max(best, table.best);
  if (all.links.empty() || best.value <= 0)
    return;
  if (all.platform.empty())
    fmt::print(out, "# nearest known links that can carry {:.0f} MB/s; the log does not say which it took\n",
               best.value / 1e6);
  else
    fmt::print(out, "# what the links allow, the narrowest first, and how much of it the log reaches\n");
  for (const auto& link : all.links)
    fmt::print(out, "  {:<22} {:>8.0f} MB/s {:>7.1f} %{}\n", link.what, link.rate.value / 1e6, 100 * link.reached,
               link.links.empty() ? "" : "  " + names_text(link.links));
  if (!all.platform.empty() && all.links.front().reached > 1.02)
    fmt::print(out,
               "# that is more than the platform allows: the log is of another way, or a link is faster than stated\n");
}

// A mean |ln| as people say it.
std::string error_text(double error) {
  const double factor = std::exp(error);
  return factor < 2 ? fmt::format("{:.1f} %", 100 * (factor - 1)) : fmt::format("a factor of {:.1f}", factor);
}

constexpr double well = 0.05; // as an error

void write_fault(const TriedFault& fault, std::ostream& out) {
  fmt::print(out, "  {:>16}  {}\n", error_text(fault.error), fault.what);
}

void write_explained(const LogExplanation& all, std::ostream& out) {
  const auto& best = all.faults.front();
  fmt::print(out, "# one fault would explain {}: {}\n", best.error < well ? "it" : "most of it, not all", best.what);
  for (std::size_t i = 1; i < std::min(all.equal, most_shown); ++i)
    fmt::print(out, "#   or, as well: {}\n", all.faults[i].what);
  std::vector<std::string> checks;
  for (std::size_t i = 0; i < all.equal; ++i)
    if (const auto& check = all.faults[i].check; !check.empty() && std::ranges::find(checks, check) == checks.end())
      checks.push_back(check);
  for (const auto& check : checks)
    fmt::print(out, "#   look at {}\n", check);
  fmt::print(out, "# off by, with each fault by itself\n");
  for (std::size_t i = 0; i < std::min(std::max(most_shown, all.equal + 2), all.faults.size()); ++i)
    write_fault(all.faults[i], out);
}

void write_faults(const LogExplanation& all, std::ostream& out) {
  fmt::print(out, "# on {}, fabric {}, {}: the prediction is off by {} on average\n", all.platform, all.fabric,
             all.ranks.size() == 2 ? fmt::format("between {}", fmt::join(all.ranks, " and "))
                                   : counted(all.ranks.size(), "rank"),
             error_text(all.error));
  if (all.is_explained)
    write_explained(all, out);
  else if (all.error < well)
    fmt::print(out, "# no sign of a fault: the log is as predicted, and no fault explains it clearly better\n");
  else {
    fmt::print(out, "# no single fault explains it{}\n", all.faults.empty() ? "" : "; the nearest leaves");
    if (!all.faults.empty())
      write_fault(all.faults.front(), out);
  }
  if (all.is_assumed)
    fmt::print(out,
               "# what messages cost on this platform is assumed, so {}; `kakehashi calibrate` with logs of a healthy "
               "pair would make this sharper\n",
               all.tables.front().is_pair && !all.links.empty()
                   ? "sizes count by the share that links have of their time"
                   : "that may be the reason as well");
}

} // namespace

void write_table(const LogExplanation& all, std::ostream& out) {
  for (const auto& table : all.tables) {
    fmt::print(out, "# {}: {}, {} from {} to {}{}\n", table.name, table.benchmark, counted(table.points, "size"),
               to_text(table.smallest), to_text(table.largest),
               table.is_stream ? "; times are those of a message in the stream" : "");
    fmt::print(out, "# {:.2f} us for {}{}\n", in_microseconds(table.least), to_text(table.smallest),
               table.is_pair
                   ? fmt::format(", {:.0f} MB/s at best, with {}", table.best.value / 1e6, to_text(table.best_size))
                   : "");
    if (table.is_pair)
      write_changes(table, out);
  }
  write_variables(all.tables, out);
  write_links(all, out);
  if (!all.platform.empty())
    write_faults(all, out);
}

namespace {

Json to_json(const FoundChange& change) {
  Json json{{"kind", name_of(protocol_change_names, change.kind)},
            {"last_bytes", change.last.count},
            {"first_bytes", change.first.count},
            {"measured_us", rounded(in_microseconds(change.measured))},
            {"expected_us", rounded(in_microseconds(change.expected))},
            {"cost_us", rounded(in_microseconds(change.cost()))}};
  if (change.rate_below)
    json["mbytes_per_s_below"] = rounded(change.rate_below->value / 1e6);
  if (change.rate_above)
    json["mbytes_per_s_above"] = rounded(change.rate_above->value / 1e6);
  if (change.even)
    json["even_bytes"] = change.even->count;
  json["variables"] = Json::array();
  for (const auto& variable : change.variables) {
    Json row{{"library", variable.row->library}, {"setting", variable.row->setting}, {"is_here", variable.is_here}};
    if (variable.row->standard)
      row["standard_bytes"] = variable.row->standard->count;
    json["variables"].push_back(std::move(row));
  }
  return json;
}

Json to_json(const ExplainedTable& table) {
  Json json{{"name", table.name},
            {"benchmark", table.benchmark},
            {"points", table.points},
            {"smallest_bytes", table.smallest.count},
            {"largest_bytes", table.largest.count},
            {"least_us", rounded(in_microseconds(table.least))}};
  if (table.is_pair)
    json.update({{"best_mbytes_per_s", rounded(table.best.value / 1e6)}, {"best_bytes", table.best_size.count}});
  json["changes"] = Json::array();
  for (const auto& change : table.changes)
    json["changes"].push_back(to_json(change));
  return json;
}

} // namespace

void write_json(const LogExplanation& all, std::ostream& out) {
  Json json{{"schema_version", 1}};
  for (const auto& table : all.tables)
    json["tables"].push_back(to_json(table));
  json["links"] = Json::array();
  for (const auto& link : all.links) {
    Json row{{"what", link.what}, {"mbytes_per_s", rounded(link.rate.value / 1e6)}, {"reached", rounded(link.reached)}};
    if (!link.links.empty())
      row["links"] = link.links;
    json["links"].push_back(std::move(row));
  }
  if (!all.platform.empty()) {
    json.update({{"platform", all.platform},
                 {"fabric", all.fabric},
                 {"ranks", all.ranks},
                 {"error", rounded(all.error)},
                 {"is_explained", all.is_explained},
                 {"equal_faults", all.equal},
                 {"is_assumed", all.is_assumed}});
    json["faults"] = Json::array();
    for (const auto& fault : all.faults)
      json["faults"].push_back(
          {{"kind", fault.kind}, {"what", fault.what}, {"check", fault.check}, {"error", rounded(fault.error)}});
  }
  out << json.dump(2) << '\n';
}

} // namespace kakehashi
