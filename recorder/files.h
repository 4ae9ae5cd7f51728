/* Calls on files: their time is recorded, and is not work. Calls with counts are in counted.h. */
TIMED(File_open, (MPI_Comm comm, const char* filename, int amode, MPI_Info info, MPI_File* fh),
      (comm, filename, amode, info, fh))
TIMED(File_close, (MPI_File * fh), (fh))
TIMED(File_delete, (const char* filename, MPI_Info info), (filename, info))
TIMED(File_set_size, (MPI_File fh, MPI_Offset size), (fh, size))
TIMED(File_preallocate, (MPI_File fh, MPI_Offset size), (fh, size))
TIMED(File_get_size, (MPI_File fh, MPI_Offset* size), (fh, size))
TIMED(File_set_view,
      (MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char* datarep, MPI_Info info),
      (fh, disp, etype, filetype, datarep, info))
TIMED(File_seek_shared, (MPI_File fh, MPI_Offset offset, int whence), (fh, offset, whence))
TIMED(File_get_position_shared, (MPI_File fh, MPI_Offset* offset), (fh, offset))
TIMED(File_read_at_all_end, (MPI_File fh, void* buf, MPI_Status* status), (fh, buf, status))
TIMED(File_write_at_all_end, (MPI_File fh, const void* buf, MPI_Status* status), (fh, buf, status))
TIMED(File_read_all_end, (MPI_File fh, void* buf, MPI_Status* status), (fh, buf, status))
TIMED(File_write_all_end, (MPI_File fh, const void* buf, MPI_Status* status), (fh, buf, status))
TIMED(File_read_ordered_end, (MPI_File fh, void* buf, MPI_Status* status), (fh, buf, status))
TIMED(File_write_ordered_end, (MPI_File fh, const void* buf, MPI_Status* status), (fh, buf, status))
TIMED(File_sync, (MPI_File fh), (fh))
