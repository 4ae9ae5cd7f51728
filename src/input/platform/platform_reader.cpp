#include "input/platform/platform_reader.hpp"

#include "input/json/schema.hpp"
#include "input/platform/mpi_reader.hpp"
#include "input/platform/part_readers.hpp"

namespace kakehashi {

Result<Platform> parse_platform(const JsonDocument& document) {
  if (auto errors = check_schema(document, platform_schema_text); !errors.empty())
    return errors;
  Platform platform;
  platform.name = (*document.root)["name"].get<std::string>();
  platform.file = document.file;
  Faults faults(document.file);
  check_name(platform.name, "/name", faults);
  read_machine(*document.root, platform, faults);
  const bool machine_is_whole = faults.empty();
  read_peer_limits(*document.root, platform, faults);
  read_fabrics(*document.root, platform, faults);
  Errors elsewhere; // in the file of rules that this file names
  platform.mpi = read_mpi(document, faults, elsewhere);
  read_gpu_library(*document.root, platform.gpu_library, faults);
  if (machine_is_whole) {
    assume_memories(platform);
    check_reachability(platform, faults);
  }
  if (!faults.empty() || !elsewhere.empty()) {
    auto errors = document.in_document_order(faults.take());
    errors.insert(errors.end(), elsewhere.begin(), elsewhere.end());
    return errors;
  }
  return platform;
}

Result<Platform> read_platform(const std::string& file) {
  const auto document = read_json(file);
  if (!document)
    return document.errors();
  return parse_platform(*document);
}

} // namespace kakehashi
