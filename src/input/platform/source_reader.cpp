#include "input/platform/source_reader.hpp"

namespace kakehashi {

Source source_of(const nlohmann::json& source) {
  return {*read_name<SourceKind>(source, "kind", source_kind_names), source["from"].get<std::string>()};
}

Source read_source(const nlohmann::json& object, const Source& otherwise) {
  return object.contains("source") ? source_of(object["source"]) : otherwise;
}

} // namespace kakehashi
