// The whole library: machines, programs that users write for them, and the results of runs.
#pragma once

#include "kakehashi/error.hpp"
#include "kakehashi/machine.hpp"
#include "kakehashi/program.hpp"
#include "kakehashi/run.hpp"
#include "kakehashi/units.hpp"
