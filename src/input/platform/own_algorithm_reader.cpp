#include "input/platform/own_algorithm_reader.hpp"

#include "input/json/fields.hpp"
#include "input/json/schema.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

using nlohmann::json;

class OwnAlgorithmFile {
public:
  explicit OwnAlgorithmFile(const JsonDocument& document)
      : document_(document), root_(*document.root), faults_(document.file) {}

  Result<std::shared_ptr<const OwnAlgorithm>> read() {
    algorithm_->file = document_.file;
    algorithm_->name = std::filesystem::path(document_.file).filename().string();
    algorithm_->collective = operation();
    using enum Variable;
    algorithm_->ranks = formula(root_, "", "ranks", 1);
    refuse_variables(algorithm_->ranks, "/ranks", {rank, step, per_node, blocks});
    const bool is_whole = row_of(algorithm_->collective).division == Division::whole;
    if (root_.contains("blocks") && !is_whole)
      faults_.add("/blocks", "there is a block for each rank in this operation; leave it out");
    if (is_whole)
      refuse_variables(*(algorithm_->blocks = formula(root_, "", "blocks", 1)), "/blocks", {rank, step, blocks});
    for (std::size_t i = 0; i < root_["phases"].size(); ++i)
      algorithm_->phases.push_back(phase(root_["phases"][i], pointer_to("/phases", i)));
    if (!faults_.empty())
      return document_.in_document_order(faults_.take());
    return std::shared_ptr<const OwnAlgorithm>(algorithm_);
  }

private:
  Collective operation() {
    const auto found = read_name<Collective>(root_, "operation", collective_names);
    if (found && may_be_own(*found))
      return *found;
    std::vector<std::string> names;
    for (const auto& row : collective_rows)
      if (may_be_own(row.collective))
        names.emplace_back(row.name);
    faults_.add("/operation", mismatch(show(root_["operation"]), fmt::format("one of {}", fmt::join(names, ", "))),
                closest(root_["operation"].get<std::string>(), names));
    return Collective::allreduce;
  }

  Expression formula(const json& object, const std::string& place, const char* key, std::int64_t otherwise) {
    if (!object.contains(key))
      return Expression(otherwise);
    const auto& value = object[key];
    auto parsed = Expression::parse(value.is_string() ? value.get<std::string>() : value.dump());
    if (parsed)
      return std::move(*parsed);
    faults_.add(pointer_to(place, std::string(key)), parsed.errors().front().message);
    return Expression(otherwise);
  }

  void refuse_variables(const Expression& formula, const char* place, std::initializer_list<Variable> unknown) {
    for (const auto variable : unknown)
      if (formula.names(variable))
        faults_.add(place, fmt::format("\"{}\" has no value here", variable_names[static_cast<std::size_t>(variable)]));
  }

  OwnPhase phase(const json& entry, const std::string& place) {
    OwnPhase phase{place, formula(entry, place, "steps", 1), {}};
    for (std::size_t i = 0; i < entry["messages"].size(); ++i)
      phase.rules.push_back(rule(entry["messages"][i], pointer_to(place + "/messages", i)));
    return phase;
  }

  OwnRule rule(const json& entry, const std::string& place) {
    const bool adds = entry.value("adds", false);
    if (adds && !has_reduction(algorithm_->collective))
      faults_.add(place + "/adds", fmt::format("nothing is added in {}", row_of(algorithm_->collective).name));
    const auto read = [&](const char* key, std::int64_t otherwise) { return formula(entry, place, key, otherwise); };
    return {place,
            entry.contains("from") ? std::optional(read("from", 0)) : std::nullopt,
            read("if", 1),
            read("to", 0),
            read("first", 0),
            read("count", 1),
            read("every", 1),
            adds};
  }

  const JsonDocument& document_;
  const json& root_;
  Faults faults_;
  std::shared_ptr<OwnAlgorithm> algorithm_ = std::make_shared<OwnAlgorithm>();
};

} // namespace

Result<std::shared_ptr<const OwnAlgorithm>> read_own_algorithm(const std::string& file) {
  const auto document = read_json(file);
  if (!document)
    return document.errors();
  if (auto errors = check_schema(*document, algorithm_schema_text); !errors.empty())
    return errors;
  return OwnAlgorithmFile(*document).read();
}

std::vector<std::string> own_algorithm_files(const MpiSettings& settings) {
  std::vector<std::string> files;
  for (const auto& named : settings.algorithms)
    if (named && named->own)
      files.push_back(named->own->file);
  return files;
}

bool is_own_algorithm_text(const std::string& text) {
  const auto document = parse_json(text, "");
  return document && document->root->is_object() && document->root->contains("operation") &&
         document->root->contains("phases");
}

std::optional<Error> first_fault(const OwnAlgorithm& algorithm) {
  for (const int ranks : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 24, 32, 33})
    for (int per_node = 1; per_node <= ranks && algorithm.is_for(ranks); ++per_node)
      if (ranks % per_node == 0)
        if (const auto schedule = algorithm.schedule(ranks, per_node); !schedule)
          return schedule.errors().front();
  return std::nullopt;
}

} // namespace kakehashi
