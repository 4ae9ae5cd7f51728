/* A program that loads the one that calls MPI as a plug-in, which nobody else sees. */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char** words) {
  void* plugin = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
  if (!plugin) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  int (*run)(int, char**) = dlsym(plugin, "main");
  return run(count - 1, words + 1);
}
