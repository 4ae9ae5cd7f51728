program record_module08
  use mpi_f08
  implicit none
  integer :: rank, ranks, next, previous
  type(MPI_Request) :: requests(2)
  type(MPI_Comm) :: row
  type(MPI_Status) :: status
  double precision :: field(100), other(100)
  field = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  next = mod(rank + 1, ranks)
  previous = mod(rank + ranks - 1, ranks)
  call MPI_Irecv(other, 100, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(field, 100, MPI_DOUBLE_PRECISION, next, 7, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call MPI_Sendrecv(field, 50, MPI_DOUBLE_PRECISION, next, 8, other, 100, MPI_DOUBLE_PRECISION, previous, 8, &
                    MPI_COMM_WORLD, status)
  call MPI_Allreduce(MPI_IN_PLACE, field, 10, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, row)
  call MPI_Bcast(field, 20, MPI_DOUBLE_PRECISION, 0, row)
  call MPI_Comm_free(row)
  call MPI_Finalize()
end program
