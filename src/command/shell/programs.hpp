// Other programs: any one with its words, the converter of drawings, and the compiler of the recorder.
#pragma once

#include "base/error.hpp"

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace kakehashi {

// A program and its words → its exit code.

// Runs the program to its end in this terminal, with these additional variables. Returns its exit code, or 128 and the
// number of the signal that ended it. Errors: it cannot be started.
Result<int> run_program(const std::vector<std::string>& words, const std::map<std::string, std::string>& variables);

// Does the same and returns what the program prints. Only a failing start is an error.
struct ProgramOutput {
  int exit_code = 0;
  std::string text;
};
Result<ProgramOutput> output_of_program(const std::vector<std::string>& words);

// SVG → PNG or PDF, by the program rsvg-convert.

bool has_converter();
// `form` is "png" or "pdf". Errors: the program cannot be run, or fails.
Result<std::string> converted(const std::string& svg, const std::string& form);

// The recorder's sources → libkakehashi-record.so for an MPI library, which is kept for the next time.

// Returns the library's path in $XDG_CACHE_HOME/kakehashi (~/.cache/kakehashi). It is compiled unless there is one for
// these sources and what this compiler does. Errors: there is no such compiler, no Zstandard, or no place.
Result<std::string> build_recorder(const std::string& mpicc, std::ostream& progress);

} // namespace kakehashi
