#include "input/scenario/fingerprint.hpp"

#include "base/build_id.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "input/platform/own_algorithm_reader.hpp"
#include "model/decision.hpp"

#include <algorithm>
#include <set>

namespace kakehashi {
namespace {

// Returns the files in order, since the order decides which rank's file is which.
std::vector<std::string> files_of(const std::vector<Variant>& variants) {
  std::vector<std::string> files;
  std::set<std::string> known;
  const auto add = [&](const std::string& file) {
    if (known.insert(file).second)
      files.push_back(file);
  };
  for (const auto& variant : variants) {
    if (const auto& rules = variant.scenario.mpi.rules)
      add(rules->file);
    std::ranges::for_each(own_algorithm_files(variant.scenario.mpi), add);
    const auto* replay = std::get_if<Replay>(&variant.scenario.workload);
    if (replay && replay->source)
      std::ranges::for_each(replay->source->files(), add);
    else if (replay && !replay->schedule->files.empty())
      std::ranges::for_each(replay->schedule->files, add);
    else if (replay)
      add(replay->file);
  }
  return files;
}

} // namespace

Result<std::uint64_t> fingerprint_of(const std::vector<std::string>& texts, const std::vector<Variant>& variants) {
  auto hash = hash_of(build_id());
  const auto add = [&](std::string_view text) {
    // The length keeps the end of one text out of the next.
    hash = hash_of(text, hash_of(std::to_string(text.size()) + ':', hash));
  };
  for (const auto& text : texts)
    add(text);
  for (const auto& file : files_of(variants)) {
    add(file);
    std::uint64_t size = 0;
    const auto errors = read_parts(file, [&](std::string_view part) {
      hash = hash_of(part, hash);
      size += part.size();
      return true;
    });
    if (!errors.empty())
      return errors;
    add(std::to_string(size));
  }
  return hash;
}

} // namespace kakehashi
