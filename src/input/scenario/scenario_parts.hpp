// The parts of a scenario file → the parts of its Scenario.
#pragma once

#include "input/json/fields.hpp"
#include "input/trace/ti/ti_form.hpp"
#include "model/platform.hpp"
#include "model/scenario.hpp"
#include "model/sweep.hpp"

#include <string>
#include <vector>

namespace kakehashi {

// Reads a text, or a number of bytes.
std::optional<Bytes> read_size(const nlohmann::json& value, const std::string& place, Faults& faults);

// These read parts of "workload"; `ranks` is the number of ranks, if it is known.
Benchmark read_benchmark(const nlohmann::json& workload, std::optional<std::size_t> ranks,
                         const std::shared_ptr<const Platform>& platform, Faults& faults); // platform: may be null
GpuWishes read_gpu_wishes(const nlohmann::json& object, Faults& faults);
BossWorker read_boss_worker(const nlohmann::json& object, std::optional<std::size_t> ranks, Faults& faults);
StepProgram read_steps(const nlohmann::json& lists, std::optional<std::size_t> ranks, Faults& faults);
// Reads a recorded application. Errors in other files go to `elsewhere`.
Replay read_replay(const nlohmann::json& object, const std::string& scenario_file, std::optional<std::size_t> ranks,
                   Faults& faults, Errors& elsewhere);
// Reads "training" or "inference", and the model's file; sizes that are left open are 0.
Training read_training(const nlohmann::json& workload, const std::string& scenario_file,
                       std::optional<std::size_t> ranks, Faults& faults, Errors& elsewhere);
// Reads the facts that time-independent traces lack, from the same object at `place`.
TiForm read_ti_form(const nlohmann::json& object, const std::string& place, int ranks, Faults& faults);

// Applies "what_if" to a scenario with ranks and workload: its changes replace what the scenario has, and the
// scenario's platform.
void read_what_if(const nlohmann::json& object, Scenario& scenario, Faults& faults);

// An entry of "vary" → its values, and the place in a document that they change.

// Something that varies: the text of each value, and its change to the document of the scenario or its platform.
struct Dimension {
  std::string name;
  std::string place; // place of its entry
  struct Value {
    std::string text;
    std::string place;
    nlohmann::json value;
  };
  std::vector<Value> values;
  bool is_in_platform = false;
  // The place that a value replaces; empty: it changes the number of ranks on devices.
  nlohmann::json::json_pointer pointer;
  std::vector<std::size_t> devices; // devices of per_device
};

// Returns a text that is the same for equal numbers and quantities: "1 GB/s" and "8 Gbit/s".
std::string meaning_of(const nlohmann::json& value);

// Reads an entry with the key "field"; none, with faults, if it has any.
std::optional<Dimension> read_field_dimension(const nlohmann::json& entry, const std::string& place,
                                              const nlohmann::json& scenario, const nlohmann::json& platform,
                                              Faults& faults);

// Dimensions, and the documents that they change → the variants of a sweep.
struct SweepDocuments {
  const JsonDocument& document; // document of the scenario
  const JsonDocument& platform;
  const Scenario& scenario; // the unchanged one
};

// Adds the fields and variants; the first variant is the unchanged scenario. Faults: every value that makes a file
// wrong by itself; without such values, every combination that does; too many variants.
void expand(const SweepDocuments& documents, const std::vector<Dimension>& dimensions, Sweep& sweep, Faults& faults);

// The fields of a scenario as the user wrote them on a command line.

// The part of a recording that is replayed.
struct ReplayPartWords {
  std::string region; // region of the program; empty: the whole program
  std::string from;   // "1 s" or "region NAME"; empty: the beginning
  std::string to;

  bool empty() const { return region.empty() && from.empty() && to.empty(); }
};

struct ScenarioWords {
  std::string platform;              // a file name, relative to the current folder; empty: the scenario's platform
  std::string fabric;                // empty: the scenario's; "shm+ib": inside nodes and between them
  std::string benchmark;             // replaces the whole workload
  std::vector<std::string> training; // likewise: a model, and fields as "tensor=8"
  std::vector<std::string> inference;
  std::string algorithm;              // algorithm for its collective operation
  std::string protocol;               // a protocol of NCCL or RCCL
  int channels = 0;                   // likewise, the most; 0: not stated
  std::vector<std::string> variables; // likewise: "NCCL_ALGO=Ring"
  std::string gpu_library;            // "nccl", "2.22" or "nccl-2.22"
  // Devices; or patterns, if a name has a star or a range, or one of the next members is stated.
  std::vector<std::string> ranks;
  int per_device = 0;
  std::string order;
  // If one of these three is stated, a device of `ranks` has room for as many ranks as it has cores.
  std::string map_by; // core, socket or node
  int count = 0;      // number of all ranks; 0: not stated
  int per_node = 0;   // the most; 0: not stated
  std::vector<std::string> sizes;
  ReplayPartWords part;
  std::vector<std::string> sets; // "FIELD=VALUE", with FIELD as in "vary"
};

// The key "ranks", and patterns of devices → devices.

// Returns "a device of cluster.json: node0.cpu0, node0.cpu1 and 6 more", which lists devices that ranks can run on.
std::string devices_of(const Platform& platform);

// Returns the device of each rank; empty, with faults, if they cannot be found.
std::vector<std::size_t> read_ranks(const nlohmann::json& ranks, const Platform& platform, Faults& faults);

// Returns the order in which ranks take the cores of a device.
CoreOrder core_order_of(const nlohmann::json& ranks);

// Returns the devices that a list of patterns matches, in its order. A pattern that matches nothing and a device that
// matches twice are faults.
std::vector<std::size_t> matched_devices(const nlohmann::json& patterns, const std::string& place,
                                         const Platform& platform, Faults& faults);

} // namespace kakehashi
