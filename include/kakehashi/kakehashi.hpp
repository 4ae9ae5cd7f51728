// The whole library: a machine, a program of one's own on it, and what comes out.
#pragma once

#include "kakehashi/error.hpp"
#include "kakehashi/machine.hpp"
#include "kakehashi/program.hpp"
#include "kakehashi/run.hpp"
#include "kakehashi/units.hpp"
