#include "input/platform/part_readers.hpp"

namespace kakehashi {

void read_gpu_library(const nlohmann::json& root, GpuLibraryChoice& choice, Faults& faults) {
  if (!root.contains("gpu_library"))
    return;
  const auto& object = root["gpu_library"];
  choice.name = object.value("name", "");
  if (!object.contains("version"))
    return;
  const auto text = object["version"].get<std::string>();
  if (const auto release = parse_gpu_release(text))
    choice.version = *release;
  else
    faults.add("/gpu_library/version", mismatch(in_quotes(text), "a release, such as \"2.27\" or \"2.27.3\""));
}

} // namespace kakehashi
