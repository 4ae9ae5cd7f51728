#include "base/file.hpp"
#include "base/text.hpp"
#include "input/trace/gpu/chakra_node.hpp"
#include "input/trace/gpu/gpu_readers.hpp"
#include "input/trace/gpu/kineto_rank.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::size_t largest_profile = std::size_t{4} << 30;

struct NamePart {
  std::string_view part;
  KernelName kind;
};
// The first that a name contains. Names of cuBLAS, CUTLASS, hipBLASLt, flash-attn, cuDNN, Triton, Apex and PyTorch.
constexpr std::array name_parts{
    NamePart{"nccl", KernelName::call},      NamePart{"rccl", KernelName::call},
    NamePart{"adam", KernelName::optimizer}, NamePart{"multi_tensor", KernelName::optimizer},
    NamePart{"lamb", KernelName::optimizer}, NamePart{"flash", KernelName::attention},
    NamePart{"fmha", KernelName::attention}, NamePart{"attention", KernelName::attention},
    NamePart{"attn", KernelName::attention}, NamePart{"gemm", KernelName::gemm},
    NamePart{"nvjet", KernelName::gemm},     NamePart{"cijk_", KernelName::gemm},
    NamePart{"xmma", KernelName::gemm},      NamePart{"cutlass", KernelName::gemm},
    NamePart{"matmul", KernelName::gemm},    NamePart{"splitk", KernelName::gemm},
};

void add(KernelName kind, double us, StepProfile& profile) {
  const Seconds time{us * 1e-6};
  if (kind == KernelName::gemm)
    profile.gemm += time;
  else if (kind == KernelName::attention)
    profile.attention += time;
  else if (kind == KernelName::other)
    profile.memory += time;
}

Result<StepProfile> of_kineto(const std::string& text, const std::string& file) {
  auto trace = parse_kineto(text, file);
  if (!trace)
    return trace.errors();
  StepProfile profile;
  profile.steps = static_cast<int>(trace->steps.size());
  std::ranges::stable_sort(trace->events, {}, &KinetoEvent::begin);
  std::optional<double> busy_to;
  for (const auto& event : trace->events) {
    if (event.kind != KinetoEvent::Kind::kernel && event.kind != KinetoEvent::Kind::copy)
      continue;
    add(event.work, event.duration, profile);
    if (busy_to && event.begin > *busy_to)
      profile.idle += Seconds{(event.begin - *busy_to) * 1e-6};
    busy_to = std::max(busy_to.value_or(event.begin), event.begin + event.duration);
  }
  return profile;
}

Result<StepProfile> of_chakra(const std::string& text, const std::string& file) {
  StepProfile profile;
  profile.steps = 0;
  const auto take = [&](const ChakraNode& node) {
    if (node.type == ChakraNode::work && !node.is_on_host)
      add(kernel_name(node.name), static_cast<double>(node.duration), profile);
  };
  const auto errors = file.ends_with(".et") ? read_chakra_binary(text, file, take) : read_chakra_json(text, file, take);
  if (!errors.empty())
    return errors;
  return profile;
}

} // namespace

KernelName kernel_name(std::string_view name) {
  const auto lower = in_lower_case(name);
  const auto* found =
      std::ranges::find_if(name_parts, [&](const NamePart& row) { return lower.find(row.part) != std::string::npos; });
  return found == name_parts.end() ? KernelName::other : found->kind;
}

Result<StepProfile> read_step_profile(const std::string& file) {
  const auto text = read_text(file, largest_profile);
  if (!text)
    return text.errors();
  const bool is_kineto = !file.ends_with(".et") && text->find("\"traceEvents\"") != std::string::npos;
  auto profile = is_kineto ? of_kineto(*text, file) : of_chakra(*text, file);
  if (!profile)
    return profile.errors();
  if ((profile->gemm + profile->attention + profile->memory).value <= 0)
    return file_error(ErrorKind::input, file,
                      "no kernels with a time, expected the trace of a GPU by PyTorch's profiler or by Chakra; logs of "
                      "NCCL have calls only");
  profile->file = file;
  return profile;
}

} // namespace kakehashi
