// InfraGraph's YAML or JSON → a machine.
#pragma once

#include "input/import/format.hpp"

namespace kakehashi {

bool is_infragraph(const Sample& sample);
Result<Imported> read_infragraph(std::string text, const std::string& file, const ImportOptions& options);

} // namespace kakehashi
