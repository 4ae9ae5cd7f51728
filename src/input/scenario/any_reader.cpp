#include "input/scenario/any_reader.hpp"

#include "input/platform/platform_reader.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "input/scenario/sweep_reader.hpp"

#include <nlohmann/json.hpp>

namespace kakehashi {

Result<std::variant<Platform, Scenario>> read_any(const std::string& file, const ScenarioEdits& edits) {
  auto document = document_or_input(file, edits);
  if (!document)
    return document.errors();
  auto known = edits;
  const auto name = document->file;
  const auto& read = known.documents.insert_or_assign(name, std::move(*document)).first->second;
  using Either = std::variant<Platform, Scenario>;
  const auto either = [](auto result) -> Result<Either> {
    if (!result)
      return result.errors();
    return Either{std::move(*result)};
  };
  const auto& root = *read.root;
  if (root.is_object() && root.contains("sweep") && root.contains("workload")) {
    auto sweep = read_sweep(name, known);
    if (!sweep)
      return sweep.errors();
    return Either{std::move(sweep->variants.front().scenario)};
  }
  if (root.is_object() && (root.contains("workload") || root.contains("ranks")))
    return either(read_scenario(name, known));
  if (root.is_object() && root.contains("fabrics"))
    return either(parse_platform(read));
  return file_error(ErrorKind::input, name,
                    mismatch("neither \"fabrics\" nor \"workload\"", "a platform or a scenario"));
}

} // namespace kakehashi
