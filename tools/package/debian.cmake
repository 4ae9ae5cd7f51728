# Debian's zsh looks for what packages bring in a folder of its own.
set(share "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/zsh")
if(EXISTS "${share}/site-functions")
  file(RENAME "${share}/site-functions" "${share}/vendor-completions")
endif()
