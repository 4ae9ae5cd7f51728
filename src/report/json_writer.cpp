// Writes a report as JSON.
#include "report/report.hpp"

#include <nlohmann/json.hpp>
#include <ostream>

namespace kakehashi {

void write_json(const Report& report, std::ostream& out) {
  out << report.tree().dump(2) << '\n';
}

} // namespace kakehashi
