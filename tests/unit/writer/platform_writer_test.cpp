#include "writer/platform_writer.hpp"

#include "input/platform/part_readers.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

template <class Owner> Owner read_back(const Json& json) {
  Faults faults("p.json");
  const auto value = read_fields<Owner>(nlohmann::json(json), "", {}, faults);
  EXPECT_TRUE(faults.empty()) << json;
  return value;
}

Regime full_regime() {
  Regime regime;
  regime.from = Bytes{1024};
  regime.to = Bytes{4096};
  regime.trips = 3;
  regime.send_overhead = all_kinds(microseconds(1));
  regime.send_overhead[static_cast<std::size_t>(DeviceKind::coprocessor)] = microseconds(2.5);
  regime.receive_per_byte = all_kinds(SecondsPerByte{0.25e-9});
  regime.setup = microseconds(4);
  regime.cap = BytesPerSecond{3.4e9};
  regime.gap = microseconds(0.5);
  regime.alignment = Alignment{Bytes{64}, microseconds(0.1)};
  regime.provider = "ofa-v2";
  return regime;
}

TEST(PlatformWriter, WritesWhatDiffersFromTheDefault) {
  EXPECT_EQ(to_json(full_regime()).dump(),
            R"({"from":"1 KiB","to":"4 KiB","trips":3,"o_send":{"any":"1 us","coprocessor":"2.5 us"},)"
            R"("per_byte_recv":"0.25 ns/B","setup":"4 us","cap":"3400 MB/s","gap":"0.5 us",)"
            R"("alignment":{"multiple":"64 B","penalty":"0.1 us"},"provider":"ofa-v2"})");
  EXPECT_EQ(to_json(Regime{}).dump(), R"({"from":"0 B"})");
}

TEST(PlatformWriter, WritesWhatTheReaderReads) {
  const auto written = to_json(full_regime());
  EXPECT_EQ(to_json(read_back<Regime>(written)), written);
}

TEST(PlatformWriter, WritesAnAdjustmentWithItsSource) {
  Adjustment adjustment;
  adjustment.crosses = link_type("upi");
  adjustment.protocol = Protocol::rendezvous;
  adjustment.latency = microseconds(0.3);
  adjustment.copy_factor = 1.5;
  adjustment.source = {SourceKind::document, "the text"};
  const auto written = to_json(adjustment);
  EXPECT_EQ(written.dump(), R"({"crosses":"upi","protocol":"rendezvous","latency":"0.3 us","copy_factor":1.5,)"
                            R"("source":{"kind":"document","from":"the text"}})");
  EXPECT_EQ(to_json(read_back<Adjustment>(written)), written);
  EXPECT_EQ(amounts_of(adjustment).dump(), R"({"latency":"0.3 us","copy_factor":1.5})");
}

TEST(PlatformWriter, StatesAFactorForAnAdjustmentThatAddsNothing) {
  EXPECT_EQ(amounts_of(Adjustment{}).dump(), R"({"copy_factor":1.0})");
}

// What is written of an object is what is written of what the reader makes of it.
template <class Owner> std::string written_twice(const Owner& owner) {
  const auto once = fields_to_json(owner);
  EXPECT_EQ(fields_to_json(read_back<Owner>(once)), once);
  return once.dump();
}

TEST(PlatformWriter, WritesMachinesByTheirTables) {
  EXPECT_EQ(written_twice(Device{"mic0", DeviceKind::coprocessor, 0,
                                 Memory{gigabytes_per_second(5), {}, {}, Bytes{1 << 20}, {}}}),
            R"({"name":"mic0","kind":"coprocessor","memory":{"bandwidth":"5000 MB/s","cache":"1 MiB"}})");
  Device gpu{"gpu0", DeviceKind::gpu};
  gpu.model = "H100";
  EXPECT_EQ(written_twice(gpu), R"({"name":"gpu0","kind":"gpu","model":"H100"})");
  Link link;
  link.type = link_type("pcie");
  link.latency = microseconds(0.2);
  EXPECT_EQ(written_twice(link), R"({"type":"pcie","latency":"0.2 us"})");
  link.bandwidth = gigabytes_per_second(6);
  EXPECT_EQ(written_twice(link), R"({"type":"pcie","latency":"0.2 us","bandwidth":"6000 MB/s"})");
  link.bandwidth = {gigabytes_per_second(6), gigabytes_per_second(3)};
  EXPECT_EQ(written_twice(link),
            R"({"type":"pcie","latency":"0.2 us","bandwidth":{"forward":"6000 MB/s","backward":"3000 MB/s"}})");
  LinkRating rating;
  rating.signalling = 2;
  rating.lanes = 4;
  EXPECT_EQ(written_twice(rating), R"({"lanes":4,"signalling":"QDR"})");
  PeerLimit limit;
  limit.crosses = link_type("qpi");
  limit.rate = gigabytes_per_second(0.5);
  limit.source = {SourceKind::document, "the text"};
  EXPECT_EQ(written_twice(limit), R"({"requester":"hca","memory":"coprocessor","access":"read","crosses":"qpi",)"
                                  R"("rate":"500 MB/s","source":{"kind":"document","from":"the text"}})");
}

TEST(PlatformWriter, WritesFabricsByTheirTables) {
  Rule rule;
  rule.scope = Scope::inside_node;
  rule.between = {DeviceKind::cpu, DeviceKind::gpu};
  rule.initiator = DeviceKind::gpu;
  rule.moved_by_cores = true;
  rule.copies = 2;
  EXPECT_EQ(written_twice(rule),
            R"({"scope":"inside-node","between":["cpu","gpu"],"initiator":"gpu","moved_by_cores":true,"copies":2})");
  Stage stage;
  stage.fabric = "scif";
  stage.to = {Side::receiver, "cpu0"};
  stage.initiator = Side::receiver;
  stage.only_sender = DeviceKind::coprocessor;
  EXPECT_EQ(written_twice(stage),
            R"({"fabric":"scif","from":"sender","to":"receiver.cpu0","initiator":"to","only_sender":"coprocessor"})");
  Fabric fabric;
  fabric.one_sided = true;
  fabric.chunk = Bytes{65536};
  EXPECT_EQ(written_twice(fabric), R"({"one_sided":true,"pipeline":"64 KiB"})");
}

TEST(PlatformFields, HaveADefaultOnlyWhereTheyMayBeLeftOut) {
  const auto rating = read_back<LinkRating>(Json::object());
  EXPECT_EQ(rating.max_payload, Bytes{256});
  EXPECT_EQ(rating.lanes, std::nullopt);
}

} // namespace
} // namespace kakehashi
