# The program as WebAssembly, for a page that computes: what it needs of the core, and what a browser lacks of a system.
set(rooms base model topology transport workload result engine gpu training input study report writer command)
list(JOIN rooms "|" rooms)
list(FILTER kakehashi_sources INCLUDE REGEX "/src/(${rooms})/")
# Files of this folder replace these, or nothing in a page needs them.
set(without engine/flow/simgrid_network base/child base/interrupt base/memory base/data_folder study/pool/.* study/fit/.* study/score/.*
            input/import/.* input/trace/.* input/growth/.* input/catalogue/.*)
list(JOIN without "|" without)
list(FILTER kakehashi_sources EXCLUDE REGEX "/src/(${without})\\.cpp$")
# Of the commands these are enough.
set(commands command word_reader option shared_options habits simulate compare check list device_map compare_recordings row_display report_file
             shell/terminal shell/progress)
list(JOIN commands "|" commands)
set(others ${kakehashi_sources})
list(FILTER others INCLUDE REGEX "/src/command/")
list(FILTER others EXCLUDE REGEX "/src/command/(${commands})\\.cpp$")
list(REMOVE_ITEM kakehashi_sources ${others})
units_of(kakehashi_sources browser)
# Unless it is for a release, what reads and prints is not optimised, which takes half of the time. Coroutines need it: otherwise
# one that resumes another makes the stack grow.
foreach(source IN LISTS kakehashi_sources)
  if(NOT source MATCHES "/(base|engine|gpu|result|topology|transport|workload)[/.]")
    set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS $<$<NOT:$<CONFIG:Release>>:-O0>)
  endif()
endforeach()

# Headers of Debian's libraries that are for any machine: /usr/include has those of this one, too.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/headers)
foreach(library IN ITEMS boost fmt nlohmann CLI)
  find_path(${library}_folder ${library} PATHS /usr/include REQUIRED NO_CMAKE_FIND_ROOT_PATH)
  file(CREATE_LINK ${${library}_folder}/${library} ${PROJECT_BINARY_DIR}/headers/${library} SYMBOLIC)
endforeach()

file(GLOB own_sources CONFIGURE_DEPENDS src/browser/*.cpp)
add_executable(kakehashi ${kakehashi_sources} ${own_sources} ${PROJECT_BINARY_DIR}/schema_texts.cpp ${PROJECT_BINARY_DIR}/library_texts.cpp
                         ${PROJECT_BINARY_DIR}/page_texts.cpp ${PROJECT_BINARY_DIR}/build_id.cpp)
set_target_properties(kakehashi PROPERTIES SUFFIX .wasm)
target_include_directories(kakehashi PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_include_directories(kakehashi SYSTEM PRIVATE src/browser/lacking ${PROJECT_BINARY_DIR}/headers)
target_compile_definitions(kakehashi PRIVATE KAKEHASHI_VERSION="${PROJECT_VERSION}" _WASI_EMULATED_SIGNAL _WASI_EMULATED_MMAN
                                             _WASI_EMULATED_PROCESS_CLOCKS _WASI_EMULATED_GETPID BOOST_NO_CXX98_FUNCTION_BASE)
target_compile_options(kakehashi PRIVATE -fwasm-exceptions -Os)
target_link_options(kakehashi PRIVATE -Wl,--strip-all -Wl,--stack-first -Wl,-z,stack-size=8388608
                                            -Wl,--unresolved-symbols=ignore-all)
target_link_libraries(kakehashi PRIVATE wasi-emulated-signal wasi-emulated-mman wasi-emulated-process-clocks wasi-emulated-getpid)
