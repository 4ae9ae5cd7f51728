#include "base/memory.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <malloc.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace kakehashi {
namespace {

// Reads a file of the system that holds one number. None: there is no such file, or it holds a word such as "max".
std::optional<std::uint64_t> number_in(const std::string& file) {
  std::ifstream stream(file);
  std::uint64_t number = 0;
  return stream >> number ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> available() {
  std::ifstream stream("/proc/meminfo");
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with("MemAvailable:"))
      return 1024 * std::stoull(line.substr(line.find(':') + 1));
  return std::nullopt;
}

// Returns what is left to the control group (version 2) of this process; containers are limited by such groups.
std::optional<std::uint64_t> left_of_group() {
  std::ifstream groups("/proc/self/cgroup");
  std::string line;
  std::getline(groups, line);
  if (!line.starts_with("0::"))
    return std::nullopt;
  const auto folder = "/sys/fs/cgroup" + line.substr(3);
  const auto most = number_in(folder + "/memory.max");
  const auto used = number_in(folder + "/memory.current");
  return most ? std::optional(*most - std::min(*most, used.value_or(0))) : std::nullopt;
}

// Returns the memory of this process that RLIMIT_DATA counts.
std::uint64_t data_size() {
  std::ifstream stream("/proc/self/statm");
  std::uint64_t pages = 0;
  for (int field = 0; field < 6; ++field) // the sixth field: data and stack
    stream >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

} // namespace

std::optional<Bytes> free_memory() {
  auto free = available();
  if (const auto group = left_of_group())
    free = std::min(free.value_or(*group), *group);
  return free ? std::optional(Bytes{*free}) : std::nullopt;
}

void bound_memory([[maybe_unused]] Bytes most) {
#ifndef KAKEHASHI_SANITIZED // sanitizers map far more than they use
  rlimit now{};
  getrlimit(RLIMIT_DATA, &now);
  now.rlim_cur = std::min<rlim_t>(most.count, now.rlim_max);
  setrlimit(RLIMIT_DATA, &now);
#endif
}

std::optional<Bytes> spare_memory() {
  rlimit now{};
  if (getrlimit(RLIMIT_DATA, &now) != 0 || now.rlim_cur == RLIM_INFINITY)
    return std::nullopt;
  return Bytes{now.rlim_cur - std::min<std::uint64_t>(data_size(), now.rlim_cur)};
}

void share_memory(int children) {
  if (const auto spare = spare_memory())
    bound_memory(Bytes{data_size() + spare->count / static_cast<std::uint64_t>(std::max(1, children))});
}

std::optional<double> peak_mebibytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) {
      rusage children{};
      getrusage(RUSAGE_CHILDREN, &children);
      return std::max(std::stod(line.substr(line.find(':') + 1)), static_cast<double>(children.ru_maxrss)) / 1024;
    }
  return std::nullopt;
}

void use_large_pages(std::size_t size) {
  constexpr std::uintptr_t page = std::size_t{2} << 20;
  constexpr std::size_t block = std::size_t{1} << 20; // more than the heap has free at the start
  constexpr int usual_pad = 128 << 10;
  mallopt(M_MMAP_THRESHOLD, 32 << 20); // smaller allocations come from the heap
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_TOP_PAD, static_cast<int>(size));
  const auto begin = reinterpret_cast<std::uintptr_t>(sbrk(0));
  void* volatile grown = std::malloc(block);
  std::free(grown);
  mallopt(M_TOP_PAD, usual_pad);
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0));
  const auto first = (begin + page - 1) / page * page;
  if (first < end)
    madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

} // namespace kakehashi
