#include "input/scenario/scenario_parts.hpp"

#include "input/json/schema.hpp"
#include "input/platform/platform_reader.hpp"
#include "input/scenario/scenario_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace kakehashi {
namespace {

using nlohmann::json;
using Choice = std::vector<const Dimension::Value*>; // one choice a dimension; null: unchanged

constexpr std::size_t most_variants = 10000;
constexpr std::size_t most_faults = 20; // the most faults of combinations

// Puts `count` ranks on the device: where its first rank was, or at the end.
void put_ranks(std::vector<std::string>& ranks, const std::string& device, std::size_t count) {
  const auto first = std::find(ranks.begin(), ranks.end(), device) - ranks.begin();
  std::erase(ranks, device);
  ranks.insert(ranks.begin() + std::min(first, static_cast<std::ptrdiff_t>(ranks.size())), count, device);
}

class Expander {
public:
  Expander(const SweepDocuments& documents, const std::vector<Dimension>& dimensions)
      : documents_(documents), dimensions_(dimensions) {
    platforms_.emplace(Choice{}, documents.scenario.platform);
  }

  Result<Scenario> scenario(const Choice& choice, bool check_form) {
    auto changed = documents_.document;
    auto platform = documents_.platform;
    Choice of_platform; // the values that change the platform
    std::optional<std::vector<std::string>> ranks;
    for (std::size_t i = 0; i < choice.size(); ++i) {
      if (!choice[i])
        continue;
      if (dimensions_[i].pointer.empty()) {
        if (!ranks)
          ranks = names_of_ranks();
        for (const auto device : dimensions_[i].devices)
          put_ranks(*ranks, documents_.scenario.platform->devices[device].name, choice[i]->value.get<std::size_t>());
      } else {
        (*(dimensions_[i].is_in_platform ? platform : changed).root)[dimensions_[i].pointer] = choice[i]->value;
        if (dimensions_[i].is_in_platform)
          of_platform.push_back(choice[i]);
      }
    }
    if (check_form)
      if (auto errors = check_schema(changed, scenario_schema_text); !errors.empty())
        return errors;
    return scenario_of(changed, platform_of(platform, of_platform), ranks);
  }

  // The dimension's value in the unchanged scenario.
  std::string present(const Dimension& dimension) const {
    if (!dimension.pointer.empty()) {
      const auto& root = *(dimension.is_in_platform ? documents_.platform : documents_.document).root;
      const auto& value = root.at(dimension.pointer);
      return value.is_string() ? value.get<std::string>() : value.dump();
    }
    const auto& ranks = documents_.scenario.ranks;
    const auto count_on = [&](std::size_t device) { return std::count(ranks.begin(), ranks.end(), device); };
    const auto count = count_on(dimension.devices.front());
    const bool is_equal = std::all_of(dimension.devices.begin(), dimension.devices.end(),
                                      [&](std::size_t device) { return count_on(device) == count; });
    return is_equal ? std::to_string(count) : "as it stands";
  }

private:
  std::vector<std::string> names_of_ranks() const {
    std::vector<std::string> names;
    for (const auto device : documents_.scenario.ranks)
      names.push_back(documents_.scenario.platform->devices[device].name);
    return names;
  }

  const Result<std::shared_ptr<const Platform>>& platform_of(const JsonDocument& document, const Choice& values) {
    const auto [found, is_new] = platforms_.try_emplace(values, std::shared_ptr<const Platform>());
    if (is_new) {
      auto platform = parse_platform(document);
      if (platform)
        found->second = std::make_shared<const Platform>(std::move(*platform));
      else
        found->second = platform.errors();
    }
    return found->second;
  }

  const SweepDocuments& documents_;
  const std::vector<Dimension>& dimensions_;
  std::map<Choice, Result<std::shared_ptr<const Platform>>> platforms_; // platforms by the values that make them
};

void add_faults(const Errors& errors, const std::string& place, const std::string& what, Faults& faults) {
  for (const auto& error : errors)
    faults.add(place, fmt::format("{} does not do: {}", what, to_text(error)));
}

void check_alone(const std::vector<Dimension>& dimensions, Expander& expander, Faults& faults) {
  for (std::size_t i = 0; i < dimensions.size(); ++i)
    for (const auto& value : dimensions[i].values) {
      Choice choice(dimensions.size());
      choice[i] = &value;
      if (const auto scenario = expander.scenario(choice, true); !scenario)
        add_faults(scenario.errors(), value.place, in_quotes(value.text), faults);
    }
}

// Goes on to the next combination; the last dimension runs fastest. False after the last combination.
bool advance(std::vector<std::size_t>& at, const std::vector<Dimension>& dimensions) {
  for (std::size_t i = at.size(); i-- > 0;) {
    if (++at[i] < dimensions[i].values.size())
      return true;
    at[i] = 0;
  }
  return false;
}

} // namespace

void expand(const SweepDocuments& documents, const std::vector<Dimension>& dimensions, Sweep& sweep, Faults& faults) {
  Expander expander(documents, dimensions);
  Variant first{{}, documents.scenario};
  double count = 1;
  for (const auto& dimension : dimensions) {
    sweep.fields.push_back(dimension.name);
    first.values.push_back(expander.present(dimension));
    count *= static_cast<double>(dimension.values.size());
  }
  sweep.variants = {first};
  if (count > most_variants)
    return faults.add("/sweep/vary", mismatch(fmt::format("{:.0f} combinations of values", count),
                                              fmt::format("at most {}", most_variants)));
  check_alone(dimensions, expander, faults);
  if (dimensions.empty() || !faults.empty())
    return;
  std::vector<std::size_t> at(dimensions.size());
  std::size_t wrong = 0;
  do {
    Choice choice;
    std::vector<std::string> values;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      choice.push_back(&dimensions[i].values[at[i]]);
      values.push_back(choice.back()->text);
    }
    if (values == first.values)
      continue;
    auto scenario = expander.scenario(choice, false);
    if (scenario)
      sweep.variants.push_back({values, std::move(*scenario)});
    else if (++wrong <= most_faults)
      add_faults(scenario.errors(), "/sweep/vary", in_quotes(fmt::format("{}", fmt::join(values, ", "))), faults);
  } while (advance(at, dimensions));
}

} // namespace kakehashi
