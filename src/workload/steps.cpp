// Steps, which list the operations of each rank, as a job.
#include "workload/side_programs.hpp"
#include "workload/workload.hpp"

namespace kakehashi {
namespace {

Program run_steps(Rank& rank, const std::vector<Step>& steps, MpiProgress progress) {
  std::vector<Request> requests; // all requests that were started
  std::size_t waited = 0;        // number of requests that waitall has waited for
  for (const Step& step : steps) {
    const int to = step.to.value_or(0);
    const int from = step.from.value_or(any_source);
    const int receive_tag = step.tag.value_or(any_tag);
    switch (step.kind) {
    case Step::Kind::send: co_await rank.send(to, step.size, step.tag.value_or(0)); break;
    case Step::Kind::isend: requests.push_back(co_await rank.isend(to, step.size, step.tag.value_or(0))); break;
    case Step::Kind::recv: co_await rank.receive(from, receive_tag); break;
    case Step::Kind::irecv: requests.push_back(co_await rank.ireceive(from, receive_tag)); break;
    case Step::Kind::sendrecv: co_await rank.sendreceive(to, step.size, from, step.tag.value_or(0)); break;
    case Step::Kind::wait: co_await rank.wait(requests[static_cast<std::size_t>(step.request)]); break;
    case Step::Kind::waitall:
      co_await rank.wait_all({requests.begin() + static_cast<std::ptrdiff_t>(waited), requests.end()});
      waited = requests.size();
      break;
    case Step::Kind::compute: co_await work(rank, step.time, progress); break;
    }
  }
}

} // namespace

Job job_of(const StepProgram& steps, SharedPlace place) {
  const auto shared = std::make_shared<const StepProgram>(steps);
  Job job;
  job.program = [shared, place](Rank& rank) {
    return run_steps(rank, shared->steps[static_cast<std::size_t>(rank.id)], place->library.progress);
  };
  job.table = [place](const JobEnd& end) {
    auto table = table_of_ends("steps", place->devices, end.finish);
    add_progress_note(place->library, end.requests_at_work, 0, table);
    return table;
  };
  return job;
}

} // namespace kakehashi
