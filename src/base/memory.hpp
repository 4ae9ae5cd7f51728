// How much memory there is, and a bound on what this process may take of it.
#pragma once

#include "base/units.hpp"

namespace kakehashi {

// The memory that new programs could have now: the machine's, or less in a container. None: the system does not say.
std::optional<Bytes> free_memory();

// From now on an allocation beyond so many bytes in all throws std::bad_alloc.
void bound_memory(Bytes most);

// What this process may still take by such a bound; none: there is none.
std::optional<Bytes> spare_memory();

// In one of so many children that run at the same time: what their parent may still take is shared by them.
void share_memory(int children);

} // namespace kakehashi
