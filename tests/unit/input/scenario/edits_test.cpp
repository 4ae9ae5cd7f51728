#include "input/scenario/edits.hpp"

#include "input/json/patched.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// The document with what the words state put in, or the errors.
std::string edited(const ScenarioWords& words, const std::string& text = R"({"workload":{"sizes":[1,2]}})") {
  const auto edits = edits_of(words);
  if (!edits)
    return to_text(edits.errors().front());
  auto document = *parse_json(text, "s.json");
  const auto errors = apply(*edits, false, document);
  return errors.empty() ? document.root->dump() : to_text(errors.front());
}

ScenarioWords set(const std::string& text) {
  ScenarioWords words;
  words.sets = {text};
  return words;
}

TEST(Edits, PutAValueIntoTheDocument) {
  EXPECT_EQ(edited(set("/workload/window=16")), R"({"workload":{"sizes":[1,2],"window":16}})");
  EXPECT_EQ(edited(set("/workload/sizes/1=\"4 KiB\"")), R"({"workload":{"sizes":[1,"4 KiB"]}})");
  EXPECT_EQ(edited(set("/workload/sizes/2=4 KiB")), R"({"workload":{"sizes":[1,2,"4 KiB"]}})");
  EXPECT_EQ(edited(set("/mpi/collectives=mpich")), R"({"mpi":{"collectives":"mpich"},"workload":{"sizes":[1,2]}})");
  EXPECT_EQ(edited(set("/a~1b~0=[1, 2]"), "{}"), R"({"a/b~":[1,2]})");
  EXPECT_EQ(edited(set("/fabric=a=b"), "{}"), R"({"fabric":"a=b"})");
}

TEST(Edits, ChooseAPartOfAReplayOnly) {
  ScenarioWords words;
  words.part = {"solve", "1 s", "region output"};
  EXPECT_EQ(edited(words, R"({"workload":{"replay":{"recorded":"halo"}}})"),
            R"({"workload":{"replay":{"from":"1 s","recorded":"halo","region":"solve","to":"region output"}}})");
  words.part = {"", "1 s", ""};
  EXPECT_EQ(edited(words), "--from goes with a recording, and s.json replays none");
}

TEST(Edits, RefuseWhatIsNoField) {
  for (const char* text : {"x", "=1", "/", "/=1", "platform:=1"})
    EXPECT_EQ(edited(set(text)), "--set: got \"" + std::string(text) +
                                     "\", expected FIELD=VALUE, such as workload.window=16 or "
                                     "platform:links[n1.hca-n2.hca].lanes=4");
  for (const char* place :
       {"/workload/sizes/3", "/workload/sizes/00", "/workload/sizes/x", "/workload/sizes/0/a", "/none/1/a"})
    EXPECT_EQ(edited(set(place + std::string("=1"))), "--set " + std::string(place) + ": s.json has no such place");
}

TEST(Edits, BeginAListThatIsMissing) {
  EXPECT_EQ(edited(set("what_if.work[0].slowdown=2"), "{}"), R"({"what_if":{"work":[{"slowdown":2}]}})");
}

TEST(Edits, FindFieldsByNames) {
  const auto pointer = [](const std::string& field) {
    const auto found = pointer_in(
        *parse_json(R"({"nodes":{"n[0-1]":"node"},"templates":{"node":{"links":[{"between":["cpu","hca[0-1]"]}]}},
                        "links":[{"between":["n0.hca0","n1.hca0"]}],"networks":{"ib":{"link":{"lanes":4}}}})",
                    "p.json"),
        field);
    return found ? *found : to_text(found.errors().front());
  };
  EXPECT_EQ(pointer("/links/0/lanes"), "/links/0/lanes");
  EXPECT_EQ(pointer("links[n1.hca0-n0.hca0].lanes"), "/links/0/lanes");
  EXPECT_EQ(pointer("links[n1.hca1-n1.cpu].lanes"), "/templates/node/links/0/lanes");
  EXPECT_EQ(pointer("templates.node.links[cpu-hca[0-1]].lanes"), "/templates/node/links/0/lanes");
  EXPECT_EQ(pointer("networks.ib.link.lanes"), "/networks/ib/link/lanes");
  EXPECT_EQ(pointer("networks[ib].link.lanes"), "/networks/ib/link/lanes");
  EXPECT_EQ(pointer("links[n0.hca0-n2.hca0].lanes"),
            "p.json: /links has no such entry as \"n0.hca0-n2.hca0\" (did you mean \"n0.hca0-n1.hca0\"?)");
  EXPECT_EQ(pointer("links[n0.hca0-n0.gpu].lanes"), "p.json: /templates/node/links has no such entry as \"hca0-gpu\"");
}

TEST(Edits, JoinTwoFabrics) {
  ScenarioWords words;
  words.fabric = "shm+ib";
  EXPECT_EQ(edited(words, "{}"), R"({"fabric":"shm-ib"})");
  auto platform = *parse_json("{}", "p.json");
  EXPECT_TRUE(apply(*edits_of(words), true, platform).empty());
  EXPECT_EQ(platform.root->dump(), R"({"fabrics":{"shm-ib":{"by_scope":{"between-nodes":"ib","inside-device":"shm",)"
                                   R"("inside-node":"shm"}}}})");
}

TEST(Edits, StateRanksSizesAndBenchmark) {
  ScenarioWords words;
  words.fabric = "ib";
  words.sizes = {"8 B", "64"};
  words.ranks = {"a", "b"};
  EXPECT_EQ(edited(words, "{}"), R"({"fabric":"ib","ranks":["a","b"],"workload":{"sizes":["8 B",64]}})");
  words.ranks = {"a*"};
  words.benchmark = "imb-bcast";
  words.sizes.clear();
  EXPECT_EQ(edited(words, "{}"), R"({"fabric":"ib","ranks":{"on":["a*"]},"workload":{"benchmark":"imb-bcast"}})");
  words.per_device = 2;
  EXPECT_EQ(edited(words, "{}"),
            R"({"fabric":"ib","ranks":{"on":["a*"],"per_device":2},"workload":{"benchmark":"imb-bcast"}})");
  words.ranks = {"a", "b"};
  words.per_device = 0;
  words.order = "cyclic";
  EXPECT_EQ(edited(words, "{}"),
            R"({"fabric":"ib","ranks":{"on":["a","b"],"order":"cyclic"},"workload":{"benchmark":"imb-bcast"}})");
}

TEST(Edits, ChangeHowRanksAreSpread) {
  ScenarioWords words;
  words.per_device = 2;
  words.order = "block";
  EXPECT_EQ(edited(words, R"({"ranks":{"on":["a*"]}})"), R"({"ranks":{"on":["a*"],"order":"block","per_device":2}})");
  EXPECT_EQ(edited(words, R"({"ranks":["a"]})"), "--per-device: s.json has no such place");
}

TEST(Edits, KeepTheirPlacesApart) {
  ScenarioWords words;
  words.sets = {"platform:/name=\"p\""};
  EXPECT_EQ(edited(words, "{}"), "{}");
  auto platform = *parse_json("{}", "p.json");
  EXPECT_TRUE(apply(*edits_of(words), true, platform).empty());
  EXPECT_EQ(platform.root->dump(), R"({"name":"p"})");
}

TEST(Edits, AreNamedByErrorsInsteadOfTheFile) {
  ScenarioWords words;
  words.sizes = {"x"};
  words.sets = {"platform:/name=1"};
  const auto edits = *edits_of(words);
  const auto text = [&](const char* file, const char* place) {
    return to_text(by_option({{ErrorKind::input, file, place, "m", ""}}, edits, "s.json", "p.json").front());
  };
  EXPECT_EQ(text("s.json", "/workload/sizes/0"), "--sizes: /0: m");
  EXPECT_EQ(text("s.json", "/workload/sizesx"), "s.json: /workload/sizesx: m");
  EXPECT_EQ(text("p.json", "/name"), "--set platform:/name: m");
  EXPECT_EQ(text("s.json", "/name"), "s.json: /name: m");
}

} // namespace
} // namespace kakehashi
