// The formats that machines are imported from: a row each, with what is read of a file.
#pragma once

#include "base/error.hpp"
#include "model/blueprint.hpp"

#include <span>
#include <string>
#include <string_view>

namespace kakehashi {

// A machine, as far as a file that people have describes it.
struct Imported {
  std::optional<Assembly> node;       // one node
  std::optional<NetworkPlan> network; // what joins nodes
  std::optional<Blueprint> machine;   // nodes and network; the others are empty then
  std::string description;            // of what was read
  std::vector<std::string> notes;     // for the user: what the file lacks
};

// The sign by which a file is recognised.
struct Sample {
  std::string_view text;
  std::string xml_root; // the name of its first element; empty: it is no XML
};

// Facts that the user states where files do not.
struct ImportOptions {
  std::optional<Cable> cable; // of a network's links
};

struct ImportFormat {
  std::string_view name; // for messages
  std::string_view how;  // to get such a file
  bool (*fits)(const Sample& sample);
  Result<Imported> (*read)(std::string text, const std::string& file, const ImportOptions& options);
};
std::span<const ImportFormat> import_formats();

// "-": standard input. Errors: the file cannot be read, is in no such format, or lacks what the format needs; and how
// to get a better one.
Result<Imported> import_file(const std::string& file, const ImportOptions& options = {});
Result<Imported> import_text(std::string text, const std::string& file, const ImportOptions& options = {});

} // namespace kakehashi
