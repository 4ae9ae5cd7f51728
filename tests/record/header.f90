! The recorder under Fortran's mpif.h; module.f90 has the same calls with `use mpi`, and module08.f90 with `use mpi_f08`.
program record_header
  implicit none
  include 'mpif.h'
  include 'calls.inc'
end program
