#include "input/trace/gpu/kineto_rank.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "input/json/json_document.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace kakehashi {
namespace {

using nlohmann::json;

constexpr std::size_t longest_text = 1 << 20; // the longest text of a list of ranks
constexpr std::size_t longest_name = 4000;    // C++ kernels have long names
constexpr std::string_view list_of_events = "traceEvents";

// A value of a trace: a number, a text, or both if the text is a number.
struct Scalar {
  std::optional<double> number;
  std::optional<std::int64_t> integer;
  std::string_view text;
};

Scalar scalar_of(std::string_view text) {
  return {number_in<double>(text), number_in<std::int64_t>(text), text};
}

void set_argument(KinetoEvent& event, KinetoCall& call, std::string_view name, const Scalar& value) {
  const auto text = [&] { return std::string(value.text.substr(0, longest_text)); };
  if (name == "External id")
    event.external = value.integer;
  else if (name == "correlation")
    event.correlation = value.integer;
  else if (name == "device")
    event.device = value.integer.value_or(0);
  else if (name == "stream")
    event.stream = value.integer.value_or(event.stream);
  else if (name == "Collective name")
    call.collective = text();
  else if (name == "dtype")
    call.type = text();
  else if (name == "Process Group Name")
    call.group = text();
  else if (name == "Process Group Ranks")
    call.members = text();
  else if (name == "In split size")
    call.splits = text();
  else if (name == "In msg nelems")
    call.in = value.integer;
  else if (name == "Out msg nelems")
    call.out = value.integer;
  else if (name == "Group size")
    call.size = value.integer;
  else if (name == "Global rank start")
    call.first = value.integer;
  else if (name == "Global rank stride")
    call.stride = value.integer;
  else if (name == "Rank")
    call.rank = value.integer;
  else if (name == "Src Rank")
    call.source = value.integer;
  else if (name == "Dst Rank")
    call.target = value.integer;
  else if (name == "Seq")
    call.number = value.integer;
}

// Reads the text once and keeps only what is needed, since traces have millions of values.
class KinetoParser : public nlohmann::json_sax<json> {
public:
  KinetoParser(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  KinetoTrace trace;
  Errors errors;
  bool has_events = false;

  bool null() override { return take({}); }
  bool boolean(bool) override { return take({}); }
  bool number_integer(number_integer_t value) override { return take({static_cast<double>(value), value, {}}); }
  bool number_unsigned(number_unsigned_t value) override {
    const auto integer = value > INT64_MAX ? std::nullopt : std::optional(static_cast<std::int64_t>(value));
    return take({static_cast<double>(value), integer, {}});
  }
  bool number_float(number_float_t value, const string_t&) override { return take({value, std::nullopt, {}}); }
  bool string(string_t& value) override { return take(scalar_of(value)); }
  bool binary(binary_t&) override { return true; }

  bool start_object(std::size_t) override {
    if (is_in({list_of_events}, 2))
      begin_event();
    else if (is_in({"distributedInfo", "pg_config"}, 3))
      trace.groups.emplace_back();
    return open();
  }
  bool start_array(std::size_t) override {
    has_events = has_events || (keys_.size() == 1 && keys_[0] == list_of_events);
    list_ = "[";
    return open();
  }
  bool end_object() override {
    keys_.pop_back();
    return !is_in({list_of_events}, 2) || end_event();
  }
  // A list of numbers becomes the text that other versions write.
  bool end_array() override {
    keys_.pop_back();
    const auto list = std::exchange(list_, "") + "]";
    return keys_.empty() || take({std::nullopt, std::nullopt, list});
  }
  bool key(string_t& name) override {
    keys_.back() = name.substr(0, 100);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& what) override {
    errors.push_back(syntax_error(text_, file_, position, what.what()));
    return false;
  }

private:
  static constexpr std::size_t deepest = 100;

  // Whether the parser is inside the value of these keys, at this depth; arrays have no key.
  bool is_in(std::initializer_list<std::string_view> keys, std::size_t depth) const {
    return keys_.size() == depth && std::equal(keys.begin(), keys.end(), keys_.begin());
  }

  bool open() {
    keys_.emplace_back();
    if (keys_.size() <= deepest)
      return true;
    errors.push_back(file_error(ErrorKind::input, file_, fmt::format("nested more than {} deep", deepest)));
    return false;
  }

  void begin_event() {
    event_ = {};
    event_.index = next_++;
    call_ = {};
    name_.clear();
    category_.clear();
    phase_.clear();
    has_begin_ = false;
    has_thread_ = false;
  }

  bool take(const Scalar& value) {
    if (list_.size() < longest_text && !list_.empty() && value.integer)
      list_ += fmt::format("{}{}", list_.size() > 1 ? ", " : "", *value.integer);
    if (keys_.size() < 2)
      return true;
    if (keys_.size() == 3 && keys_[0] == list_of_events)
      set_field(keys_[2], value);
    else if (keys_.size() == 4 && keys_[0] == list_of_events && keys_[2] == std::string_view("args"))
      set_argument(event_, call_, keys_[3], value);
    else if (keys_.size() == 2 && keys_[0] == "distributedInfo" && keys_[1] == "rank")
      trace.rank = value.integer;
    else if (keys_.size() == 2 && keys_[0] == "distributedInfo" && keys_[1] == "world_size")
      trace.ranks = value.integer;
    else if (keys_.size() == 4 && is_in({"distributedInfo", "pg_config"}, 4) && !trace.groups.empty()) {
      if (keys_[3] == "pg_name")
        trace.groups.back().name = value.integer ? fmt::format("{}", *value.integer) : std::string(value.text);
      else if (keys_[3] == "ranks")
        trace.groups.back().members = value.text;
    }
    return true;
  }

  void set_field(std::string_view name, const Scalar& value) {
    if (name == "name")
      name_ = value.text.substr(0, longest_name);
    else if (name == "cat")
      category_ = in_lower_case(value.text.substr(0, 100));
    else if (name == "ph")
      phase_ = value.text.substr(0, 10);
    else if (name == "ts" && value.number) {
      event_.begin = *value.number;
      has_begin_ = true;
    } else if (name == "dur" && value.number)
      event_.duration = *value.number;
    else if (name == "tid" && value.integer) {
      event_.thread = *value.integer;
      if (!has_thread_)
        event_.stream = *value.integer; // unless an argument states it
      has_thread_ = true;
    }
  }

  // Returns the kind of the event; nothing: it is not needed.
  std::optional<KinetoEvent::Kind> kind() const {
    using Kind = KinetoEvent::Kind;
    if (phase_ != "X")
      return std::nullopt;
    if (category_ == "kernel")
      return Kind::kernel;
    if (category_ == "gpu_memcpy" || category_ == "gpu_memset" || category_ == "memcpy" || category_ == "memset")
      return Kind::copy;
    if (name_ == "record_param_comms")
      return Kind::call;
    const bool is_runtime = category_.ends_with("runtime") || category_.ends_with("driver");
    return is_runtime && event_.correlation ? std::optional(Kind::launch) : std::nullopt;
  }

  bool end_event() {
    constexpr std::size_t most_categories = 100, most_steps = 1'000'000;
    if (trace.steps.size() < most_steps && name_.starts_with("ProfilerStep#"))
      trace.steps.insert(name_);
    if (!category_.empty() && (trace.categories.size() < most_categories || trace.categories.contains(category_)))
      ++trace.categories[category_];
    const auto found = kind();
    if (!found)
      return true;
    constexpr double longest = 1e17; // three thousand years
    event_.kind = *found;
    if (!has_begin_ || !(std::abs(event_.begin) < longest) || !(event_.duration >= 0 && event_.duration < longest)) {
      errors.push_back(input_error(file_, fmt::format("/traceEvents/{}", event_.index),
                                   "got an event without a time, expected \"ts\" and \"dur\" in us"));
      return false;
    }
    if (event_.kind == KinetoEvent::Kind::kernel)
      event_.work = kernel_name(name_);
    event_.is_nccl = event_.work == KernelName::call;
    if (!call_.collective.empty() && (event_.is_nccl || event_.kind == KinetoEvent::Kind::call))
      event_.call = std::make_shared<const KinetoCall>(std::move(call_));
    trace.events.push_back(std::move(event_));
    return true;
  }

  const std::string& text_;
  const std::string& file_;
  std::vector<std::string> keys_; // keys of each open object; arrays have none
  std::string list_;              // the array that was opened last, as text
  KinetoEvent event_;
  KinetoCall call_;
  std::string name_;
  std::string category_;
  std::string phase_;
  bool has_begin_ = false;
  bool has_thread_ = false;
  std::uint64_t next_ = 0;
};

} // namespace

Result<KinetoTrace> parse_kineto(const std::string& text, const std::string& file) {
  KinetoParser parser(text, file);
  const bool is_whole = json::sax_parse(text, &parser);
  if (!parser.errors.empty())
    return std::move(parser.errors);
  if (!is_whole || !parser.has_events)
    return file_error(ErrorKind::input, file, "got no array \"traceEvents\", as a trace of PyTorch's profiler has");
  return std::move(parser.trace);
}

} // namespace kakehashi
