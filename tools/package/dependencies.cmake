# The libraries that Kakehashi's own is linked with and that bring no CMake package of their own, as targets. Both the build and
# find_package(Kakehashi) include this. -DCMAKE_PREFIX_PATH=… chooses another SimGrid than the system's.
function(kakehashi_import name include_dir library)
  if(NOT TARGET Kakehashi::${name})
    add_library(Kakehashi::${name} UNKNOWN IMPORTED)
    set_target_properties(Kakehashi::${name} PROPERTIES IMPORTED_LOCATION "${library}" INTERFACE_INCLUDE_DIRECTORIES "${include_dir}")
  endif()
endfunction()

find_path(SimGrid_INCLUDE_DIR simgrid/s4u.hpp)
find_library(SimGrid_LIBRARY simgrid)
if(SimGrid_INCLUDE_DIR AND SimGrid_LIBRARY)
  kakehashi_import(simgrid "${SimGrid_INCLUDE_DIR}" "${SimGrid_LIBRARY}")
endif()
find_path(ZSTD_INCLUDE_DIR zstd.h)
find_library(ZSTD_LIBRARY zstd)
if(ZSTD_INCLUDE_DIR AND ZSTD_LIBRARY)
  kakehashi_import(zstd "${ZSTD_INCLUDE_DIR}" "${ZSTD_LIBRARY}")
endif()
find_path(OTF2_INCLUDE_DIR otf2/otf2.h) # if it is there, archives can be replayed
find_library(OTF2_LIBRARY NAMES open-trace-format2 otf2)
if(OTF2_INCLUDE_DIR AND OTF2_LIBRARY)
  kakehashi_import(otf2 "${OTF2_INCLUDE_DIR}" "${OTF2_LIBRARY}")
endif()
