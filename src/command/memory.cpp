#include "command/memory.hpp"

#include "base/memory.hpp"
#include "study/run/need.hpp"

namespace kakehashi {

OptionRows memory_row(std::string& limit) {
  return {"--max-memory",
          "the most memory to take, such as \"2 GiB\"; what needs more is not begun. Default: most of what is free",
          &limit};
}

Result<Bytes> memory_limit(const std::string& stated) {
  constexpr double most = 0.9; // of what is free
  if (stated.empty()) {
    const auto free = free_memory();
    return free ? Bytes{static_cast<std::uint64_t>(most * static_cast<double>(free->count))} : largest_size;
  }
  const auto limit = parse_bytes(stated);
  constexpr Bytes least{std::uint64_t{64} << 20}; // with which the program can say what is wrong
  if (limit && *limit < least)
    return usage_error("--max-memory: " + mismatch(in_quotes(stated), "at least " + to_text(least)));
  if (!limit)
    return usage_error("--max-memory: " + mismatch(in_quotes(stated), std::string(expected_bytes(stated))));
  return *limit;
}

Errors check_need(const Scenario& scenario, const std::string& stated_limit) {
  const auto limit = memory_limit(stated_limit);
  return limit ? check_need(scenario, *limit) : limit.errors();
}

} // namespace kakehashi
