#include "on_demand/simgrid_module.hpp"

const kakehashi::SimGridModule kakehashi_simgrid{&kakehashi::make_simgrid_network, &kakehashi::simgrid_name};
