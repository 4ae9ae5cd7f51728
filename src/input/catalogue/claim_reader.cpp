// Reads the claims of documents: the quantity that each bounds, and its bounds.
#include "input/catalogue/catalogue_reader.hpp"

#include "input/catalogue/claim_runs.hpp"
#include "input/platform/mpi_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

using Number = Claim::Number;
using Comparison = Claim::Comparison;

struct Bound {
  const char* key;
  Number number;
  Comparison comparison;
  double megabyte = 1e6;
};
constexpr Bound bounds[] = {{"latency_us", Number::time, Comparison::none},
                            {"bandwidth_mb_s", Number::bandwidth, Comparison::none},
                            {"bandwidth_mib_s", Number::bandwidth, Comparison::none, 0x1p20},
                            {"slowest_link_mib_s", Number::bandwidth, Comparison::none, 0x1p20},
                            {"bandwidth_ratio", Number::bandwidth, Comparison::ratio},
                            {"difference_us", Number::time, Comparison::difference},
                            {"ratio_dapl_to_tcp_throughput", Number::throughput, Comparison::ratio},
                            {"ratio_first_to_second_throughput", Number::throughput, Comparison::ratio},
                            {"ratio_old_to_new_time", Number::time, Comparison::ratio},
                            {"ratio_first_to_second_time", Number::time, Comparison::ratio}};

// Reads the bounds of a quantity that is no crossover.
void read_between(Claim& claim, const Checked& between) {
  const auto ends = between.elements(2);
  claim.low = ends[0].number();
  claim.high = ends[1].number();
  if (claim.low > claim.high)
    between.refuse("the lower bound first");
}

// Reads all fields of the claim but its bounds.
Claim read_head(const Checked& entry, const std::string& platform) {
  Claim claim;
  claim.id = entry.at("id").text();
  if (const auto missed = entry.find("missed"))
    claim.missed = missed->text();
  if (const auto repeats = entry.find("repeats"))
    claim.repeats = repeats->text();
  claim.platform = platform;
  claim.role = read_role(entry);
  if (const auto assumed = entry.find("assumed"))
    claim.is_implied = assumed->flag();
  if (const auto turned_by = entry.find("turned_by"))
    for (const auto& each : turned_by->elements())
      claim.turned_by.push_back({each.at("parameter").text(), each.at("factor").number()});
  return claim;
}

Claim read_bounds(const Checked& entry, const std::string& platform) {
  auto claim = read_head(entry, platform);
  if (const auto through = entry.find("first_wins_through_bytes")) {
    claim.comparison = Comparison::crossover;
    claim.low = static_cast<double>(through->count());
    if (const auto from = entry.at("second_wins_from_bytes"); !from.is_null())
      claim.high = static_cast<double>(from.count());
    return claim;
  }
  std::vector<std::string_view> keys{"first_wins_through_bytes"};
  bool is_bounded = false;
  for (const auto& [key, number, comparison, megabyte] : bounds) {
    keys.push_back(key);
    const auto bound = entry.find(key);
    if (!bound)
      continue;
    claim.number = number;
    claim.comparison = comparison;
    claim.megabyte = megabyte;
    read_between(claim, bound->at("between"));
    is_bounded = true;
  }
  if (!is_bounded)
    entry.refuse(fmt::format("a claim with one of {}", fmt::join(keys, ", ")));
  return claim;
}

} // namespace

std::optional<Role> read_role(const Checked& object) {
  const auto role = object.find("role");
  if (!role)
    return std::nullopt;
  const auto found = std::ranges::find(role_names, role->text());
  if (found == role_names.end())
    role->refuse(fmt::format("one of {}", fmt::join(role_names, ", ")));
  return static_cast<Role>(found - role_names.begin());
}

Result<std::vector<ClaimCase>> read_claims(const JsonDocument& document,
                                           const std::map<std::string, std::shared_ptr<const Platform>>& platforms,
                                           const std::map<std::string, Scenario>& scenarios) {
  std::vector<ClaimCase> cases;
  try {
    for (const auto& [platform, list] : Checked(*document.root, "").members()) {
      if (list.is_text()) // a note
        continue;
      const auto found = platforms.find(platform);
      for (const auto& entry : list.elements()) {
        ClaimCase item{read_bounds(entry, platform), {}, "", ""};
        if (found == platforms.end())
          item.pending = "the platform does not exist yet";
        else
          add_runs(item, entry, found->second, scenarios);
        cases.push_back(std::move(item));
      }
    }
  } catch (const Misfit& misfit) {
    return misfit.in(document.file);
  }
  return cases;
}

std::vector<std::size_t> read_box(const Checked& entry, const Platform& platform) {
  const auto box = entry.at("box");
  if (!platform.torus)
    box.refuse("none on a platform that is no torus");
  const auto& torus = *platform.torus;
  const auto whole = torus.box();
  BoxPoint extent{};
  for (std::size_t axis = 0; axis < extent.size(); ++axis) {
    const auto length = box.elements(extent.size())[axis];
    if (length.count() < 1 || length.count() > static_cast<std::uint64_t>(whole[axis]))
      length.refuse(fmt::format("1 to {} nodes", whole[axis]));
    extent[axis] = static_cast<int>(length.count());
  }
  const auto per_node = entry.at("per_node").count();
  std::vector<std::size_t> ranks;
  for (int z = 0; z < extent[2]; ++z)
    for (int y = 0; y < extent[1]; ++y)
      for (int x = 0; x < extent[0]; ++x)
        for (std::size_t i = 0; i < torus.devices_per_node; ++i) {
          const auto device = node_at(whole, {x, y, z}) * torus.devices_per_node + i;
          if (can_run_ranks(platform.devices[device].kind))
            ranks.insert(ranks.end(), per_node, device);
        }
  return ranks;
}

void set_library(MpiSettings& mpi, const Checked& name, const std::string& collective) {
  const auto found = std::find(collective_names.begin(), collective_names.end(), collective);
  if (found == collective_names.end())
    name.refuse("none for a benchmark of no collective operation");
  const auto with = with_library(mpi, static_cast<Collective>(found - collective_names.begin()), name.text());
  if (!with)
    name.refuse(fmt::format("decision tables, or an algorithm of {}", collective));
  mpi = *with;
}

} // namespace kakehashi
