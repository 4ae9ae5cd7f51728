// What `throw` and `catch` call (the C++ ABI for Itanium, as WebAssembly's exceptions use it): the library of Debian's
// wasm32 compiler is built without it. There is one thread, and nobody stores an exception.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

namespace __cxxabiv1 {
// As libc++abi declares it. It decides whether a handler takes an exception, and moves the address to a base class.
class __shim_type_info : public std::type_info {
public:
  ~__shim_type_info() override;
  virtual void noop1() const;
  virtual void noop2() const;
  virtual bool can_catch(const __shim_type_info* thrown, void*& address) const = 0;
};
} // namespace __cxxabiv1

namespace {

using __cxxabiv1::__shim_type_info;

// It stands before the object that is thrown; its address is what the machine's instruction throws.
struct alignas(16) Thrown {
  const __shim_type_info* type;
  void* (*destroy)(void*); // destructors return their object here
  void* caught;            // the address that the handler asked for
  Thrown* before;          // of those being handled
  int handlers;            // that have it; below 0: they throw it again
  void* object() { return this + 1; }
};

Thrown* handled = nullptr; // the latest

std::uintptr_t read_number(const std::uint8_t*& at) { // LEB128
  std::uintptr_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = *at++;
    number |= static_cast<std::uintptr_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0)
      return number;
  }
}

std::intptr_t read_signed(const std::uint8_t*& at) {
  std::uintptr_t number = 0;
  unsigned shift = 0;
  std::uint8_t byte = 0;
  do {
    byte = *at++;
    number |= static_cast<std::uintptr_t>(byte & 0x7f) << shift;
    shift += 7;
  } while (byte & 0x80);
  if ((byte & 0x40) && shift < 8 * sizeof number)
    number |= ~std::uintptr_t{0} << shift;
  return static_cast<std::intptr_t>(number);
}

[[noreturn]] void raise(Thrown* thrown) {
  __builtin_wasm_throw(0, thrown); // tag 0: C++
}

} // namespace

extern "C" {

// The compiler stores which call of a function threw, and the function's table of handlers, and reads the choice.
struct {
  std::uintptr_t call;
  const std::uint8_t* table;
  std::uintptr_t choice;
} __wasm_lpad_context;

// Chooses the handler by the table (LSDA): calls by number, each with a list of types.
int _Unwind_CallPersonality(void* exception) {
  auto* thrown = static_cast<Thrown*>(exception);
  auto& context = __wasm_lpad_context;
  context.choice = 0;
  const auto* at = context.table + 1; // no base of its own
  const bool has_types = *at++ != 0xff;
  const auto to_types = has_types ? read_number(at) : 0;
  const auto* types = at + to_types; // read backwards
  ++at;                              // numbers are LEB128
  const auto length = read_number(at);
  const auto* actions = at + length;
  std::uintptr_t action = 0;
  for (std::uintptr_t call = 0; call <= context.call; ++call) {
    read_number(at); // the same number
    action = read_number(at);
  }
  for (at = actions + action - 1; action != 0;) {
    const auto type = read_signed(at);
    const auto* here = at;
    const auto next = read_signed(at);
    const __shim_type_info* wanted = nullptr;
    if (type > 0)
      std::memcpy(&wanted, types - type * static_cast<std::intptr_t>(sizeof wanted), sizeof wanted);
    thrown->caught = thrown->object();
    if (type > 0 && (!wanted || wanted->can_catch(thrown->type, thrown->caught))) {
      context.choice = static_cast<std::uintptr_t>(type);
      break;
    }
    if (next == 0)
      break;
    at = here + next;
  }
  return 0;
}

void* __cxa_allocate_exception(std::size_t size) noexcept {
  void* room = std::calloc(1, sizeof(Thrown) + size);
  if (!room)
    std::terminate();
  return static_cast<Thrown*>(room) + 1;
}

void __cxa_free_exception(void* object) noexcept {
  std::free(static_cast<Thrown*>(object) - 1);
}

void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*)) {
  auto* thrown = static_cast<Thrown*>(object) - 1;
  thrown->type = static_cast<const __shim_type_info*>(type);
  thrown->destroy = destroy;
  raise(thrown);
}

void* __cxa_begin_catch(void* exception) noexcept {
  auto* thrown = static_cast<Thrown*>(exception);
  thrown->handlers = std::abs(thrown->handlers) + 1;
  if (thrown != handled) {
    thrown->before = handled;
    handled = thrown;
  }
  return thrown->caught ? thrown->caught : thrown->object();
}

void __cxa_end_catch() noexcept {
  auto* thrown = handled;
  if (!thrown)
    return;
  const bool goes_on = thrown->handlers < 0;
  thrown->handlers += goes_on ? 1 : -1;
  if (thrown->handlers != 0)
    return;
  handled = thrown->before;
  if (goes_on)
    return;
  if (thrown->destroy)
    thrown->destroy(thrown->object());
  __cxa_free_exception(thrown->object());
}

void* __cxa_get_exception_ptr(void* exception) noexcept {
  return static_cast<Thrown*>(exception)->caught;
}

void __cxa_rethrow() {
  if (!handled)
    std::terminate();
  handled->handlers = -handled->handlers;
  raise(handled);
}
}
