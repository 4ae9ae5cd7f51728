#include "result/explanation.hpp"

#include <algorithm>

namespace kakehashi {

std::vector<Span> critical_spans(std::span<const Span> spans, Seconds start, Seconds end) {
  std::vector<Span> chain;
  for (Seconds at = end; at > start;) {
    const auto before =
        std::find_if(spans.rbegin(), spans.rend(), [&](const Span& span) { return span.end == at && span.start < at; });
    if (before == spans.rend())
      break;
    chain.push_back(*before);
    at = before->start;
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

} // namespace kakehashi
