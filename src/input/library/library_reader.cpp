#include "input/library/library_reader.hpp"

#include "input/json/fields.hpp"
#include "input/json/schema.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 3> measure_names{"usual", "block", "all-blocks"};
constexpr std::array<std::string_view, 4> ranks_names{"any", "odd", "even", "power-of-two"};

template <class T> void set(T& value, const json& object, const char* key) {
  if (object.contains(key))
    value = object[key].get<T>();
}

template <class E, std::size_t N>
void set_name(E& value, const json& object, const char* key, const std::array<std::string_view, N>& names) {
  value = read_name<E>(object, key, names).value_or(value);
}

void set_line(Line& line, const json& row, const char* key) {
  if (row.contains(key))
    line = {row[key]["per_byte"].get<double>(), row[key]["at_zero"].get<double>()};
}

class LibraryFile {
public:
  LibraryFile(const JsonDocument& document, const LibraryNames& names)
      : document_(document), root_(*document.root), names_(names), faults_(document.file) {}

  Result<std::shared_ptr<const MpiLibrary>> read() {
    library_->name = root_["name"].get<std::string>();
    follow();
    set(library_->source, root_, "source");
    set(library_->assumed, root_, "assumed");
    set(library_->precedes_rules, root_, "precedes_rules");
    read_behaviour();
    read_settings();
    read_tables();
    read_fallbacks();
    read_algorithms();
    if (!root_.contains("follows"))
      check_complete();
    if (!faults_.empty())
      return document_.in_document_order(faults_.take());
    return std::shared_ptr<const MpiLibrary>(library_);
  }

private:
  void follow() {
    if (!root_.contains("follows"))
      return;
    const auto name = root_["follows"].get<std::string>();
    library_->next = names_.library(name);
    if (!library_->next)
      return faults_.add("/follows", mismatch(in_quotes(name), "a library that does not follow this one"));
    library_->progress = library_->next->progress;
    library_->progress_source = library_->next->progress_source;
    library_->communicator = library_->next->communicator;
    library_->gpu = library_->next->gpu;
    library_->single_copy_from = library_->next->single_copy_from;
    library_->full_node_factor = library_->next->full_node_factor;
    library_->shared_memory = library_->next->shared_memory;
  }

  std::string_view keep(const json& object, const char* key) {
    return object.contains(key) ? library_->texts.emplace_back(object[key].get<std::string>()) : std::string_view();
  }

  std::optional<Collective> operation_of(const json& object, const std::string& place) {
    const auto found = read_name<Collective>(object, "operation", collective_names);
    if (!found)
      faults_.add(place + "/operation", mismatch(show(object["operation"]), "an operation, such as \"allreduce\""));
    return found;
  }

  std::string_view algorithm_of(const json& object, const char* key, Collective collective, const std::string& place) {
    const auto name = keep(object, key);
    if (!names_.has_algorithm(collective, name))
      faults_.add(pointer_to(place, std::string(key)),
                  mismatch(in_quotes(std::string(name)), fmt::format("an algorithm of {}", row_of(collective).name)));
    return name;
  }

  Source source_of(const json& object) {
    Source source;
    set_name(source.kind, object["source"], "kind", source_kind_names);
    set(source.from, object["source"], "from");
    return source;
  }

  void read_behaviour() {
    if (root_.contains("progress")) {
      const auto& progress = root_["progress"];
      set_name(library_->progress, progress, "by", progress_names);
      library_->progress_source = source_of(progress);
    }
    if (root_.contains("communicators")) {
      const auto& form = root_["communicators"];
      set(library_->communicator.allreduces, form, "allreduces");
      if (const auto size = read_field(form, "/communicators", "size", bytes_text, faults_))
        library_->communicator.size = *size;
      if (const auto own = read_field(form, "/communicators", "own", seconds_text, faults_))
        library_->communicator.own = *own;
    }
    if (root_.contains("full_nodes"))
      set(library_->full_node_factor, root_["full_nodes"], "factor");
    if (root_.contains("single_copy"))
      if (const auto from = read_field(root_["single_copy"], "/single_copy", "from", bytes_text, faults_))
        library_->single_copy_from = *from;
    if (root_.contains("shared_memory"))
      read_shared_memory(root_["shared_memory"]);
    if (root_.contains("gpu_reductions")) {
      const auto& form = root_["gpu_reductions"];
      set_name(library_->gpu.reductions, form, "on", gpu_reductions_names);
      library_->gpu.copies_result_in = false;
      set(library_->gpu.copies_result_in, form, "copies_result_in");
      library_->gpu.source = source_of(form);
    }
  }

  void read_shared_memory(const json& costs) {
    auto& into = library_->shared_memory;
    into.start = read_field(costs, "/shared_memory", "start", seconds_text, faults_).value_or(into.start);
    into.per_rank = read_field(costs, "/shared_memory", "per_rank", seconds_text, faults_).value_or(into.per_rank);
    into.rate = read_field(costs, "/shared_memory", "rate", rate_text, faults_).value_or(into.rate);
  }

  void read_settings() {
    if (!root_.contains("settings"))
      return;
    const auto& settings = root_["settings"];
    set_name(library_->settings.form, settings, "form", settings_form_names);
    library_->settings.release = keep(settings, "release");
    set(library_->settings.are_in_files, settings, "are_in_files");
    library_->settings.with = keep(settings, "with");
  }

  void read_tables() {
    const auto& tables = list("tables");
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const auto place = pointer_to("/tables", i);
      const auto collective = operation_of(tables[i], place);
      if (!collective)
        continue;
      Decision all{.collective = *collective};
      set_name(all.measure, tables[i], "measure", measure_names);
      const auto& rows = tables[i]["rows"];
      for (std::size_t k = 0; k < rows.size(); ++k)
        library_->decisions.push_back(read_row(rows[k], pointer_to(place + "/rows", k), all));
    }
  }

  Decision read_row(const json& row, const std::string& place, Decision decision) {
    decision.algorithm = algorithm_of(row, "algorithm", decision.collective, place);
    set(decision.bytes_from, row, "bytes_from");
    set(decision.bytes_below, row, "bytes_below");
    set(decision.ranks_from, row, "ranks_from");
    set(decision.ranks_below, row, "ranks_below");
    set_name(decision.ranks, row, "ranks", ranks_names);
    set_line(decision.ranks_below_line, row, "ranks_below_line");
    set_line(decision.ranks_above_line, row, "ranks_above_line");
    set(decision.on_nodes, row, "on_nodes");
    set(decision.off_nodes, row, "off_nodes");
    set(decision.on_box, row, "on_box");
    set(decision.ranks_per_node_from, row, "ranks_per_node_from");
    set(decision.ranks_per_node_below, row, "ranks_per_node_below");
    set(decision.segment.count, row, "segment");
    set(decision.width, row, "width");
    decision.claim = keep(row, "claim");
    return decision;
  }

  void read_fallbacks() {
    const auto& rows = list("fallbacks");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto place = pointer_to("/fallbacks", i);
      Fallback fallback;
      const auto collective = operation_of(rows[i], place);
      if (!collective)
        continue;
      fallback.collective = *collective;
      fallback.from = algorithm_of(rows[i], "from", *collective, place);
      fallback.to = algorithm_of(rows[i], "to", *collective, place);
      set_name(fallback.needs, rows[i], "needs", vector_need_names);
      set(fallback.keeps_segment, rows[i], "keeps_segment");
      library_->fallbacks.push_back(fallback);
    }
  }

  void read_algorithms() {
    const auto& rows = list("algorithms");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto place = pointer_to("/algorithms", i);
      NamedAlgorithm named;
      const auto collective = operation_of(rows[i], place);
      if (!collective)
        continue;
      named.collective = *collective;
      named.algorithm = algorithm_of(rows[i], "algorithm", *collective, place);
      set(named.width, rows[i], "width");
      set(named.number, rows[i], "number");
      named.function = keep(rows[i], "function");
      named.since = keep(rows[i], "since");
      named.until = keep(rows[i], "until");
      library_->algorithms.push_back(named);
    }
  }

  // A library that follows no other has a row without conditions for each operation.
  void check_complete() {
    for (const auto& operation : collective_rows) {
      const auto always_holds = [&](const Decision& row) {
        Decision free{.collective = operation.collective};
        return row.collective == operation.collective && row.algorithm != shared_memory_form && row.bytes_from == 0 &&
               row.bytes_below == free.bytes_below && row.ranks_from == 0 && row.ranks_below == free.ranks_below &&
               row.ranks == Ranks::any && row.ranks_below_line.at(0) == free.ranks_below_line.at(0) &&
               row.ranks_above_line.at(0) < 0 && row.ranks_above_line.per_byte <= 0 && !row.on_nodes &&
               !row.off_nodes && !row.on_box && row.ranks_per_node_from == 0 &&
               row.ranks_per_node_below == free.ranks_per_node_below;
      };
      if (std::ranges::none_of(library_->decisions, always_holds))
        faults_.add("/tables",
                    fmt::format("{} has no row that always holds, and no library is followed", operation.name));
    }
  }

  const json& list(const char* key) const {
    static const json none = json::array();
    return root_.contains(key) ? root_[key] : none;
  }

  const JsonDocument& document_;
  const json& root_;
  const LibraryNames& names_;
  Faults faults_;
  std::shared_ptr<MpiLibrary> library_ = std::make_shared<MpiLibrary>();
};

} // namespace

Result<std::shared_ptr<const MpiLibrary>> read_library(const JsonDocument& document, const LibraryNames& names) {
  if (auto errors = check_schema(document, library_schema_text); !errors.empty())
    return errors;
  return LibraryFile(document, names).read();
}

bool is_library(const JsonDocument& document) {
  return document.root->is_object() && document.root->contains("tables") && document.root->contains("source");
}

} // namespace kakehashi
