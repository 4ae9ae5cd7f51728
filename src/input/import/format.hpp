// The formats that machines are imported from: a row each.
#pragma once

#include "input/import/imported.hpp"

#include <span>
#include <string>
#include <string_view>

namespace kakehashi {

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
