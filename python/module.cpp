// kakehashi._core: an errand as a Python object.
#include "command/errand.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <new>
#include <stdexcept>
#include <utility>

namespace nb = nanobind;
using namespace kakehashi;

namespace {

// Holds Python's lock, so that no other thread starts a process meanwhile.
RunningErrand started(const Errand& errand) {
  auto running = RunningErrand::start(errand);
  if (!running)
    throw std::runtime_error(to_text(running.errors().front()));
  return std::move(*running);
}

bool wait(RunningErrand& errand, int milliseconds) {
  const nb::gil_scoped_release others_go_on;
  return errand.wait(milliseconds);
}

std::pair<std::size_t, std::size_t> progress(const RunningErrand& errand) {
  return {errand.progress().done, errand.progress().all};
}

} // namespace

NB_MODULE(_core, module) {
  nb::class_<Answer>(module, "Answer")
      .def_ro("out", &Answer::out)
      .def_ro("notes", &Answer::notes)
      .def_ro("faults", &Answer::faults)
      .def_ro("chart", &Answer::chart);
  nb::class_<RunningErrand>(module, "Errand")
      .def(
          "__init__",
          [](RunningErrand* place, std::vector<std::string> words, std::map<std::string, std::string> texts,
             bool draws) {
            new (place) RunningErrand(started({std::move(words), std::move(texts), draws}));
          },
          nb::arg("words"), nb::arg("texts"), nb::arg("draws"))
      .def("wait", wait, nb::arg("milliseconds"))
      .def("stop", &RunningErrand::stop)
      .def_prop_ro("progress", progress)
      .def("answer", &RunningErrand::answer);
}
