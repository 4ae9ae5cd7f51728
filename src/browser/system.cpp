// What a page has of what the program asks a system for: no SimGrid, no processes, no signals, no files but those that
// the page shows it, and no more memory than WebAssembly addresses.
#include "base/data_folder.hpp"
#include "base/interrupt.hpp"
#include "base/memory.hpp"
#include "command/shell/whole_file.hpp"
#include "engine/flow/network.hpp"
#include "study/pool/pool.hpp"

#include <cstdlib>
#include <new>

// The one of the standard library ends the program.
void* operator new(std::size_t size) {
  if (void* room = std::malloc(size > 0 ? size : 1))
    return room;
  throw std::bad_alloc();
}

namespace kakehashi {

bool load_simgrid() {
  return false;
}
std::string simgrid_fault() {
  return "a page has only the fluid engine";
}
std::unique_ptr<Network> make_simgrid_network(const std::deque<Channel>&, std::uint32_t, Seconds) {
  std::abort();
}
std::string simgrid_name() {
  std::abort();
}

std::optional<Bytes> free_memory() {
  return Bytes{std::uint64_t{3} << 30};
}
void bound_memory(Bytes) {}
std::optional<Bytes> spare_memory() {
  return std::nullopt;
}

std::optional<double> peak_mebibytes() {
  return std::nullopt;
}

InterruptWatch::InterruptWatch() {}
InterruptWatch::~InterruptWatch() {}
bool is_interrupted() {
  return false;
}
Error interrupted(std::string message) {
  return {ErrorKind::interrupt, "", "", std::move(message), ""};
}

Result<std::string> find_data_folder() {
  return std::string("/");
}
std::string or_shipped(const std::string& path, const std::string&) {
  return path;
}

std::optional<Launch> launch() {
  return std::nullopt;
}

Error wrong_form() {
  return system_error("a task gave something else than its result");
}
void stream_texts_from_children(std::size_t tasks, const NumberedTask<std::string>& task, const PoolOptions& options,
                                const Settled<std::string>& settled) {
  for (std::size_t i = 0; i < tasks && (!options.goes_on || options.goes_on()); ++i)
    settled(i, task(i));
}

namespace {

Error no_file(const std::string& file) {
  return file_error(ErrorKind::run, file, "cannot be written: a page has no files");
}

} // namespace

Errors write_whole(const std::string& file, const std::function<void(std::ostream&)>&) {
  return {no_file(file)};
}
Errors check_writable(const std::string& file) {
  return {no_file(file)};
}

} // namespace kakehashi
