// Lists of a cluster's switches → the network between its nodes.
#pragma once

#include "input/import/format.hpp"

namespace kakehashi {

// The output of `ibnetdiscover`.
bool is_ibnetdiscover(const Sample& sample);
Result<Imported> read_ibnetdiscover(std::string text, const std::string& file, const ImportOptions& options);

// Slurm's topology.conf, of its plugin topology/tree.
bool is_slurm_topology(const Sample& sample);
Result<Imported> read_slurm_topology(std::string text, const std::string& file, const ImportOptions& options);

// Slurm's topology.yaml, from 25.05 on: the topology of the cluster, if it is a tree.
bool is_slurm_yaml(const Sample& sample);
Result<Imported> read_slurm_yaml(std::string text, const std::string& file, const ImportOptions& options);

// "n[01-03,7],login" → n01, n02, n03, n7, login. Nothing: it is not of that form, or names more than 10000 nodes.
std::optional<std::vector<std::string>> expand_hosts(std::string_view list);

} // namespace kakehashi
