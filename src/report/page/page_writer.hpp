// A page → one self-contained HTML file, with style, script and pictures in it. It is also well-formed XML.
#pragma once

#include "report/page/page.hpp"

#include <ostream>

namespace kakehashi {

void write_page(const Page& page, std::ostream& out);

} // namespace kakehashi
