// Imported machines as plain text, for tests.
#pragma once

#include "base/file.hpp"
#include "input/import/formats.hpp"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace kakehashi {

inline std::string data_of(const std::string& name) {
  const auto text = read_text(KAKEHASHI_SOURCE_DIR "/tests/data/import/" + name);
  return text ? *text : "";
}

inline std::vector<std::string> devices_in(const Assembly& parts) {
  std::vector<std::string> names;
  for (const auto& device : parts.devices)
    names.push_back(fmt::format("{} {}", device.name, name_of(device_kind_names, device.kind)));
  return names;
}

// "gpu0 H100": the devices whose models are known.
inline std::vector<std::string> models_in(const Assembly& parts) {
  std::vector<std::string> names;
  for (const auto& device : parts.devices)
    if (!device.model.empty())
      names.push_back(fmt::format("{} {}", device.name, device.model));
  return names;
}

// "cpu0-gpu0 pcie 28.8 GB/s", with "assumed" where the rate is, and not the latency alone.
inline std::vector<std::string> links_in(const Assembly& parts) {
  std::vector<std::string> texts;
  for (const auto& link : parts.links)
    texts.push_back(fmt::format(
        "{}-{} {} {:.4g} GB/s{}", link.from, link.to, name_of(link.cable.type), capacity_of(link.cable).value / 1e9,
        link.cable.source.kind == SourceKind::assumed && !link.cable.source.from.ends_with("; the latency is assumed")
            ? " assumed"
            : ""));
  return texts;
}

inline std::string faults_of(const Result<Imported>& imported) {
  std::string faults;
  if (!imported)
    for (const auto& error : imported.errors())
      faults += (faults.empty() ? "" : "\n") + to_text(error);
  return faults;
}

} // namespace kakehashi
