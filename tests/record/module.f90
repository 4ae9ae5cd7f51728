program record_module
  use mpi
  implicit none
  include 'calls.inc'
end program
