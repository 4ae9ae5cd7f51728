// MPICH's tuning file: a tree of conditions in JSON ("comm_size<=8", "avg_msg_size=any") whose leaves name algorithms.
// Among the conditions at one level the first that holds decides; the search never comes back from below it.
#include "input/json/fields.hpp"

#include "base/number.hpp"
#include "input/platform/mpi_reader.hpp"
#include "model/mpi_library.hpp"
#include "workload/collective/libraries.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using nlohmann::json;

// Cases that MPICH distinguishes, but that a run here never has, or always has.
constexpr std::string_view never[] = {"comm_type=inter",         "is_commutative=no",   "is_sendbuf_inplace=yes",
                                      "is_op_built_in=no",       "is_block_regular=no", "is_multi_threaded=yes",
                                      "comm_size=node_comm_size"};
constexpr std::string_view always[] = {"comm_type=intra",       "is_commutative=yes",   "is_sendbuf_inplace=no",
                                       "is_op_built_in=yes",    "is_block_regular=yes", "is_multi_threaded=no",
                                       "is_node_consecutive=no"};

// "comm_size<=8": the quantity, the relation and the number. "comm_size=pow2" has no number.
struct Condition {
  std::string_view what;
  std::string_view value;
  std::uint64_t below = 0; // the first number for which it does not hold; 0: it has no number
};

Condition condition_of(std::string_view key) {
  const auto sign = std::min(key.find_first_of("<="), key.size());
  Condition condition{key.substr(0, sign), key.substr(std::min(sign + 1, key.size())), 0};
  if (sign == key.size() || key[sign] == '=')
    return condition;
  const bool is_inclusive = condition.value.starts_with('=');
  const auto digits = condition.value.substr(is_inclusive ? 1 : 0);
  if (const auto number = number_in<std::uint64_t>(digits); number && *number < (std::uint64_t{1} << 62))
    condition.below = *number + (is_inclusive ? 1 : 0);
  return condition;
}

class TuningTree {
public:
  explicit TuningTree(const JsonDocument& document) : document_(document), faults_(document.file) {}

  Result<CollectiveRules> read() {
    for (const auto& key : keys_of(*document_.root, "")) {
      const auto place = pointer_to("", key);
      const std::string_view prefix = "collective=";
      if (!key.starts_with(prefix)) {
        faults_.add(place, mismatch(in_quotes(key), "an operation, such as \"collective=allgather\""));
        continue;
      }
      const auto found =
          std::ranges::find(collective_rows, mpich_name(key.substr(prefix.size())), &CollectiveRow::name);
      note_faults({}, key, (*document_.root)[key], place);
      if (found != collective_rows.end()) // other operations, such as nonblocking ones, are not modelled
        walk((*document_.root)[key], place, Decision{.collective = found->collective});
    }
    for (const auto& each : collective_rows)
      if (auto name = std::string(each.name); !document_.root->contains("collective=" + open_name(name)))
        rules_.notes.push_back({"", fmt::format("has nothing for {}; as the file takes the place of all of MPICH's own "
                                                "selection, calls of it end the job",
                                                open_name(name))});
    if (document_.root->empty())
      faults_.add("", mismatch("nothing", "operations, such as \"collective=allgather\""));
    if (!faults_.empty())
      return document_.in_document_order(faults_.take());
    rules_.file = document_.file;
    return std::move(rules_);
  }

private:
  static std::string open_name(std::string name) { return name == "reduce-scatter" ? "reduce_scatter" : name; }
  static std::string mpich_name(std::string name) { return name == "reduce_scatter" ? "reduce-scatter" : name; }

  // Returns the keys in the order of the file.
  std::vector<std::string> keys_of(const json& node, const std::string& place) const {
    std::vector<std::string> keys;
    if (node.is_object())
      for (const auto& [key, value] : node.items())
        keys.push_back(key);
    std::ranges::sort(keys, {}, [&](const std::string& key) {
      const auto at = document_.order.find(pointer_to(place, key));
      return at == document_.order.end() ? 0 : at->second;
    });
    return keys;
  }

  // Returns the earlier condition that holds wherever this one does; empty: there is none.
  static std::string covering(const std::vector<std::string>& before, const std::string& key) {
    const auto condition = condition_of(key);
    for (const auto& each : before) {
      const auto other = condition_of(each);
      if (other.what == condition.what && (other.value == "any" || other.value == condition.value ||
                                           (other.below > 0 && condition.below > 0 && other.below >= condition.below)))
        return each;
    }
    return "";
  }

  // Whether some entry holds in every case. Only MPICH's own files define what happens between groups of processes.
  static bool is_complete(const std::vector<std::string>& keys) {
    const auto has = [&](std::string_view end) {
      return std::ranges::any_of(keys, [&](const std::string& key) { return key.ends_with(end); });
    };
    return has("=any") || (has("=yes") && has("=no")) || has("comm_type=intra");
  }

  // A condition that must not be the last of its level.
  static bool needs_a_next(std::string_view key) {
    return key.find('<') != std::string_view::npos || key == "comm_size=pow2" || key == "comm_size=node_comm_size";
  }

  void note(const std::string& place, std::string what) { rules_.notes.push_back({place, std::move(what)}); }

  // Notes what MPICH does not take where it starts, or what never matches.
  void note_faults(const std::vector<std::string>& before, const std::string& key, const json& below,
                   const std::string& place) {
    const auto is_any = [](const std::string& each) { return each.ends_with("=any"); };
    if (const auto any = std::ranges::find_if(before, is_any); any != before.end())
      note(place, fmt::format("comes after {}, which must be the last entry: MPI_Init ends the job", in_quotes(*any)));
    else if (const auto which = covering(before, key); !which.empty())
      note(place, fmt::format("never matches, since {} before it always does where this would", in_quotes(which)));
    if (below.is_object() && below.empty() && !is_leaf(key))
      note(place, "is empty: MPI_Init ends the job");
  }

  void note_end(const std::vector<std::string>& keys, const std::string& place) {
    if (keys.empty())
      return; // noted where it is entered
    if (needs_a_next(keys.back()))
      note(place, fmt::format("ends with {}: MPI_Init ends the job, since an entry for all other cases must follow, "
                              "such as one that ends in \"=any\"",
                              in_quotes(keys.back())));
    else if (!is_complete(keys))
      note(place, "has no entry for all other cases, such as one that ends in \"=any\"; there MPICH has no algorithm, "
                  "and the job ends");
  }

  static bool is_leaf(std::string_view key) { return key.starts_with("algorithm=") || key.starts_with("composition="); }

  void walk(const json& node, const std::string& place, const Decision& above, bool is_at_calls = false) {
    if (!node.is_object()) {
      faults_.add(place, mismatch(show(node), "an object"));
      return;
    }
    std::vector<std::string> before;
    for (const auto& written : keys_of(node, place)) {
      const auto below = pointer_to(place, written);
      auto key = written;
      std::erase(key, ' ');
      note_faults(before, key, node[written], below);
      before.push_back(key);
      auto row = above;
      if (is_leaf(key))
        return add_leaf(key.substr(key.find('=') + 1), node[written], below, row);
      is_at_calls |= !is_of_communicator(condition_of(key).what);
      if (narrow(row, key, below, is_at_calls))
        walk(node[written], below, row, is_at_calls);
    }
    note_end(before, place);
    rules_.rows.push_back(above); // rows below it never hold
  }

  // Restricts the row to the condition; false if the condition never holds.
  bool narrow(Decision& row, const std::string& key, const std::string& place, bool is_at_calls) {
    auto condition = condition_of(key);
    const bool has_answer = condition.value == "any" || mpich_knows(condition.what, row.collective);
    if (!has_answer)
      note(place, fmt::format("MPICH knows no {} of {}: a call that comes here ends the job", condition.what,
                              open_name(std::string(row_of(row.collective).name))));
    if (is_at_calls && condition.below > 0 && key.starts_with("comm_size<") && !condition.value.starts_with('=')) {
      note(place, fmt::format("holds for {} ranks, too, since MPICH takes it as \"comm_size<={}\" where a condition on "
                              "calls is above it",
                              condition.below, condition.below));
      ++condition.below;
    }
    if (condition.value == "any" || std::ranges::find(always, key) != std::end(always))
      return true;
    if (std::ranges::find(never, key) != std::end(never))
      return false;
    const auto limit = [&](auto& value) {
      using Value = std::remove_reference_t<decltype(value)>;
      if (condition.below < static_cast<std::uint64_t>(value))
        value = static_cast<Value>(condition.below);
      return true;
    };
    if (key == "comm_size=pow2")
      row.ranks = Ranks::power_of_two;
    else if (key == "count<pow2") // fewer elements (of 4 bytes) than the largest power of two of ranks
      row.ranks_above_line = {0.25, 0};
    else if (key == "comm_hierarchy=parent")
      row.on_nodes = true;
    else if (key == "comm_hierarchy=flat" || key == "comm_hierarchy=node" || key == "comm_hierarchy=node_roots")
      row.off_nodes = true;
    else if (key == "is_node_consecutive=yes")
      row.on_nodes = true;
    else if (condition.below > 0 && condition.what == "comm_size")
      return limit(row.ranks_below);
    else if (condition.below > 0 && condition.what == "comm_avg_ppn")
      return limit(row.ranks_per_node_below);
    else if (condition.below > 0 && condition.what == "count")
      return limit_bytes(row, Measure::usual, condition.below * 4, place);
    else if (condition.below > 0 && condition.what == "avg_msg_size")
      return limit_bytes(row, Measure::block, condition.below, place);
    else if (condition.below > 0 && condition.what == "total_msg_size")
      return limit_bytes(row, Measure::all_blocks, condition.below, place);
    else {
      faults_.add(place, mismatch(in_quotes(key), "a condition such as \"comm_size<=8\", \"comm_size=pow2\", "
                                                  "\"avg_msg_size<1024\", \"total_msg_size=any\" or "
                                                  "\"comm_hierarchy=parent\""));
      return false;
    }
    return true;
  }

  bool limit_bytes(Decision& row, Measure measure, std::uint64_t below, const std::string& place) {
    const bool is_whole = row_of(row.collective).division == Division::whole;
    const auto used = is_whole ? Measure::usual : measure;
    const bool is_limited = row.bytes_below < Decision{}.bytes_below;
    if (is_limited && row.measure != used) {
      rules_.left_out.push_back({row.collective, place + " goes by another size than the rule above it"});
      return false;
    }
    row.measure = used;
    row.bytes_below = std::min(row.bytes_below, below);
    return true;
  }

  // Adds the leaf of a branch. MPIR_Allgather_intra_k_brucks is "k_brucks"; "k=4" may stand below it.
  void add_leaf(const std::string& function, const json& parameters, const std::string& place, Decision row) {
    auto name = std::string_view(function);
    for (const std::string_view word : {"_intra_", "_allcomm_", "_inter_"})
      if (const auto at = name.find(word); at != std::string_view::npos)
        name = name.substr(at + word.size());
    const auto* known = function.starts_with("MPIR_") ? mpich_function(row.collective, name) : nullptr;
    if (!known) {
      rules_.left_out.push_back({row.collective, function + " is not modelled"});
      rules_.rows.push_back(row);
      return;
    }
    note_function(*known, function, parameters, place);
    const auto& algorithm = algorithm_table()[index_of_algorithm(row.collective, known->algorithm)];
    row.algorithm = algorithm.name;
    row.width = known->width;
    row.on_nodes = row.on_nodes || algorithm.traits.has_two_levels;
    for (const auto& key : keys_of(parameters, place))
      if (key.starts_with("k=") && algorithm.traits.takes_width && row.width == 0) {
        row.width = number_in<int>(std::string_view(key).substr(2)).value_or(0);
        if (row.width < 2 || row.width > 100000)
          faults_.add(pointer_to(place, key), mismatch(in_quotes(key), "a number from 2 on, such as \"k=4\""));
      }
    rules_.rows.push_back(row);
  }

  void note_function(const NamedAlgorithm& known, const std::string& function, const json& parameters,
                     const std::string& place) {
    if (!known.since.empty())
      note(place, fmt::format("{} came with MPICH {}; before it MPI_Init ends the job", function, known.since));
    if (!known.until.empty())
      note(place, fmt::format("MPICH has no {} after {}, and there MPI_Init ends the job", function, known.until));
    if (known.function.starts_with("k_") && parameters.empty())
      note(place, "has no base, such as \"k=2\": MPICH then takes an arbitrary number");
  }

  const JsonDocument& document_;
  Faults faults_;
  CollectiveRules rules_;
};

} // namespace

Result<CollectiveRules> parse_mpich_rules(const JsonDocument& document) {
  return TuningTree(document).read();
}

} // namespace kakehashi
