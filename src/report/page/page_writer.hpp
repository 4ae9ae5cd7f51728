// A page → one HTML file that needs nothing else: style, script and pictures are in it. It is well-formed XML, too.
#pragma once

#include "report/page/page.hpp"

#include <ostream>

namespace kakehashi {

void write_page(const Page& page, std::ostream& out);

} // namespace kakehashi
