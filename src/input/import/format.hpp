// The formats from which machines are imported, one row each, and what an import gives.
#pragma once

#include "base/error.hpp"
#include "model/blueprint.hpp"

#include <span>
#include <string>
#include <string_view>

namespace kakehashi {

struct GpuType;

// A machine, as far as the imported file describes it.
struct Imported {
  std::optional<Assembly> node;       // one node
  std::optional<NetworkPlan> network; // links between nodes
  std::optional<Blueprint> machine;   // nodes and network; then the two members above are empty
  std::string description;            // of the imported file
  std::vector<std::string> notes;     // for the user: what the file lacks
};

// The beginning of a file, by which its format is recognised.
struct Sample {
  std::string_view text;
  std::string xml_root; // the name of its first element; empty: it is no XML
};

// Facts that the user states because files lack them.
struct ImportOptions {
  std::optional<Cable> cable{}; // of a network's links
  int generation = 0;           // of PCIe slots; 0: not stated
  const GpuType* gpu = nullptr; // the type of all GPUs; null: not stated
};

struct ImportFormat {
  std::string_view name; // for messages
  std::string_view how;  // how a user gets such a file
  bool (*fits)(const Sample& sample);
  Result<Imported> (*read)(std::string text, const std::string& file, const ImportOptions& options);
};
std::span<const ImportFormat> import_formats();

// "-" is standard input. Errors: the file cannot be read, has no known format, or lacks what the format needs; the
// message states how to get a better file.
Result<Imported> import_file(const std::string& file, const ImportOptions& options = {});
Result<Imported> import_text(std::string text, const std::string& file, const ImportOptions& options = {});

} // namespace kakehashi
