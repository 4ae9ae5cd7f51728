// The matrix that `nvidia-smi topo -m` prints → a node.
#pragma once

#include "input/import/format.hpp"

namespace kakehashi {

bool is_nvidia_matrix(const Sample& sample);
Result<Imported> read_nvidia_matrix(std::string text, const std::string& file, const ImportOptions& options);

} // namespace kakehashi
