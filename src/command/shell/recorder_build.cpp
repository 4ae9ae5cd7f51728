#include "command/shell/programs.hpp"

#include "base/data_folder.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <ostream>
#include <unistd.h>

namespace kakehashi {
namespace {

Error fault(std::string file, std::string message) {
  return file_error(ErrorKind::usage, std::move(file), std::move(message));
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

Result<std::string> cache_folder() {
  const auto cache = variable("XDG_CACHE_HOME");
  const auto home = variable("HOME");
  if (cache.empty() && home.empty())
    return fault("", "no folder for the recorder: neither XDG_CACHE_HOME nor HOME is set");
  return (cache.empty() ? home + "/.cache" : cache) + "/kakehashi";
}

struct Sources {
  std::vector<std::string> files; // to compile
  std::uint64_t hash = hash_of_nothing;
};

Result<Sources> read_sources(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code status;
  for (const auto& each : std::filesystem::directory_iterator(folder, status))
    files.push_back(each.path());
  std::ranges::sort(files);
  Sources sources;
  for (const auto& file : files) {
    if (file.extension() != ".c" && file.extension() != ".h")
      continue;
    const auto text = read_text(file.string());
    if (!text)
      return text.errors();
    sources.hash = hash_of(*text, sources.hash);
    if (file.extension() == ".c")
      sources.files.push_back(file.string());
  }
  if (sources.files.empty())
    return fault(folder, "the recorder's sources are not there; they come with Kakehashi's data");
  return sources;
}

// A compiler's message about a missing header → advice on the package to install.
Error compiler_fault(const std::string& mpicc, const std::string& output) {
  if (output.find("zstd.h") != std::string::npos || output.find("-lzstd") != std::string::npos)
    return fault(mpicc, "the recorder needs Zstandard's header and library; Debian has them in libzstd-dev");
  return fault(mpicc, "the recorder cannot be compiled:\n" + output);
}

} // namespace

Result<std::string> build_recorder(const std::string& mpicc, std::ostream& progress) {
  const auto data = find_data_folder();
  if (!data)
    return data.errors();
  const auto sources = read_sources(*data + "/recorder");
  if (!sources)
    return sources.errors();
  const auto shown = output_of_program({mpicc, "-show"});
  if (!shown)
    return fault(mpicc, "no such compiler; --mpicc names that of the program's MPI");
  const auto cache = cache_folder();
  if (!cache)
    return cache.errors();
  const auto folder = fmt::format("{}/record-{:016x}", *cache, hash_of(shown->text, sources->hash));
  if (folder.find_first_of(":;") != std::string::npos)
    return fault(folder, "the dynamic loader takes a colon or semicolon for the end of a folder's name; XDG_CACHE_HOME "
                         "names another folder");
  const auto library = folder + "/libkakehashi-record.so";
  std::error_code status;
  if (std::filesystem::exists(library, status))
    return library;
  std::filesystem::create_directories(folder, status);
  if (status)
    return fault(folder, fmt::format("the folder cannot be made: {}", status.message()));
  progress << "note: compiling the recorder with " << mpicc << '\n';
  const auto made = fmt::format("{}.{}", library, getpid());
  std::vector<std::string> words{mpicc, "-std=gnu11", "-O2", "-fPIC", "-shared", "-w", "-Wl,--as-needed", "-o", made};
  words.insert(words.end(), sources->files.begin(), sources->files.end());
  words.insert(words.end(), {"-lzstd", "-ldl"});
  const auto compiled = output_of_program(words);
  if (!compiled)
    return compiled.errors();
  if (compiled->exit_code != 0)
    return compiler_fault(mpicc, compiled->text);
  std::filesystem::rename(made, library, status); // in one step, since others may build it at the same time
  if (status)
    return fault(library, fmt::format("cannot be written: {}", status.message()));
  return library;
}

} // namespace kakehashi
