#include "workload/operation.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

std::string text_of(const SendOperation& send) {
  return fmt::format("{} of {} to rank {} (tag {})", send.blocking ? "send" : "isend", to_text(send.size), send.to,
                     send.tag);
}

std::string text_of(const ReceiveOperation& receive) {
  return fmt::format("{} from {} ({})", receive.blocking ? "recv" : "irecv",
                     receive.from == any_source ? "any rank" : fmt::format("rank {}", receive.from),
                     receive.tag == any_tag ? "any tag" : fmt::format("tag {}", receive.tag));
}

std::string text_of(const SendReceiveOperation& both) {
  return fmt::format("sendrecv: {}, {}", text_of(both.send), text_of(both.receive));
}

std::string text_of(const WaitOperation& wait) {
  if (wait.is_for_any_of_all())
    return "wait for any of its requests";
  return fmt::format("wait for {}{} requests", wait.any ? "any of " : "", wait.requests.size());
}

std::string text_of(const RemoteOperation& remote) {
  return fmt::format("{} of {} {} rank {}", remote.is_read ? "get" : "put", to_text(remote.size),
                     remote.is_read ? "from" : "to", remote.peer);
}

std::string text_of(const ComputeOperation& compute) {
  return fmt::format("compute for {:.3f} us", in_microseconds(compute.time));
}

std::string text_of(const CopyOperation& copy) {
  return fmt::format("copy of {} {} the GPU's host", to_text(copy.size), copy.from == own_lane ? "to" : "from");
}

std::string text_of(const JointOperation& joint) {
  return fmt::format("call of {} ranks together, for {:.3f} us", joint.ranks, in_microseconds(joint.time));
}

std::string text_of(const TestOperation&) {
  return "test";
}

std::string text_of(const FailOperation& failure) {
  return to_text(*failure.error);
}

} // namespace

std::string to_text(const Operation& operation) {
  return std::visit([](const auto& each) { return text_of(each); }, operation);
}

} // namespace kakehashi
