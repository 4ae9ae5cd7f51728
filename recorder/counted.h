/* Calls that have counts. The file is included for int, and for MPI_Count, whose calls have names that end with _c.
   N(name): the name; COUNT: the type of counts; SHIFT: the type of displacements. */

#define MESSAGE (const void* buffer, COUNT count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
#define MESSAGE_REQUEST                                                                                                \
  (const void* buffer, COUNT count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request)

/* Messages */

#define SEND(name, Name, mode)                                                                                         \
  CALL(N(Name), MESSAGE, (buffer, count, type, peer, tag, comm), ,                                                     \
       record_send(0, comm_of(comm), peer, tag, (uint64_t)count* size_of(type), mode))                                 \
  CALL(N(I##name), MESSAGE_REQUEST, (buffer, count, type, peer, tag, comm, request), ,                                 \
       struct comm* const at = comm_of(comm);                                                                          \
       record_send(add_request(*request, r_send, at)->id, at, peer, tag, (uint64_t)count * size_of(type), mode))
#define SEND_INIT(name, mode)                                                                                          \
  CALL(N(name), MESSAGE_REQUEST, (buffer, count, type, peer, tag, comm, request), ,                                    \
       struct comm* const at = comm_of(comm);                                                                          \
       struct bytes* const to = &add_persistent(*request, r_send, at, k_send)->call;                                   \
       put_end(to, at, peer, tag, (uint64_t)count * size_of(type)), put(to, mode))

SEND(send, Send, m_standard)
SEND(bsend, Bsend, m_buffered)
SEND(ssend, Ssend, m_synchronous)
SEND(rsend, Rsend, m_ready)
SEND_INIT(Send_init, m_standard)
SEND_INIT(Bsend_init, m_buffered)
SEND_INIT(Ssend_init, m_synchronous)
SEND_INIT(Rsend_init, m_ready)

CALL(N(Recv), (void* buffer, COUNT count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Status* status),
     (buffer, count, type, peer, tag, comm, status), OWN_STATUS, record_received(comm_of(comm), peer, status))
CALL(N(Irecv), (void* buffer, COUNT count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request),
     (buffer, count, type, peer, tag, comm, request), , struct comm* const at = comm_of(comm);
     record_receive(add_request(*request, r_receive, at)->id, at, peer, tag, (uint64_t)count* size_of(type)))
CALL(N(Recv_init),
     (void* buffer, COUNT count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request),
     (buffer, count, type, peer, tag, comm, request), , struct comm* const at = comm_of(comm);
     struct bytes* const to = &add_persistent(*request, r_receive, at, k_receive)->call;
     put_end(to, at, peer, tag, (uint64_t)count* size_of(type)), put(to, m_standard))
CALL(N(Mrecv), (void* buffer, COUNT count, MPI_Datatype type, MPI_Message* message, MPI_Status* status),
     (buffer, count, type, message, status), const MPI_Message matched = *message;
     OWN_STATUS, record_mrecv(matched, status))
CALL(N(Imrecv), (void* buffer, COUNT count, MPI_Datatype type, MPI_Message* message, MPI_Request* request),
     (buffer, count, type, message, request), const MPI_Message matched = *message, record_imrecv(matched, *request))
CALL(N(Sendrecv),
     (const void* buffer, COUNT count, MPI_Datatype type, int to, int tag, void* into, COUNT most,
      MPI_Datatype into_type, int from, int into_tag, MPI_Comm comm, MPI_Status* status),
     (buffer, count, type, to, tag, into, most, into_type, from, into_tag, comm, status), OWN_STATUS,
     record_sendreceive(comm_of(comm), to, tag, (uint64_t)count* size_of(type), from, status))
CALL(N(Sendrecv_replace),
     (void* buffer, COUNT count, MPI_Datatype type, int to, int tag, int from, int into_tag, MPI_Comm comm,
      MPI_Status* status),
     (buffer, count, type, to, tag, from, into_tag, comm, status), OWN_STATUS,
     record_sendreceive(comm_of(comm), to, tag, (uint64_t)count* size_of(type), from, status))
#if MPI_VERSION >= 4
CALL(N(Isendrecv),
     (const void* buffer, COUNT count, MPI_Datatype type, int to, int tag, void* into, COUNT most,
      MPI_Datatype into_type, int from, int into_tag, MPI_Comm comm, MPI_Request* request),
     (buffer, count, type, to, tag, into, most, into_type, from, into_tag, comm, request), ,
     record_isendreceive(*request, comm_of(comm), to, tag, (uint64_t)count* size_of(type), from, into_tag))
CALL(N(Isendrecv_replace),
     (void* buffer, COUNT count, MPI_Datatype type, int to, int tag, int from, int into_tag, MPI_Comm comm,
      MPI_Request* request),
     (buffer, count, type, to, tag, from, into_tag, comm, request), ,
     record_isendreceive(*request, comm_of(comm), to, tag, (uint64_t)count* size_of(type), from, into_tag))
#endif

/* Collective calls */

/* Returns the sizes of blocks in bytes; they are of one type, or each of its own. */
static const uint64_t* N(blocks)(const COUNT* counts, MPI_Datatype type, const MPI_Datatype* types, int count) {
  uint64_t* const sizes = room_for_sizes(count);
  const uint64_t size = types ? 0 : size_of(type);
  for (int i = 0; i < count; ++i)
    sizes[i] = (uint64_t)counts[i] * (types ? size_of(types[i]) : size);
  return sizes;
}
static const uint64_t* N(own_block)(COUNT count, MPI_Datatype type, const struct comm* comm) {
  uint64_t* const sizes = room_for_sizes(comm->size);
  if (!comm->is_inter)
    sizes[comm->rank] = (uint64_t)count * size_of(type);
  return sizes;
}
static const uint64_t* N(equal_blocks)(COUNT count, MPI_Datatype type, const struct comm* comm) {
  uint64_t* const sizes = room_for_sizes(peers_of(comm));
  for (int i = 0; i < peers_of(comm); ++i)
    sizes[i] = (uint64_t)count * size_of(type);
  return sizes;
}

#define BYTES(count, type) ((uint64_t)(count)*size_of(type))
#define IS_IN_PLACE(buffer) ((buffer) == MPI_IN_PLACE)

COLLECTIVE(bcast, Bcast, kind_of(at), (void* buffer, COUNT count, MPI_Datatype type, int root, MPI_Comm comm),
           (buffer, count, type, root, comm), put_collective(to, at, o_bcast, root, BYTES(count, type), NULL))
#define REDUCTION (const void* from, void* into, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
#define REDUCTION_ARGS (from, into, count, type, op, comm)
COLLECTIVE(reduce, Reduce, kind_of(at),
           (const void* from, void* into, COUNT count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
           (from, into, count, type, op, root, comm), put_collective(to, at, o_reduce, root, BYTES(count, type), NULL))
COLLECTIVE(allreduce, Allreduce, kind_of(at), REDUCTION, REDUCTION_ARGS,
           put_collective(to, at, o_allreduce, 0, BYTES(count, type), NULL))
COLLECTIVE(scan, Scan, kind_of(at), REDUCTION, REDUCTION_ARGS,
           put_collective(to, at, o_scan, 0, BYTES(count, type), NULL))
COLLECTIVE(exscan, Exscan, kind_of(at), REDUCTION, REDUCTION_ARGS,
           put_collective(to, at, o_exscan, 0, BYTES(count, type), NULL))
COLLECTIVE(reduce_scatter_block, Reduce_scatter_block, kind_of(at), REDUCTION, REDUCTION_ARGS,
           put_collective(to, at, o_reduce_scatter, 0, 0, N(equal_blocks)(count, type, at)))
COLLECTIVE(reduce_scatter, Reduce_scatter, kind_of(at),
           (const void* from, void* into, const COUNT counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (from, into, counts, type, op, comm),
           put_collective(to, at, o_reduce_scatter, 0, 0, N(blocks)(counts, type, NULL, at->size)))

#define BLOCKS                                                                                                         \
  (const void* from, COUNT count, MPI_Datatype type, void* into, COUNT into_count, MPI_Datatype into_type,             \
   MPI_Comm comm)
#define BLOCKS_ARGS (from, count, type, into, into_count, into_type, comm)
#define ROOTED                                                                                                         \
  (const void* from, COUNT count, MPI_Datatype type, void* into, COUNT into_count, MPI_Datatype into_type, int root,   \
   MPI_Comm comm)
#define ROOTED_ARGS (from, count, type, into, into_count, into_type, root, comm)
COLLECTIVE(gather, Gather, kind_of(at), ROOTED, ROOTED_ARGS,
           put_collective(to, at, o_gather, root,
                          IS_IN_PLACE(from)  ? BYTES(into_count, into_type)
                          : root == MPI_ROOT ? 0
                                             : BYTES(count, type),
                          NULL))
COLLECTIVE(scatter, Scatter, kind_of(at), ROOTED, ROOTED_ARGS,
           put_collective(to, at, o_scatter, root,
                          root == MPI_ROOT || (!at->is_inter && at->rank == root) ? BYTES(count, type)
                                                                                  : BYTES(into_count, into_type),
                          NULL))
COLLECTIVE(allgather, Allgather, kind_of(at), BLOCKS, BLOCKS_ARGS,
           put_collective(to, at, o_allgather, 0, at->is_inter ? BYTES(count, type) : BYTES(into_count, into_type),
                          NULL))
COLLECTIVE(alltoall, Alltoall, kind_of(at), BLOCKS, BLOCKS_ARGS,
           put_collective(to, at, o_alltoall, 0, IS_IN_PLACE(from) ? BYTES(into_count, into_type) : BYTES(count, type),
                          NULL))
COLLECTIVE(gatherv, Gatherv, kind_of(at),
           (const void* from, COUNT count, MPI_Datatype type, void* into, const COUNT counts[], const SHIFT shifts[],
            MPI_Datatype into_type, int root, MPI_Comm comm),
           (from, count, type, into, counts, shifts, into_type, root, comm),
           put_collective(to, at, o_gatherv, root,
                          IS_IN_PLACE(from)  ? BYTES(counts[at->rank], into_type)
                          : root == MPI_ROOT ? 0
                                             : BYTES(count, type),
                          NULL))
COLLECTIVE(scatterv, Scatterv, kind_of(at),
           (const void* from, const COUNT counts[], const SHIFT shifts[], MPI_Datatype type, void* into,
            COUNT into_count, MPI_Datatype into_type, int root, MPI_Comm comm),
           (from, counts, shifts, type, into, into_count, into_type, root, comm),
           put_collective(to, at, o_scatterv, root, 0,
                          root == MPI_ROOT || (!at->is_inter && at->rank == root)
                              ? N(blocks)(counts, type, NULL, peers_of(at))
                              : N(own_block)(into_count, into_type, at)))
COLLECTIVE(allgatherv, Allgatherv, kind_of(at),
           (const void* from, COUNT count, MPI_Datatype type, void* into, const COUNT counts[], const SHIFT shifts[],
            MPI_Datatype into_type, MPI_Comm comm),
           (from, count, type, into, counts, shifts, into_type, comm),
           put_collective(to, at, o_allgatherv, 0, at->is_inter ? BYTES(count, type) : 0,
                          at->is_inter ? NULL : N(blocks)(counts, into_type, NULL, at->size)))
COLLECTIVE(alltoallv, Alltoallv, kind_of(at),
           (const void* from, const COUNT counts[], const SHIFT shifts[], MPI_Datatype type, void* into,
            const COUNT into_counts[], const SHIFT into_shifts[], MPI_Datatype into_type, MPI_Comm comm),
           (from, counts, shifts, type, into, into_counts, into_shifts, into_type, comm),
           put_collective(to, at, o_alltoallv, 0, 0,
                          IS_IN_PLACE(from) ? N(blocks)(into_counts, into_type, NULL, peers_of(at))
                                            : N(blocks)(counts, type, NULL, peers_of(at))))
COLLECTIVE(alltoallw, Alltoallw, kind_of(at),
           (const void* from, const COUNT counts[], const SHIFT shifts[], const MPI_Datatype types[], void* into,
            const COUNT into_counts[], const SHIFT into_shifts[], const MPI_Datatype into_types[], MPI_Comm comm),
           (from, counts, shifts, types, into, into_counts, into_shifts, into_types, comm),
           put_collective(to, at, o_alltoallv, 0, 0,
                          IS_IN_PLACE(from) ? N(blocks)(into_counts, the.byte, into_types, peers_of(at))
                                            : N(blocks)(counts, the.byte, types, peers_of(at))))

/* Calls among neighbours */

#define NEIGHBOURS (find_neighbours(comm, at), k_exchange)
COLLECTIVE(neighbor_allgather, Neighbor_allgather, NEIGHBOURS, BLOCKS, BLOCKS_ARGS,
           put_neighbours(to, at, BYTES(count, type), NULL))
COLLECTIVE(neighbor_alltoall, Neighbor_alltoall, NEIGHBOURS, BLOCKS, BLOCKS_ARGS,
           put_neighbours(to, at, BYTES(count, type), NULL))
COLLECTIVE(neighbor_allgatherv, Neighbor_allgatherv, NEIGHBOURS,
           (const void* from, COUNT count, MPI_Datatype type, void* into, const COUNT counts[], const SHIFT shifts[],
            MPI_Datatype into_type, MPI_Comm comm),
           (from, count, type, into, counts, shifts, into_type, comm), put_neighbours(to, at, BYTES(count, type), NULL))
COLLECTIVE(neighbor_alltoallv, Neighbor_alltoallv, NEIGHBOURS,
           (const void* from, const COUNT counts[], const SHIFT shifts[], MPI_Datatype type, void* into,
            const COUNT into_counts[], const SHIFT into_shifts[], MPI_Datatype into_type, MPI_Comm comm),
           (from, counts, shifts, type, into, into_counts, into_shifts, into_type, comm),
           put_neighbours(to, at, 0, N(blocks)(counts, type, NULL, at->targets)))
COLLECTIVE(neighbor_alltoallw, Neighbor_alltoallw, NEIGHBOURS,
           (const void* from, const COUNT counts[], const MPI_Aint shifts[], const MPI_Datatype types[], void* into,
            const COUNT into_counts[], const MPI_Aint into_shifts[], const MPI_Datatype into_types[], MPI_Comm comm),
           (from, counts, shifts, types, into, into_counts, into_shifts, into_types, comm),
           put_neighbours(to, at, 0, N(blocks)(counts, the.byte, types, at->targets)))

/* One-sided */

#define PLACE int target, MPI_Aint shift, COUNT target_count, MPI_Datatype target_type
#define REMOTE(name, Name, params, args, bytes_put, bytes_got)                                                         \
  CALL(N(Name), (STRIP params), (STRIP args), , record_remote(0, win, target, bytes_put, bytes_got))                   \
  CALL(N(R##name), (STRIP params, MPI_Request * request), (STRIP args, request), ,                                     \
       record_remote(add_request(*request, r_other, NULL)->id, win, target, bytes_put, bytes_got))
REMOTE(put, Put, (const void* buffer, COUNT count, MPI_Datatype type, PLACE, MPI_Win win),
       (buffer, count, type, target, shift, target_count, target_type, win), BYTES(count, type), 0)
REMOTE(get, Get, (void* buffer, COUNT count, MPI_Datatype type, PLACE, MPI_Win win),
       (buffer, count, type, target, shift, target_count, target_type, win), 0, BYTES(count, type))
REMOTE(accumulate, Accumulate, (const void* buffer, COUNT count, MPI_Datatype type, PLACE, MPI_Op op, MPI_Win win),
       (buffer, count, type, target, shift, target_count, target_type, op, win), BYTES(count, type), 0)
REMOTE(get_accumulate, Get_accumulate,
       (const void* buffer, COUNT count, MPI_Datatype type, void* into, COUNT most, MPI_Datatype into_type, PLACE,
        MPI_Op op, MPI_Win win),
       (buffer, count, type, into, most, into_type, target, shift, target_count, target_type, op, win),
       BYTES(count, type), BYTES(most, into_type))

/* Windows that have a unit, and files */

CALL(N(Win_create), (void* base, MPI_Aint size, SHIFT unit, MPI_Info info, MPI_Comm comm, MPI_Win* win),
     (base, size, unit, info, comm, win), , window_made(comm, *win))
CALL(N(Win_allocate), (MPI_Aint size, SHIFT unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win),
     (size, unit, info, comm, base, win), , window_made(comm, *win))
CALL(N(Win_allocate_shared), (MPI_Aint size, SHIFT unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win),
     (size, unit, info, comm, base, win), , window_made(comm, *win))
TIMED(N(File_read_at),
      (MPI_File fh, MPI_Offset offset, void* buf, COUNT count, MPI_Datatype datatype, MPI_Status* status),
      (fh, offset, buf, count, datatype, status))
TIMED(N(File_read_at_all),
      (MPI_File fh, MPI_Offset offset, void* buf, COUNT count, MPI_Datatype datatype, MPI_Status* status),
      (fh, offset, buf, count, datatype, status))
TIMED(N(File_write_at),
      (MPI_File fh, MPI_Offset offset, const void* buf, COUNT count, MPI_Datatype datatype, MPI_Status* status),
      (fh, offset, buf, count, datatype, status))
TIMED(N(File_write_at_all),
      (MPI_File fh, MPI_Offset offset, const void* buf, COUNT count, MPI_Datatype datatype, MPI_Status* status),
      (fh, offset, buf, count, datatype, status))
TIMED(N(File_iread_at),
      (MPI_File fh, MPI_Offset offset, void* buf, COUNT count, MPI_Datatype datatype, MPI_Request* request),
      (fh, offset, buf, count, datatype, request))
TIMED(N(File_iwrite_at),
      (MPI_File fh, MPI_Offset offset, const void* buf, COUNT count, MPI_Datatype datatype, MPI_Request* request),
      (fh, offset, buf, count, datatype, request))
TIMED(N(File_read), (MPI_File fh, void* buf, COUNT count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(N(File_read_all), (MPI_File fh, void* buf, COUNT count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(N(File_write), (MPI_File fh, const void* buf, COUNT count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(N(File_write_all), (MPI_File fh, const void* buf, COUNT count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(N(File_iread), (MPI_File fh, void* buf, COUNT count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
TIMED(N(File_iwrite), (MPI_File fh, const void* buf, COUNT count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
TIMED(N(File_read_shared), (MPI_File fh, void* buf, COUNT count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(N(File_write_shared), (MPI_File fh, const void* buf, COUNT count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(N(File_iread_shared), (MPI_File fh, void* buf, COUNT count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
TIMED(N(File_iwrite_shared), (MPI_File fh, const void* buf, COUNT count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
TIMED(N(File_read_ordered), (MPI_File fh, void* buf, COUNT count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(N(File_write_ordered), (MPI_File fh, const void* buf, COUNT count, MPI_Datatype datatype, MPI_Status* status),
      (fh, buf, count, datatype, status))
TIMED(N(File_read_at_all_begin), (MPI_File fh, MPI_Offset offset, void* buf, COUNT count, MPI_Datatype datatype),
      (fh, offset, buf, count, datatype))
TIMED(N(File_write_at_all_begin), (MPI_File fh, MPI_Offset offset, const void* buf, COUNT count, MPI_Datatype datatype),
      (fh, offset, buf, count, datatype))
TIMED(N(File_read_all_begin), (MPI_File fh, void* buf, COUNT count, MPI_Datatype datatype), (fh, buf, count, datatype))
TIMED(N(File_write_all_begin), (MPI_File fh, const void* buf, COUNT count, MPI_Datatype datatype),
      (fh, buf, count, datatype))
TIMED(N(File_read_ordered_begin), (MPI_File fh, void* buf, COUNT count, MPI_Datatype datatype),
      (fh, buf, count, datatype))
TIMED(N(File_write_ordered_begin), (MPI_File fh, const void* buf, COUNT count, MPI_Datatype datatype),
      (fh, buf, count, datatype))
TIMED(N(File_iread_at_all),
      (MPI_File fh, MPI_Offset offset, void* buf, COUNT count, MPI_Datatype datatype, MPI_Request* request),
      (fh, offset, buf, count, datatype, request))
TIMED(N(File_iwrite_at_all),
      (MPI_File fh, MPI_Offset offset, const void* buf, COUNT count, MPI_Datatype datatype, MPI_Request* request),
      (fh, offset, buf, count, datatype, request))
TIMED(N(File_iread_all), (MPI_File fh, void* buf, COUNT count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))
TIMED(N(File_iwrite_all), (MPI_File fh, const void* buf, COUNT count, MPI_Datatype datatype, MPI_Request* request),
      (fh, buf, count, datatype, request))

#undef MESSAGE
#undef MESSAGE_REQUEST
#undef SEND
#undef SEND_INIT
#undef BYTES
#undef IS_IN_PLACE
#undef REDUCTION
#undef REDUCTION_ARGS
#undef BLOCKS
#undef BLOCKS_ARGS
#undef ROOTED
#undef ROOTED_ARGS
#undef NEIGHBOURS
#undef PLACE
#undef REMOTE
