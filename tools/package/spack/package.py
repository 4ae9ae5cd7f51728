# A recipe for Spack: put it into packages/kakehashi/ of a repository of your own, and state `git`, the URL of the sources.
from spack.package import *


class Kakehashi(CMakePackage):
    """Predicts how long MPI messages take on clusters whose nodes are not flat."""

    license("LGPL-2.1-or-later")
    version("main", branch="main")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("simgrid@3.32:")
    depends_on("boost+graph")
    depends_on("fmt@9:")
    depends_on("nlohmann-json")
    depends_on("cli11")
    depends_on("zstd")
    depends_on("hwloc@2:")
    depends_on("pugixml")
    depends_on("yaml-cpp")
    depends_on("otf2")
    generator("ninja")

    def cmake_args(self):
        return [self.define("KAKEHASHI_TESTS", False)]
