// What a log shows → a report.
#include "base/text.hpp"
#include "report/findings.hpp"
#include "result/log_explanation.hpp"
#include "writer/json_values.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

constexpr double worth_saying = 0.04; // as a share of a time
constexpr std::size_t most_shown = 4; // number of faults

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

// Rounds to about two digits: the sizes at which lines meet are no more accurate.
std::string about(Bytes size) {
  const auto count = static_cast<double>(size.count);
  const double unit = count < 1024 ? 1 : count < 1 << 20 ? 1024 : 1 << 20;
  return fmt::format("{:.{}f} {}", count / unit, unit > 1 && count / unit < 10 ? 1 : 0,
                     unit > 1024 ? "MiB"
                     : unit > 1  ? "KiB"
                                 : "B");
}

// Describes the gain from moving a limit; empty: it is too small. The lines do not show this for messages that overlap.
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

Listing changes_of(const ExplainedTable& table) {
  Listing listing{"",
                  {left("change at", 12), right("costs there", 20), right("MB/s below", 11), right("above", 8),
                   left("what it is", 0, 2)},
                  {}};
  listing.name = "Changes of protocol: " + table.name;
  for (const auto& change : table.changes) {
    listing.rows.push_back(
        {to_text(change.first),
         fmt::format("{:+.2f} us ({:+.0f} %)", in_microseconds(change.cost()), 100 * (change.cost() / change.expected)),
         rate_text(change.rate_below), rate_text(change.rate_above), change_text(change)});
    if (const auto advice = advice_of(change, table.is_lone); !advice.empty())
      listing.rows.push_back({"", {advice, 4}});
  }
  return listing;
}

std::string standard_text(const MovingVariable& variable) {
  return variable.row->standard ? fmt::format("{} unless set", to_text(*variable.row->standard))
                                : "chosen at start unless set";
}

std::string_view scope_text(LogScope scope) {
  return scope == LogScope::inside_node ? ", inside nodes" : scope == LogScope::between_nodes ? ", between nodes" : "";
}

// Leaves out variables whose standard value is elsewhere, unless the library is known to have no others.
std::vector<MovingVariable> likely(const std::vector<MovingVariable>& variables) {
  std::vector<MovingVariable> found;
  std::ranges::copy_if(variables, std::back_inserter(found),
                       [](const MovingVariable& variable) { return variable.is_here || !variable.row->standard; });
  return found.empty() ? variables : found;
}

void add_variables(const std::vector<ExplainedTable>& tables, ReportParts& parts) {
  std::vector<const FoundChange*> shown; // each kind once, and eager_ends at each size
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
    parts.push_back(Note{"what may move the change at " + to_text(change->first)});
    for (const auto& variable : likely(change->variables))
      parts.push_back(Item{fmt::format("{:<55} {}{}: {}", variable.row->setting, variable.row->library,
                                       scope_text(variable.row->scope), standard_text(variable))});
  }
}

// Returns the first name, and the number of the others.
std::string names_text(const std::vector<std::string>& names) {
  return names.size() <= 2 ? fmt::format("{}", fmt::join(names, ", "))
                           : fmt::format("{} and {} like it", names.front(), names.size() - 1);
}

void add_links(const LogExplanation& all, ReportParts& parts) {
  BytesPerSecond best;
  for (const auto& table : all.tables)
    best = std::max(best, table.best);
  if (all.links.empty() || best.value <= 0)
    return;
  parts.push_back(
      Note{all.platform.empty()
               ? fmt::format("nearest known links that can carry {:.0f} MB/s; the log does not say which it took",
                             best.value / 1e6)
               : "what the links allow, the narrowest first, and how much of it the log reaches"});
  for (const auto& link : all.links)
    parts.push_back(Item{fmt::format("{:<22} {:>8.0f} MB/s {:>7.1f} %{}", link.what, link.rate.value / 1e6,
                                     100 * link.reached, link.links.empty() ? "" : "  " + names_text(link.links))});
  if (!all.platform.empty() && all.links.front().reached > 1.02)
    parts.push_back(
        Note{"that is more than the platform allows: the log is of another way, or a link is faster than stated"});
}

// Writes a mean |ln| as people would say it.
std::string factor_text(double error) {
  const double factor = std::exp(error);
  return factor < 2 ? percent_text(factor - 1) : fmt::format("a factor of {:.1f}", factor);
}

constexpr double well = 0.05; // as an error

Item item_of(const TriedFault& fault) {
  return {fmt::format("{:>16}  {}", factor_text(fault.error), fault.what)};
}

void add_explained(const LogExplanation& all, ReportParts& parts) {
  const auto& best = all.faults.front();
  parts.push_back(
      Note{fmt::format("one fault would explain {}: {}", best.error < well ? "it" : "most of it, not all", best.what)});
  for (std::size_t i = 1; i < std::min(all.equal, most_shown); ++i)
    parts.push_back(Note{"or, as well: " + all.faults[i].what, 1});
  std::vector<std::string> checks;
  for (std::size_t i = 0; i < all.equal; ++i)
    if (const auto& check = all.faults[i].check; !check.empty() && std::ranges::find(checks, check) == checks.end())
      checks.push_back(check);
  for (const auto& check : checks)
    parts.push_back(Note{"look at " + check, 1});
  parts.push_back(Note{"off by, with each fault by itself"});
  for (std::size_t i = 0; i < std::min(std::max(most_shown, all.equal + 2), all.faults.size()); ++i)
    parts.push_back(item_of(all.faults[i]));
}

void add_faults(const LogExplanation& all, ReportParts& parts) {
  parts.push_back(
      Note{fmt::format("on {}, fabric {}, {}: the prediction is off by {} on average", all.platform, all.fabric,
                       all.ranks.size() == 2 ? fmt::format("between {}", fmt::join(all.ranks, " and "))
                                             : counted(all.ranks.size(), "rank"),
                       factor_text(all.error))});
  if (all.is_explained)
    add_explained(all, parts);
  else if (all.error < well)
    parts.push_back(Note{"no sign of a fault: the log is as predicted, and no fault explains it clearly better"});
  else {
    parts.push_back(
        Note{all.faults.empty() ? "no single fault explains it" : "no single fault explains it; the nearest leaves"});
    if (!all.faults.empty())
      parts.push_back(item_of(all.faults.front()));
  }
  if (all.is_assumed)
    parts.push_back(Note{fmt::format(
        "what messages cost on this platform is assumed, so {}; `kakehashi calibrate` with logs of a healthy pair "
        "would make this sharper",
        all.tables.front().is_pair && !all.links.empty() ? "sizes count by the share that links have of their time"
                                                         : "that may be the reason as well")});
}

ReportParts parts_of(const LogExplanation& all) {
  ReportParts parts;
  for (const auto& table : all.tables) {
    parts.push_back(Note{fmt::format("{}: {}, {} from {} to {}{}", table.name, table.benchmark,
                                     counted(table.points, "size"), to_text(table.smallest), to_text(table.largest),
                                     table.is_stream ? "; times are those of a message in the stream" : "")});
    const auto best =
        table.is_pair ? fmt::format(", {:.0f} MB/s at best, with {}", table.best.value / 1e6, to_text(table.best_size))
                      : "";
    parts.push_back(
        Note{fmt::format("{:.2f} us for {}{}", in_microseconds(table.least), to_text(table.smallest), best)});
    if (table.is_pair && table.changes.empty())
      parts.push_back(Note{"one protocol for all sizes, as far as the log shows"});
    else if (table.is_pair)
      parts.push_back(changes_of(table));
  }
  add_variables(all.tables, parts);
  add_links(all, parts);
  if (!all.platform.empty())
    add_faults(all, parts);
  return parts;
}

Json tree_of(const FoundChange& change) {
  Json json{{"kind", name_of(protocol_change_names, change.kind)},
            {"last_bytes", change.last.count},
            {"first_bytes", change.first.count},
            {"measured_us", rounded_us(change.measured)},
            {"expected_us", rounded_us(change.expected)},
            {"cost_us", rounded_us(change.cost())}};
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

Json tree_of(const ExplainedTable& table) {
  Json json{{"name", table.name},
            {"benchmark", table.benchmark},
            {"points", table.points},
            {"smallest_bytes", table.smallest.count},
            {"largest_bytes", table.largest.count},
            {"least_us", rounded_us(table.least)}};
  if (table.is_pair)
    json.update({{"best_mbytes_per_s", rounded(table.best.value / 1e6)}, {"best_bytes", table.best_size.count}});
  json["changes"] = json_list(table.changes, [](const FoundChange& change) { return tree_of(change); });
  return json;
}

Json tree_of(const LogExplanation& all) {
  Json json{{"schema_version", 1}};
  for (const auto& table : all.tables)
    json["tables"].push_back(tree_of(table));
  json["links"] = json_list(all.links, [](const auto& link) {
    Json row{{"what", link.what}, {"mbytes_per_s", rounded(link.rate.value / 1e6)}, {"reached", rounded(link.reached)}};
    add_if_any(row, "links", link.links);
    return row;
  });
  if (all.platform.empty())
    return json;
  json.update({{"platform", all.platform},
               {"fabric", all.fabric},
               {"ranks", all.ranks},
               {"error", rounded(all.error)},
               {"is_explained", all.is_explained},
               {"equal_faults", all.equal},
               {"is_assumed", all.is_assumed}});
  json["faults"] = json_list(all.faults, [](const TriedFault& fault) {
    return Json{{"kind", fault.kind}, {"what", fault.what}, {"check", fault.check}, {"error", rounded(fault.error)}};
  });
  return json;
}

} // namespace

Report report_of(const LogExplanation& all) {
  return {[&] { return parts_of(all); }, nullptr, [&] { return tree_of(all); }};
}

} // namespace kakehashi
