/* The places in the program that call MPI: their addresses, numbers and functions. */
#define _GNU_SOURCE
#include "record.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { slots = 1 << 13, most_sites = slots / 2 };
static struct {
  const void* address;
  uint64_t number;
} sites[slots];
static uint64_t count;

uint64_t number_of_site(const void* address, int* is_new) {
  size_t at = ((uint64_t)address * 0x9e3779b97f4a7c15u) >> 51;
  while (sites[at].address && sites[at].address != address)
    at = (at + 1) % slots;
  if (!sites[at].address) {
    if (count == most_sites)
      return 0;
    sites[at].address = address;
    sites[at].number = ++count;
    *is_new = 1;
  }
  return sites[at].number;
}

/* Finds the function that has the address in the object's own table, since a program's own functions are in no other.
 * value: the address at which it begins. */
static int find_function(const char* file, uint64_t offset, uint64_t base, char* name, size_t room, uint64_t* value) {
  const int error = errno;
  const int object = open(file, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (object < 0 || fstat(object, &status) != 0 || status.st_size < (off_t)sizeof(ElfW(Ehdr))) {
    if (object >= 0)
      close(object);
    errno = error;
    return 0;
  }
  const uint64_t size = (uint64_t)status.st_size;
  const unsigned char* const all = mmap(NULL, size, PROT_READ, MAP_PRIVATE, object, 0);
  close(object);
  errno = error;
  if (all == MAP_FAILED)
    return 0;
  int is_found = 0;
  const ElfW(Ehdr)* const header = (const void*)all;
  const uint64_t address = header->e_type == ET_EXEC ? base + offset : offset;
  const int has_sections = memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_shentsize == sizeof(ElfW(Shdr)) &&
                           header->e_shoff < size && header->e_shnum <= (size - header->e_shoff) / sizeof(ElfW(Shdr));
  const ElfW(Shdr)* const sections = (const void*)(all + (has_sections ? header->e_shoff : 0));
  for (int i = 0; has_sections && !is_found && i < header->e_shnum; ++i) {
    const ElfW(Shdr)* const table = &sections[i];
    if (table->sh_type != SHT_SYMTAB || table->sh_link >= header->e_shnum || table->sh_offset > size ||
        table->sh_size > size - table->sh_offset)
      continue;
    const ElfW(Shdr)* const names = &sections[table->sh_link];
    if (names->sh_offset > size || names->sh_size > size - names->sh_offset)
      continue;
    const ElfW(Sym)* const symbols = (const void*)(all + table->sh_offset);
    for (uint64_t s = 0; !is_found && s < table->sh_size / sizeof *symbols; ++s) {
      const ElfW(Sym)* const symbol = &symbols[s];
      if ((symbol->st_info & 15) != STT_FUNC || address - symbol->st_value >= symbol->st_size ||
          symbol->st_name >= names->sh_size)
        continue;
      const char* const text = (const char*)all + names->sh_offset + symbol->st_name;
      const size_t length = strnlen(text, names->sh_size - symbol->st_name);
      const size_t kept = length < room - 1 ? length : room - 1;
      memcpy(name, text, kept);
      name[kept] = '\0';
      *value = header->e_type == ET_EXEC ? symbol->st_value - base : symbol->st_value;
      is_found = 1;
    }
  }
  munmap((void*)all, size);
  return is_found;
}

/* The call is just before the address to which it returns. */
void put_site(struct bytes* to, const void* address) {
  Dl_info where;
  if (!dladdr((const char*)address - 1, &where) || !where.dli_fname) {
    put_text(to, "");
    put(to, (uint64_t)address);
    put_text(to, "");
    put(to, 0);
    return;
  }
  const uint64_t base = (uint64_t)where.dli_fbase, offset = (uint64_t)address - base;
  const int is_program = strcmp(where.dli_fname, program_invocation_name) == 0 || !strchr(where.dli_fname, '/');
  char name[256] = "";
  uint64_t value = offset;
  if (!find_function(is_program ? "/proc/self/exe" : where.dli_fname, offset - 1, base, name, sizeof name, &value) &&
      where.dli_sname) {
    strncpy(name, where.dli_sname, sizeof name - 1);
    value = (uint64_t)where.dli_saddr - base;
  }
  const char* const slash = strrchr(where.dli_fname, '/');
  put_text(to, slash ? slash + 1 : where.dli_fname);
  put(to, offset);
  put_text(to, name);
  put(to, offset - value);
}
