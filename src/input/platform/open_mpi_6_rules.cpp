// Open MPI 6's file of rules for coll/tuned, in JSON: for each operation a list of communicators, and for each of these
// a list of sizes. In both lists the first match decides; without a match the library's own table does.
#include "input/json/fields.hpp"

#include "input/platform/mpi_reader.hpp"
#include "workload/collective/libraries.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using nlohmann::json;

class RulesOfJson {
public:
  explicit RulesOfJson(const JsonDocument& document) : document_(document), faults_(document.file) {}

  Result<CollectiveRules> read() {
    rules_.file = document_.file;
    const auto& root = *document_.root;
    if (root.contains("module") && root["module"] != "tuned")
      faults_.add("/module", mismatch(show(root["module"]), "\"tuned\""));
    if (!root["collectives"].is_object())
      faults_.add("/collectives", mismatch(show(root["collectives"]), "an object, with operations as keys"));
    else
      for (const auto& [name, communicators] : root["collectives"].items())
        read_operation(name, communicators, pointer_to("/collectives", name));
    if (!faults_.empty())
      return document_.in_document_order(faults_.take());
    return std::move(rules_);
  }

private:
  void read_operation(const std::string& name, const json& communicators, const std::string& place) {
    const auto own = name == "reduce_scatter" ? "reduce-scatter" : name;
    const auto found = std::ranges::find(collective_rows, own, &CollectiveRow::name);
    if (!communicators.is_array())
      return faults_.add(place, mismatch(show(communicators), "a list of communicators"));
    if (found == collective_rows.end() || !open_mpi_algorithm(found->collective, 1))
      return rules_.notes.push_back({place, "is no operation that is modelled here; its rules are passed over"});
    for (std::size_t i = 0; i < communicators.size(); ++i)
      read_communicator(found->collective, communicators[i], pointer_to(place, std::to_string(i)));
  }

  // Reads a number, or "inf"; `usual` if the field is missing.
  std::uint64_t number(const json& entry, const char* key, std::uint64_t usual, const std::string& place) {
    if (!entry.contains(key))
      return usual;
    const auto& value = entry[key];
    if (value.is_number_unsigned())
      return value.get<std::uint64_t>();
    const auto text = value.is_string() ? value.get<std::string>() : "";
    if (text.starts_with("inf") || text.starts_with("Inf") || text.starts_with("INF"))
      return infinite;
    faults_.add(pointer_to(place, key), mismatch(show(value), "a whole number from 0 on, or \"inf\""));
    return usual;
  }

  void read_communicator(Collective collective, const json& entry, const std::string& place) {
    if (!entry.is_object() || !entry.contains("rules") || !entry["rules"].is_array())
      return faults_.add(place, mismatch(show(entry), "an object with \"rules\", a list"));
    Decision row;
    row.collective = collective;
    row.measure = open_mpi_measure(collective);
    row.ranks_from = static_cast<int>(std::min<std::uint64_t>(number(entry, "comm_size_min", 0, place), most_ranks));
    const auto most = number(entry, "comm_size_max", infinite, place);
    row.ranks_below = static_cast<int>(std::min<std::uint64_t>(most, most_ranks - 1)) + 1;
    const auto places = entry.value("comm_rank_distribution", json("any"));
    if (places == "one-per-node")
      row.ranks_per_node_below = 2;
    else if (places != "any" && places != "single-node")
      rules_.notes.push_back({pointer_to(place, "comm_rank_distribution"),
                              show(places) + " is taken as \"any\"; others are \"one-per-node\" and \"single-node\""});
    if (row.ranks_from >= row.ranks_below)
      rules_.notes.push_back({place, "never matches: comm_size_min is above comm_size_max"});
    if (places == "single-node") // a row has no condition for whether all ranks are on one node
      return rules_.left_out.push_back({collective, place + " is for ranks of a single node"});
    for (std::size_t i = 0; i < entry["rules"].size(); ++i)
      read_rule(entry["rules"][i], row, pointer_to(pointer_to(place, "rules"), std::to_string(i)));
    row.algorithm = {}; // no other communicator is tried after this one
    rules_.rows.push_back(row);
  }

  void read_rule(const json& entry, Decision row, const std::string& place) {
    if (!entry.is_object() || !entry.contains("alg"))
      return faults_.add(place, mismatch(show(entry), "an object with \"alg\", an algorithm"));
    row.bytes_from = number(entry, "msg_size_min", 0, place);
    const auto most = number(entry, "msg_size_max", infinite, place);
    row.bytes_below = most == infinite ? infinite : most + 1;
    if (row.bytes_from >= row.bytes_below)
      rules_.notes.push_back({place, "never matches: msg_size_min is above msg_size_max"});
    for (const auto& before : rules_.rows)
      if (before.collective == row.collective && before.ranks_from <= row.ranks_from &&
          before.ranks_below >= row.ranks_below && before.ranks_per_node_below >= row.ranks_per_node_below &&
          before.bytes_from <= row.bytes_from && before.bytes_below >= row.bytes_below) {
        rules_.notes.push_back({place, "never matches, since a rule before it holds for all these sizes"});
        break;
      }
    if (!entry["alg"].is_number_unsigned())
      return rules_.left_out.push_back(
          {row.collective, pointer_to(place, "alg") + " is a name, which is not read here"});
    const auto alg = entry["alg"].get<std::uint64_t>();
    const auto algorithm = alg == 0 || alg > 100 ? nullptr : open_mpi_algorithm(row.collective, static_cast<int>(alg));
    if (algorithm) {
      row.algorithm = algorithm->algorithm;
      row.width = algorithm->width;
      const auto fan = number(entry, "faninout", 0, place);
      if (row.algorithm == "chain" && row.width == 0)
        row.width = static_cast<int>(std::min<std::uint64_t>(fan, 100000));
      if (algorithm_table()[index_of_algorithm(row.collective, row.algorithm)].traits.takes_segment)
        row.segment = {number(entry, "seg_size", 0, place)};
    } else if (alg > 0)
      rules_.notes.push_back({pointer_to(place, "alg"), fmt::format("{} is no algorithm that is known here", alg)});
    rules_.rows.push_back(row);
  }

  static constexpr std::uint64_t infinite = Decision{}.bytes_below;
  static constexpr std::uint64_t most_ranks = std::numeric_limits<int>::max();
  const JsonDocument& document_;
  Faults faults_;
  CollectiveRules rules_;
};

} // namespace

Result<CollectiveRules> parse_open_mpi_6_rules(const JsonDocument& document) {
  return RulesOfJson(document).read();
}

} // namespace kakehashi
