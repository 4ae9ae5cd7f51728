// Writes MPICH's selection files. All of MPICH 4 and 5 read them alike, and an entry that they do not know ends the
// job, at its start or at a call that meets it.
#include "writer/rules_writer.hpp"

#include "base/number.hpp"
#include "model/mpi_library.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

using Json = nlohmann::ordered_json;
using enum Collective;

constexpr std::uint64_t largest_number = 2147483647; // MPICH reads them as int

std::string capital_name(Collective collective) {
  auto name = name_in_rules(collective);
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

// Returns ch4's composition without levels, which leaves the whole communicator to the algorithms of mpir. Empty: the
// library's own is such a one.
std::string flat_composition(Collective collective) {
  const auto named = [&](std::string_view letter) {
    return fmt::format("composition=MPIDI_{}_intra_composition_{}", capital_name(collective), letter);
  };
  switch (collective) {
  case bcast:
  case reduce: return named("gamma");
  case allreduce:
  case barrier: return named("beta");
  default: return "";
  }
}

// Restricts an algorithm to the calls that it can serve, as MPICH's own selection does.
Json guarded(Collective collective, std::string_view function, const Json& before) {
  const auto parameters = function.starts_with("k_") ? Json{{"k=2", Json::object()}} : Json::object();
  Json taken{{fmt::format("algorithm=MPIR_{}_intra_{}", capital_name(collective), function), parameters}};
  if (function.starts_with("reduce_scatter_"))
    taken = Json{{"is_op_built_in=no", before},
                 {"is_op_built_in=yes", Json{{"count<pow2", before}, {"count=any", std::move(taken)}}}};
  if (function == "smp")
    taken = Json{{"comm_hierarchy=parent", std::move(taken)}, {"comm_hierarchy=any", before}};
  if (mpich_knows("is_commutative", collective))
    taken = Json{{"is_commutative=no", before}, {"is_commutative=yes", std::move(taken)}};
  if (mpich_knows("is_sendbuf_inplace", collective))
    taken = Json{{"is_sendbuf_inplace=yes", before}, {"is_sendbuf_inplace=no", std::move(taken)}};
  return taken;
}

// Returns what holds for one size in place of `before`, which is what holds for it so far.
Json choice_of(Collective collective, const TunedSize& each, const Json& before, bool has_compositions) {
  const auto flat = flat_composition(collective);
  if (!each.is_changed || (has_compositions && flat.empty()))
    return before;
  return has_compositions ? Json{{flat, Json::object()}} : guarded(collective, each.form.function, before);
}

// Writes the sizes of one communicator.
Json sizes_of(const TunedOperation& operation, const Json& before, bool has_compositions) {
  const auto choice = [&](const TunedRange& range) {
    return choice_of(operation.collective, *range.first, before, has_compositions);
  };
  const auto ranges = ranges_of(operation);
  if (ranges.size() == 1)
    return choice(ranges.front());
  const bool is_total = !mpich_knows("avg_msg_size", operation.collective);
  const std::string_view measure = is_total ? "total_msg_size" : "avg_msg_size";
  Json sizes = Json::object();
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto* next = i + 1 < ranges.size() ? ranges[i + 1].first : nullptr;
    const auto end = next ? is_total ? next->all : next->block : largest_number + 1;
    sizes[end > largest_number ? fmt::format("{}=any", measure) : fmt::format("{}<{}", measure, end)] =
        choice(ranges[i]);
    if (end > largest_number)
      break;
  }
  return sizes;
}

// Writes "comm_size<8" as "comm_size<=7", where MPICH asks when it makes a communicator: deeper in another tree it may
// be asked at calls, where the former holds for 8 ranks, too.
Json with_plain_sizes(const Json& tree) {
  Json plain = Json::object();
  bool is_at_calls = false;
  for (const auto& [key, below] : tree.items()) {
    is_at_calls |= !is_of_communicator(key.substr(0, key.find_first_of("<= ")));
    const std::string_view less = "comm_size<";
    const auto most = key.starts_with(less) ? number_in<std::uint64_t>(key.substr(less.size())) : std::nullopt;
    plain[most && *most > 0 && !is_at_calls ? fmt::format("comm_size<={}", *most - 1) : key] =
        is_at_calls ? below : with_plain_sizes(below);
  }
  return plain;
}

} // namespace

Result<std::string> mpich_rules(const Tuning& tuning, const std::string& base, const std::string& file) {
  auto root = Json::parse(base, nullptr, false);
  const auto fault = [&](const std::string& place, const std::string& found) {
    return input_error(file, place,
                       mismatch(found, "a selection of MPICH, such as its maint/tuning/coll/mpir/generic.json"));
  };
  if (root.is_discarded() || !root.is_object())
    return fault("", "no JSON object");
  const bool has_compositions = base.find("\"composition=") != std::string::npos;
  if (!has_compositions && base.find("\"algorithm=") == std::string::npos)
    return fault("", "neither algorithms nor compositions");
  for (const auto& [collective, communicators] : changed_by_collective(tuning)) {
    const auto key = "collective=" + name_in_rules(collective);
    if (!root.contains(key) || !root[key].is_object())
      return fault("/" + key, "nothing for this operation");
    auto& whole = root[key];
    auto& place = whole.contains("comm_type=intra") ? whole["comm_type=intra"] : whole;
    const auto before = with_plain_sizes(place);
    Json tree = Json::object();
    for (const auto* operation : communicators) {
      tree.emplace(fmt::format("comm_size<={}", operation->ranks - 1), Json(before));
      tree[fmt::format("comm_size<={}", operation->ranks)] = sizes_of(*operation, before, has_compositions);
    }
    tree["comm_size=any"] = before;
    place = std::move(tree);
  }
  auto text = root.dump() + "\n";
  if (text.size() % 4096 == 0) // MPICH reads the file as a string in mapped pages, and needs a byte behind its end
    text += '\n';
  return text;
}

} // namespace kakehashi
