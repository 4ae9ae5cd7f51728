// The tables that `rocm-smi --showtopo` prints → a node.
#pragma once

#include "input/import/format.hpp"

namespace kakehashi {

bool is_rocm_matrix(const Sample& sample);
Result<Imported> read_rocm_matrix(std::string text, const std::string& file, const ImportOptions& options);

} // namespace kakehashi
