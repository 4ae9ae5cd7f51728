#include "input/import/formats.hpp"

#include "input/import/known_hardware.hpp"
#include "input/import/text_parts.hpp"

#include <cstring>
#include <hwloc.h>
#include <memory>
#ifdef KAKEHASHI_SANITIZED
#include <sanitizer/lsan_interface.h>
#endif

namespace kakehashi {

// libhwloc inspects the machine, and its result is read like a file, as XML.
Result<Imported> read_this_machine(const ImportOptions& options) {
  const auto fault = [](const std::string& what) { return run_error("hwloc cannot look at this machine: " + what); };
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0)
    return fault(std::strerror(errno));
  const std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)> owner(topology, hwloc_topology_destroy);
  hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
#ifdef KAKEHASHI_SANITIZED
  const __lsan::ScopedDisabler plugins_keep_memory; // they are unloaded afterwards
#endif
  if (hwloc_topology_load(topology) != 0)
    return fault(std::strerror(errno));
  char* text = nullptr;
  int length = 0;
  if (hwloc_topology_export_xmlbuffer(topology, &text, &length, 0) != 0)
    return fault(std::strerror(errno));
  const std::string copy(text);
  hwloc_free_xmlbuffer(topology, text);
  const auto xml = parse_xml(copy, "this machine");
  if (!xml)
    return xml.errors();
  auto imported = read_hwloc(*xml, options);
  if (imported)
    note_gpus_without_nvlinks(*imported->node, imported->notes);
  return imported;
}

} // namespace kakehashi
