"""A ring of messages and a sum, in mpi4py."""
from mpi4py import MPI

world = MPI.COMM_WORLD
world.Sendrecv(bytes(1000), (world.rank + 1) % world.size, 3, bytearray(1000), (world.rank - 1) % world.size, 3)
total, own = bytearray(8), bytes([world.rank] + [0] * 7)
world.Allreduce([own, MPI.INT64_T], [total, MPI.INT64_T])
assert total[0] == sum(range(world.size))
