#include "input/trace/ti/ti_records.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstring>
#include <unistd.h>

namespace kakehashi {
namespace {

// A record begins with a byte: what the event is, two flags of it, and how many lines it is after the one before; 0:
// that number follows. Numbers have seven bits in each byte, the lowest first.
constexpr auto startall = static_cast<unsigned>(std::variant_size_v<decltype(TraceEvent::what)>);
constexpr unsigned flags_at = 4, lines_at = 6, most_lines = 3;
static_assert(startall < 1 << flags_at);

class Writer {
public:
  // Numbers take ten bytes at most, and no event has as many as twelve of them beside a list.
  static constexpr std::size_t longest_number = 10, most_beside_lists = 12 * longest_number;

  explicit Writer(std::vector<char>& room) : room_(room) {
    room.resize(std::max(room.size(), most_beside_lists));
    at_ = room.data() + 1;
  }
  void flags(bool first, bool second) { flags_ = static_cast<unsigned>(first) | static_cast<unsigned>(second) << 1; }
  // Returns the record, which begins with this byte.
  std::string_view record(std::size_t kind, std::uint64_t lines) {
    room_[0] = static_cast<char>(kind | flags_ << flags_at | lines << lines_at);
    return {room_.data(), at_};
  }

  template <std::integral Number> void operator()(Number of) {
    std::uint64_t number = static_cast<std::make_unsigned_t<Number>>(of);
    auto* at = at_; // which a byte could be part of
    for (; number >= 128; number >>= 7)
      *at++ = static_cast<char>(number | 128);
    *at++ = static_cast<char>(number);
    at_ = at;
  }
  void operator()(const std::optional<int>& number) { (*this)(number ? std::int64_t{*number} + 1 : 0); }
  void operator()(double number) {
    std::memcpy(at_, &number, sizeof number);
    at_ += sizeof number;
  }
  void operator()(Collective collective) { (*this)(static_cast<int>(collective)); }
  void operator()(const std::vector<std::uint64_t>& numbers) {
    const auto written = static_cast<std::size_t>(at_ - room_.data());
    room_.resize(std::max(room_.size(), most_beside_lists + numbers.size() * longest_number));
    at_ = room_.data() + written;
    (*this)(numbers.size());
    for (const auto number : numbers)
      (*this)(number);
  }

private:
  std::vector<char>& room_;
  char* at_;
  unsigned flags_ = 0;
};

class Reader {
public:
  Reader(const char* at, unsigned flags) : at_(at), flags_(flags) {}
  const char* at() const { return at_; }
  void flags(bool& first, bool& second) const {
    first = (flags_ & 1) != 0;
    second = (flags_ & 2) != 0;
  }

  std::uint64_t number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      number |= std::uint64_t{byte & 127u} << shift;
      if (byte < 128)
        return number;
    }
  }
  template <std::integral Number> void operator()(Number& to) { to = static_cast<Number>(number()); }
  void operator()(std::optional<int>& to) {
    const auto next = number();
    to = next == 0 ? std::nullopt : std::optional(static_cast<int>(next - 1));
  }
  void operator()(double& to) {
    std::memcpy(&to, at_, sizeof to);
    at_ += sizeof to;
  }
  void operator()(Collective& to) { to = static_cast<Collective>(number()); }
  void operator()(std::vector<std::uint64_t>& to) {
    to.resize(number());
    for (auto& each : to)
      (*this)(each);
  }

private:
  const char* at_;
  unsigned flags_;
};

// Passes on what a line can state of an event, in the order of the record.
template <class Event, class Fields> void pass_fields(Event& event, Fields& field) {
  constexpr auto is = []<class Kind>(std::type_identity<Kind>) {
    return std::is_same_v<std::remove_const_t<Event>, Kind>;
  };
  if constexpr (is(std::type_identity<SendEvent>())) {
    field.flags(event.blocking, event.is_buffered);
    field(event.to);
    field(event.tag);
    field(event.size.count);
  } else if constexpr (is(std::type_identity<ReceiveEvent>())) {
    field.flags(event.blocking, event.is_persistent);
    field(event.from);
    field(event.tag);
  } else if constexpr (is(std::type_identity<SendReceiveEvent>())) {
    pass_fields(event.send, field);
    pass_fields(event.receive, field); // blocking as the send, and neither buffered nor persistent
  } else if constexpr (is(std::type_identity<RequestName>())) {
    field(event.from);
    field(event.to);
    field(event.tag);
  } else if constexpr (is(std::type_identity<WaitEvent>())) {
    pass_fields(event.request, field);
  } else if constexpr (is(std::type_identity<CollectiveEvent>())) {
    field.flags(event.blocking, event.makes_communicator);
    field(event.collective);
    field(event.root);
    field(event.size.count);
    field(event.sizes);
    field(event.work.value);
    field(event.communicator);
  } else if constexpr (is(std::type_identity<ComputeEvent>())) {
    field(event.work.value);
  } else if constexpr (is(std::type_identity<ElapseEvent>())) {
    field(event.time.value);
  } else if constexpr (is(std::type_identity<TestEvent>())) {
    std::uint64_t names = event.request.has_value();
    field(names);
    if constexpr (!std::is_const_v<Event>)
      if (names > 0)
        event.request.emplace();
    if (names > 0)
      pass_fields(*event.request, field);
  }
}

using ReadEvent = void (*)(Reader&, TraceEvent&);
constexpr auto readers = []<std::size_t... Kinds>(std::index_sequence<Kinds...>) {
  return std::array<ReadEvent, sizeof...(Kinds)>{
      [](Reader& fields, TraceEvent& event) { pass_fields(event.what.emplace<Kinds>(), fields); }...};
}
(std::make_index_sequence<startall>());

} // namespace

bool Spool::append(std::size_t number, std::string_view whole) {
  constexpr std::size_t block = 4 << 10;
  auto& text = texts_[number];
  text.buffer += whole;
  return text.buffer.size() < block || write(text);
}

bool Spool::finish(std::size_t number) {
  auto& text = texts_[number];
  const bool has_room = text.buffer.empty() || write(text);
  text.buffer = {};
  return has_room;
}

bool Spool::write(Text& text) {
  auto& buffer = text.buffer;
  if (in_memory_ + buffer.size() <= most_in_memory_) {
    in_memory_ += buffer.size();
    text.blocks.push_back({std::string(buffer), 0, buffer.size()});
    buffer.clear();
    return true;
  }
  if (!file_)
    file_.reset(std::tmpfile());
  if (!file_)
    return false;
  text.blocks.push_back({"", end_, buffer.size()});
  for (std::size_t written = 0; written < buffer.size();) {
    const auto count = pwrite(fileno(file_.get()), buffer.data() + written, buffer.size() - written,
                              static_cast<off_t>(end_ + written));
    if (count <= 0)
      return false;
    written += static_cast<std::size_t>(count);
  }
  end_ += buffer.size();
  buffer.clear();
  return true;
}

Result<std::string_view> Spool::block(std::size_t text, std::size_t number, std::string& room) const {
  const auto& blocks = texts_[text].blocks;
  if (number >= blocks.size())
    return std::string_view();
  const auto& block = blocks[number];
  if (!block.inside.empty())
    return std::string_view(block.inside);
  room.resize(block.size);
  for (std::size_t filled = 0; filled < block.size;) {
    const auto count =
        pread(fileno(file_.get()), room.data() + filled, block.size - filled, static_cast<off_t>(block.place + filled));
    if (count <= 0)
      return system_error("a temporary file cannot be read");
    filled += static_cast<std::size_t>(count);
  }
  return std::string_view(room);
}

bool TiRecords::note_startall(const TiReader& reader, Written& written) {
  if (written.has_startall || reader.signs().startalls.count == 0)
    return true;
  written.has_startall = true;
  constexpr auto record = static_cast<char>(startall);
  return spool_.append(static_cast<std::size_t>(reader.rank()), {&record, 1});
}

bool TiRecords::add(TiReader& reader, std::string_view line, std::uint64_t number) {
  const auto* event = reader.read(line, number);
  if (!event)
    return true;
  counting_.see(reader.rank(), *event);
  const auto rank = static_cast<std::size_t>(reader.rank());
  auto& written = written_[rank];
  const auto lines = number - written.line;
  written.line = number;
  Writer fields(room_);
  if (lines > most_lines)
    fields(lines);
  std::visit([&](const auto& what) { pass_fields(what, fields); }, event->what);
  const auto record = fields.record(event->what.index(), lines > most_lines ? 0 : lines);
  return note_startall(reader, written) && spool_.append(rank, record);
}

bool TiRecords::finish(const TiReader& reader) {
  auto& written = written_[static_cast<std::size_t>(reader.rank())];
  written.signs = reader.signs();
  written.fault = reader.fault();
  return note_startall(reader, written) && spool_.finish(static_cast<std::size_t>(reader.rank()));
}

bool TiRecordReader::fill() {
  const auto block = records_.spool().block(static_cast<std::size_t>(rank_), blocks_++, room_);
  if (!block)
    fault_ = block.errors().front();
  else if (block->empty())
    fault_ = records_.fault(rank_);
  else
    left_ = *block;
  return !left_.empty();
}

bool TiRecordReader::next(TraceEvent& event) {
  for (;;) {
    if (left_.empty() && (fault_ || !fill()))
      return false;
    const unsigned first = static_cast<unsigned char>(left_.front());
    const auto kind = first & ((1 << flags_at) - 1);
    Reader fields(left_.data() + 1, first >> flags_at);
    if (kind == startall) {
      has_startall_ = true;
    } else {
      const auto lines = first >> lines_at;
      line_ += lines > 0 ? lines : fields.number();
      event.line = line_;
      readers[kind](fields, event);
    }
    left_.remove_prefix(static_cast<std::size_t>(fields.at() - left_.data()));
    if (kind != startall)
      return true;
  }
}

} // namespace kakehashi
