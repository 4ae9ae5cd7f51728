// `tune --library nccl`: what NCCL or RCCL should take on the GPUs of a platform.
#pragma once

#include "command/command_parts.hpp"
#include "command/shared_options.hpp"

namespace kakehashi {

struct GpuTuneArguments {
  ScenarioWords words;                 // with the platform, and the library as `gpu_library`
  std::vector<std::string> operations; // empty: all that have a choice
  std::string margin;                  // in percent; empty: the usual
  std::string rules;                   // the tuner's file to write; empty: none
  std::string format;
  ReportArguments report;
};

int tune_gpu_library(const GpuTuneArguments& arguments, const Streams& streams);

} // namespace kakehashi
