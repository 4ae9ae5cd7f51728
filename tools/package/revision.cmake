# Writes OUTPUT, which gives the commit of the sources in ROOT: of their archive, which has it in revision.txt, or of their clone.
# Called as cmake -DROOT=… -DOUTPUT=… -P revision.cmake
file(STRINGS ${ROOT}/tools/package/revision.txt revision LIMIT_COUNT 1)
if(NOT revision MATCHES "^[0-9a-f]+$")
  set(revision "")
  if(EXISTS ${ROOT}/.git) # not that of a clone around it
    execute_process(COMMAND git rev-parse HEAD WORKING_DIRECTORY ${ROOT} OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
string(SUBSTRING "${revision}" 0 12 revision)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[namespace kakehashi {
extern const char* const revision; // of main.cpp
const char* const revision = "@revision@";
} // namespace kakehashi
]])
