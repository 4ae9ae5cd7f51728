#include "input/platform/mpi_reader.hpp"

#include "base/text.hpp"
#include "input/library/library_reader.hpp"
#include "workload/collective/libraries.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

enum class TextKind { numbers, json, other };

TextKind kind_of_text(const std::string& text) {
  auto at = text.find_first_not_of(" \t\r\n");
  while (at != std::string::npos && text[at] == '#') // a remark
    at = text.find_first_not_of(" \t\r\n", std::min(text.find('\n', at), text.size()));
  if (at == std::string::npos)
    return TextKind::other;
  if (text[at] == '{')
    return TextKind::json;
  const bool is_number = is_digit(text[at]);
  return is_number || text.compare(at, 10, "rule-file-") == 0 ? TextKind::numbers : TextKind::other;
}

bool is_of_open_mpi_6(const JsonDocument& document) {
  return document.root->is_object() && document.root->contains("collectives");
}

bool is_of_mpich(const JsonDocument& document) {
  if (document.root->is_object())
    for (const auto& [key, value] : document.root->items())
      if (key.starts_with("collective="))
        return true;
  return false;
}

} // namespace

Result<CollectiveRules> read_rules(const std::string& file, Selector selector) {
  const auto text = read_text(file);
  if (!text)
    return text.errors();
  const bool is_json = kind_of_text(*text) == TextKind::json;
  const auto document = is_json ? parse_json(*text, file) : Result(JsonDocument{});
  if (!document)
    return document.errors();
  const bool is_open_mpi = !is_json || is_of_open_mpi_6(*document);
  if (!follows(library_of(selector), is_open_mpi ? Selector::open_mpi : Selector::mpich_4))
    return file_error(ErrorKind::input, file,
                      mismatch(!is_json      ? "no JSON, as Open MPI's rules"
                               : is_open_mpi ? "JSON with \"collectives\", as Open MPI 6's rules"
                                             : "JSON, which MPICH's rules are in",
                               fmt::format("rules for {}", selector_names[static_cast<std::size_t>(selector)])));
  if (!is_json)
    return parse_open_mpi_rules(*text, file);
  return is_open_mpi ? parse_open_mpi_6_rules(*document) : parse_mpich_rules(*document);
}

bool is_rules_text(const std::string& text) {
  if (kind_of_text(text) == TextKind::numbers)
    return true;
  const auto document = parse_json(text, "");
  return document && (is_library(*document) || is_of_open_mpi_6(*document) || is_of_mpich(*document));
}

Result<KnownRules> read_any_rules(const std::string& text, const std::string& file) {
  const auto known = [](std::string_view form, bool is_of_open_mpi,
                        Result<CollectiveRules> rules) -> Result<KnownRules> {
    if (!rules)
      return rules.errors();
    return KnownRules{form, is_of_open_mpi, std::move(*rules)};
  };
  if (kind_of_text(text) == TextKind::numbers)
    return known("rules of Open MPI's coll/tuned", true, parse_open_mpi_rules(text, file));
  const auto document = parse_json(text, file);
  if (!document)
    return document.errors();
  if (is_library(*document)) {
    const auto own = read_own_library(file);
    if (!own)
      return own.errors();
    return known("tables of an MPI library", follows(**own, Selector::open_mpi), rules_of(*own, file));
  }
  return is_of_open_mpi_6(*document)
             ? known("rules of Open MPI 6's coll/tuned", true, parse_open_mpi_6_rules(*document))
             : known("a selection of MPICH 4", false, parse_mpich_rules(*document));
}

} // namespace kakehashi
