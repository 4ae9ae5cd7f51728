#include "input/platform/rules_reader.hpp"

#include "workload/collective/libraries.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

// Whether the library is this one, or descends from it.
bool follows(Selector selector, Selector ancestor) {
  while (selector != ancestor && library_of(selector).next != selector)
    selector = library_of(selector).next;
  return selector == ancestor;
}

} // namespace

Result<CollectiveRules> read_rules(const std::string& file, Selector selector) {
  const auto text = read_text(file);
  if (!text)
    return text.errors();
  const auto first = text->find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string::npos && (*text)[first] == '{';
  if (!follows(selector, is_json ? Selector::mpich_4 : Selector::open_mpi))
    return file_error(ErrorKind::input, file,
                      mismatch(is_json ? "JSON, which MPICH's rules are in" : "no JSON, as Open MPI's rules",
                               fmt::format("rules for {}", selector_names[static_cast<std::size_t>(selector)])));
  if (!is_json)
    return parse_open_mpi_rules(*text, file);
  const auto document = parse_json(*text, file);
  return document ? parse_mpich_rules(*document) : document.errors();
}

} // namespace kakehashi
