#include "input/trace/dumpi/dumpi_events.hpp"

namespace kakehashi {

const std::vector<DumpiEvents::Handler>& DumpiEvents::handlers() {
  using E = DumpiEvents&;
  using enum Collective;
  struct Row {
    std::string_view name;
    Handler handler;
  };
  static constexpr Handler send = [](E e) { e.send(false); };
  static constexpr Handler isend = [](E e) { e.set_send(false, false), e.begin(e.number(5)); };
  static constexpr Handler send_init = [](E e) { e.set_send(false, true); };
  static constexpr Handler end_some = [](E e) { e.end_some(e.call_->list(3)); };
  static constexpr Row rows[] = {
      {"Send", send},
      {"Ssend", send},
      {"Rsend", send},
      {"Bsend", [](E e) { e.send(true); }},
      {"Isend", isend},
      {"Issend", isend},
      {"Irsend", isend},
      {"Ibsend", [](E e) { e.set_send(true, false), e.begin(e.number(5)); }},
      {"Recv", [](E e) { e.receive(); }},
      {"Irecv", [](E e) { e.set_receive(false), e.begin(e.number(5)); }},
      {"Send_init", send_init},
      {"Ssend_init", send_init},
      {"Rsend_init", send_init},
      {"Bsend_init", [](E e) { e.set_send(true, true); }},
      {"Recv_init", [](E e) { e.set_receive(true); }},
      {"Start", [](E e) { e.begin(e.number(0)); }},
      {"Startall",
       [](E e) {
         for (const auto request : e.call_->list(1))
           e.begin(request);
       }},
      {"Sendrecv", [](E e) { e.exchange(6, 8); }},
      {"Sendrecv_replace", [](E e) { e.exchange(4, 6); }},
      {"Wait", [](E e) { e.end(e.number(0)); }},
      {"Waitall", [](E e) { e.end_listed(); }},
      {"Waitany", [](E e) { e.end_some({e.number(2)}); }},
      {"Waitsome", end_some},
      {"Test", [](E e) { e.number(1) != 0 ? e.end(e.number(0)) : void(); }},
      {"Testall", [](E e) { e.number(2) != 0 ? e.end_listed() : void(); }},
      {"Testany", [](E e) { e.number(3) != 0 ? e.end_some({e.number(2)}) : void(); }},
      {"Testsome", end_some},
      {"Request_free", [](E e) { e.requests_.forget(e.number(0)); }},
      {"Cancel", [](E e) { e.requests_.cancel(e.number(0)) ? void() : e.leave_out(""); }},
      {"Barrier", [](E e) { e.collective(barrier, 0); }},
      {"Bcast", [](E e) { e.collective(bcast, 3, e.bytes(0), 2); }},
      {"Reduce", [](E e) { e.collective(reduce, 4, e.bytes(0), 3); }},
      {"Allreduce", [](E e) { e.collective(allreduce, 3, e.bytes(0)); }},
      {"Scan", [](E e) { e.collective(scan, 3, e.bytes(0)); }},
      {"Exscan", [](E e) { e.collective(exscan, 3, e.bytes(0)); }},
      // The root's own buffer may be where the result is, so what counts there is the other one.
      {"Gather", [](E e) { e.collective(gather, 4, e.bytes(e.number(0) == e.number(3) ? 5 : 1), 3); }},
      {"Scatter", [](E e) { e.collective(scatter, 4, e.bytes(e.number(0) == e.number(3) ? 5 : 1), 3); }},
      {"Gatherv", [](E e) { e.gatherv(); }},
      {"Scatterv", [](E e) { e.scatterv(); }},
      {"Allgather", [](E e) { e.collective(allgather, 4, e.bytes(2)); }},
      {"Allgatherv", [](E e) { e.collective(allgatherv, 6, {}, {}, e.sizes(3, 5)); }},
      {"Alltoall", [](E e) { e.collective(alltoall, 4, e.bytes(2)); }},
      {"Alltoallv", [](E e) { e.collective(alltoallv, 7, {}, {}, e.sizes(1, 3)); }},
      {"Alltoallw", [](E e) { e.alltoallw(); }},
      {"Reduce_scatter", [](E e) { e.collective(reduce_scatter, 4, {}, {}, e.sizes(1, 2)); }},
  };
  static const std::vector<Handler> by_number = [] {
    std::vector<Handler> all(dumpi_functions(), nullptr);
    for (const auto& row : rows)
      all[dumpi_function(row.name)] = row.handler;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (makes_communicator(dumpi_name(i)))
        all[i] = [](E e) { e.make(); };
    return all;
  }();
  return by_number;
}

} // namespace kakehashi
