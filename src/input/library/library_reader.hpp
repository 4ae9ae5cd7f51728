// The data file of an MPI library (libraries/library.schema.json) → its tables, names and settings.
#pragma once

#include "base/error.hpp"
#include "input/json/json_document.hpp"
#include "model/mpi_library.hpp"

#include <functional>
#include <span>

namespace kakehashi {

extern const std::string_view library_schema_text; // libraries/library.schema.json, compiled into the program

struct EmbeddedLibrary {
  std::string_view name;
  std::string_view text;
};
// libraries/*.json, compiled into the program.
std::span<const EmbeddedLibrary> embedded_libraries();

struct LibraryNames {
  std::function<bool(Collective, std::string_view)> has_algorithm;
  // Returns a library that another one follows; null: there is none of that name.
  std::function<std::shared_ptr<const MpiLibrary>(const std::string&)> library;
};
// Errors: the file does not fit the schema; an operation, algorithm or library is unknown; some operation has no row
// that always holds.
Result<std::shared_ptr<const MpiLibrary>> read_library(const JsonDocument& document, const LibraryNames& names);

// Whether a document is such a file.
bool is_library(const JsonDocument& document);

} // namespace kakehashi
