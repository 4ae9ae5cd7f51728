#include "command/memory.hpp"

#include "base/memory.hpp"
#include "study/run/need.hpp"

#include <CLI/CLI.hpp>

namespace kakehashi {

void declare_memory(CLI::App& app, Options& options) {
  app.add_option(
      "--max-memory", options.max_memory,
      "the most memory to take, such as \"2 GiB\"; what needs more is not begun. Default: most of what is free");
}

Result<Bytes> memory_limit(const Options& options) {
  constexpr double most = 0.9; // of what is free
  if (options.max_memory.empty()) {
    const auto free = free_memory();
    return free ? Bytes{static_cast<std::uint64_t>(most * static_cast<double>(free->count))} : largest_size;
  }
  const auto limit = parse_bytes(options.max_memory);
  constexpr Bytes least{std::uint64_t{64} << 20}; // with which the program can say what is wrong
  if (limit && *limit < least)
    return usage_error("--max-memory: " + mismatch(in_quotes(options.max_memory), "at least " + to_text(least)));
  if (!limit)
    return usage_error("--max-memory: " +
                       mismatch(in_quotes(options.max_memory), std::string(expected_bytes(options.max_memory))));
  return *limit;
}

Errors check_need(const Scenario& scenario, const Options& options) {
  const auto limit = memory_limit(options);
  return limit ? check_need(scenario, *limit) : limit.errors();
}

} // namespace kakehashi
