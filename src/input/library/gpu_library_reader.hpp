// The data file of a library of collectives between GPUs (libraries/gpu/gpu-library.schema.json) → its values.
#pragma once

#include "base/error.hpp"
#include "input/json/json_document.hpp"
#include "input/library/library_reader.hpp"
#include "model/gpu_library.hpp"

#include <memory>

namespace kakehashi {

extern const std::string_view gpu_library_schema_text; // libraries/gpu/gpu-library.schema.json, compiled in
std::span<const EmbeddedLibrary> embedded_gpu_libraries();

// Errors: the file does not fit the schema, or its lists do not fit together.
Result<std::shared_ptr<const GpuLibrary>> read_gpu_library(const JsonDocument& document);

// Reads libraries/gpu/NAME.json of the data folder, or what was compiled in if there is none, when it is first asked
// for. The name is "nccl" or "rccl".
const Result<std::shared_ptr<const GpuLibrary>>& gpu_library(std::string_view name);

} // namespace kakehashi
