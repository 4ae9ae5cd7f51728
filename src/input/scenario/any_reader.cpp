#include "input/scenario/any_reader.hpp"

#include "input/platform/platform_reader.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "input/scenario/sweep_reader.hpp"

namespace kakehashi {

Result<std::variant<Platform, Scenario>> read_any(const std::string& file, const ScenarioEdits& edits) {
  const auto document = document_of(file, edits);
  if (!document)
    return document.errors();
  using Either = std::variant<Platform, Scenario>;
  const auto either = [](auto result) -> Result<Either> {
    if (!result)
      return result.errors();
    return Either{std::move(*result)};
  };
  const auto& root = document->root;
  if (root.is_object() && root.contains("sweep") && root.contains("workload")) {
    auto sweep = read_sweep(file, "", edits);
    if (!sweep)
      return sweep.errors();
    return Either{std::move(sweep->variants.front().scenario)};
  }
  if (root.is_object() && (root.contains("workload") || root.contains("ranks")))
    return either(read_scenario(file, edits));
  if (root.is_object() && root.contains("fabrics"))
    return either(parse_platform(*document));
  return Error{ErrorKind::input, file, "", mismatch("neither \"fabrics\" nor \"workload\"", "a platform or a scenario"),
               ""};
}

} // namespace kakehashi
