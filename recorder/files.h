/* Calls on files: their time is not work. One line each. */
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
TIMED(File_read_at, (MPI_File fh, MPI_Offset offset, void* buf, int count, MPI_Datatype datatype, MPI_Status* status),
      (fh, offset, buf, count, datatype, status))
TIMED(File_read_at_all,
      (MPI_File fh, MPI_Offset offset, void* buf, int count, MPI_Datatype datatype, MPI_Status* status),
      (fh, offset, buf, count, datatype, status))
TIMED(File_write_at,
      (MPI_File fh, MPI_Offset offset, const void* buf, int count, MPI_Datatype datatype, MPI_Status* status),
      (fh, offset, buf, count, datatype, status))
TIMED(File_write_at_all,
      (MPI_File fh, MPI_Offset offset, const void* buf, int count, MPI_Datatype datatype, MPI_Status* status),
      (fh, offset, buf, count, datatype, status))
TIMED(File_iread_at,
      (MPI_File fh, MPI_Offset offset, void* buf, int count, MPI_Datatype datatype, MPI_Request* request),
      (fh, offset, buf, count, datatype, request))
TIMED(File_iwrite_at,
      (MPI_File fh, MPI_Offset offset, const void* buf, int count, MPI_Datatype datatype, MPI_Request* request),
      (fh, offset, buf, count, datatype, request))
TIMED(File_read, (MPI_File fh, void* buf, int count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(File_read_all, (MPI_File fh, void* buf, int count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(File_write, (MPI_File fh, const void* buf, int count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(File_write_all, (MPI_File fh, const void* buf, int count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(File_iread, (MPI_File fh, void* buf, int count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
TIMED(File_iwrite, (MPI_File fh, const void* buf, int count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
TIMED(File_read_shared, (MPI_File fh, void* buf, int count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(File_write_shared, (MPI_File fh, const void* buf, int count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(File_iread_shared, (MPI_File fh, void* buf, int count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
TIMED(File_iwrite_shared, (MPI_File fh, const void* buf, int count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
TIMED(File_read_ordered, (MPI_File fh, void* buf, int count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(File_write_ordered, (MPI_File fh, const void* buf, int count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(File_seek_shared, (MPI_File fh, MPI_Offset offset, int whence), (fh, offset, whence))
TIMED(File_get_position_shared, (MPI_File fh, MPI_Offset* offset), (fh, offset))
TIMED(File_read_at_all_begin, (MPI_File fh, MPI_Offset offset, void* buf, int count, MPI_Datatype datatype),
      (fh, offset, buf, count, datatype))
TIMED(File_read_at_all_end, (MPI_File fh, void* buf, MPI_Status* status), (fh, buf, status))
TIMED(File_write_at_all_begin, (MPI_File fh, MPI_Offset offset, const void* buf, int count, MPI_Datatype datatype),
      (fh, offset, buf, count, datatype))
TIMED(File_write_at_all_end, (MPI_File fh, const void* buf, MPI_Status* status), (fh, buf, status))
TIMED(File_read_all_begin, (MPI_File fh, void* buf, int count, MPI_Datatype datatype), (fh, buf, count, datatype))
TIMED(File_read_all_end, (MPI_File fh, void* buf, MPI_Status* status), (fh, buf, status))
TIMED(File_write_all_begin, (MPI_File fh, const void* buf, int count, MPI_Datatype datatype),
      (fh, buf, count, datatype))
TIMED(File_write_all_end, (MPI_File fh, const void* buf, MPI_Status* status), (fh, buf, status))
TIMED(File_read_ordered_begin, (MPI_File fh, void* buf, int count, MPI_Datatype datatype), (fh, buf, count, datatype))
TIMED(File_read_ordered_end, (MPI_File fh, void* buf, MPI_Status* status), (fh, buf, status))
TIMED(File_write_ordered_begin, (MPI_File fh, const void* buf, int count, MPI_Datatype datatype),
      (fh, buf, count, datatype))
TIMED(File_write_ordered_end, (MPI_File fh, const void* buf, MPI_Status* status), (fh, buf, status))
TIMED(File_sync, (MPI_File fh), (fh))
TIMED(File_iread_at_all,
      (MPI_File fh, MPI_Offset offset, void* buf, int count, MPI_Datatype datatype, MPI_Request* request),
      (fh, offset, buf, count, datatype, request))
TIMED(File_iwrite_at_all,
      (MPI_File fh, MPI_Offset offset, const void* buf, int count, MPI_Datatype datatype, MPI_Request* request),
      (fh, offset, buf, count, datatype, request))
TIMED(File_iread_all, (MPI_File fh, void* buf, int count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
TIMED(File_iwrite_all, (MPI_File fh, const void* buf, int count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
#if MPI_VERSION >= 4
TIMED(File_read_c, (MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(File_read_all_c, (MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(File_read_all_begin_c, (MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype),
      (fh, buf, count, datatype))
TIMED(File_read_at_c,
      (MPI_File fh, MPI_Offset offset, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status),
      (fh, offset, buf, count, datatype, status))
TIMED(File_read_at_all_c,
      (MPI_File fh, MPI_Offset offset, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status),
      (fh, offset, buf, count, datatype, status))
TIMED(File_read_at_all_begin_c, (MPI_File fh, MPI_Offset offset, void* buf, MPI_Count count, MPI_Datatype datatype),
      (fh, offset, buf, count, datatype))
TIMED(File_read_ordered_c, (MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(File_read_ordered_begin_c, (MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype),
      (fh, buf, count, datatype))
TIMED(File_read_shared_c, (MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(File_write_c, (MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(File_write_all_c, (MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(File_write_all_begin_c, (MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype),
      (fh, buf, count, datatype))
TIMED(File_write_at_c,
      (MPI_File fh, MPI_Offset offset, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status),
      (fh, offset, buf, count, datatype, status))
TIMED(File_write_at_all_c,
      (MPI_File fh, MPI_Offset offset, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status),
      (fh, offset, buf, count, datatype, status))
TIMED(File_write_at_all_begin_c,
      (MPI_File fh, MPI_Offset offset, const void* buf, MPI_Count count, MPI_Datatype datatype),
      (fh, offset, buf, count, datatype))
TIMED(File_write_ordered_c, (MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(File_write_ordered_begin_c, (MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype),
      (fh, buf, count, datatype))
TIMED(File_write_shared_c, (MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(File_iread_c, (MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
TIMED(File_iread_all_c, (MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
TIMED(File_iread_at_c,
      (MPI_File fh, MPI_Offset offset, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Request* request),
      (fh, offset, buf, count, datatype, request))
TIMED(File_iread_at_all_c,
      (MPI_File fh, MPI_Offset offset, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Request* request),
      (fh, offset, buf, count, datatype, request))
TIMED(File_iread_shared_c, (MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
TIMED(File_iwrite_c, (MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
TIMED(File_iwrite_all_c, (MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
TIMED(File_iwrite_at_c,
      (MPI_File fh, MPI_Offset offset, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Request* request),
      (fh, offset, buf, count, datatype, request))
TIMED(File_iwrite_at_all_c,
      (MPI_File fh, MPI_Offset offset, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Request* request),
      (fh, offset, buf, count, datatype, request))
TIMED(File_iwrite_shared_c,
      (MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
#endif
