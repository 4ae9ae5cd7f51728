#include "result/explanation.hpp"

#include <algorithm>

namespace kakehashi {

std::vector<Span> critical_spans(std::span<const Span> spans, Seconds start, Seconds end) {
  std::vector<Span> chain;
  Seconds at = end;
  for (auto span = spans.rbegin(); span != spans.rend() && at > start; ++span)
    if (span->end == at && span->start < at) {
      chain.push_back(*span);
      at = span->start;
    }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

} // namespace kakehashi
