/* SPDX-License-Identifier: BSD-3-Clause */
/** @file hdf5_library.h
 *  The functions of HDF5 that liegrp calls. The library is loaded when a file of that format is first written or read:
 *  thirty libraries come with it, and what is linked to them takes twice the time to start. */
#ifndef LIEGRP_SRC_RUN_HDF5_LIBRARY_H
#define LIEGRP_SRC_RUN_HDF5_LIBRARY_H

#include <hdf5.h>

#include "base/message.h"

/* Constants call two functions first, one of which ends the process where releases differ: lg_hdf5_load() does both. */
#undef H5OPEN
#define H5OPEN
#undef H5CHECK
#define H5CHECK

/** Functions and, there after H5open(), ids; all without H5, with which HDF5's names begin. */
#define LG_HDF5_SYMBOLS(X)                                                                                             \
    X(Aclose)                                                                                                          \
    X(Acreate2) X(Aget_space) X(Aget_type) X(Aopen) X(Aread) X(Awrite) X(Dclose) X(Dcreate2) X(Dget_space) X(Dwrite)   \
        X(Eclear2) X(Eget_auto2) X(Eset_auto2) X(Fclose) X(Fcreate) X(Fopen) X(Pclose) X(Pcreate) X(Pset_chunk)        \
            X(Pset_fapl_core) X(Pset_filter) X(Pset_libver_bounds) X(Pset_obj_track_times) X(Pset_shuffle) X(Sclose)   \
                X(Screate) X(Screate_simple) X(Sget_simple_extent_npoints) X(Sselect_hyperslab) X(Tclose) X(Tcopy)     \
                    X(Tcreate) X(Tinsert) X(Tis_variable_str) X(Tset_cset) X(Tset_size) X(free_memory)                 \
                        X(get_libversion) X(open) X(P_CLS_DATASET_CREATE_ID_g) X(P_CLS_FILE_ACCESS_ID_g)               \
                            X(P_CLS_FILE_CREATE_ID_g) X(T_C_S1_g) X(T_IEEE_F64LE_g) X(T_NATIVE_DOUBLE_g)               \
                                X(T_NATIVE_INT64_g) X(T_STD_I64LE_g) LG_HDF5_LOCKING(X)
#if H5_VERSION_GE(1, 10, 7)
#define LG_HDF5_LOCKING(X) X(Pset_file_locking)
#else
#define LG_HDF5_LOCKING(X)
#endif

typedef struct lg_hdf5_library {
#define LG_HDF5_MEMBER(name) __typeof__(H5##name) *name;
    LG_HDF5_SYMBOLS(LG_HDF5_MEMBER)
#undef LG_HDF5_MEMBER
} lg_hdf5_library;

/** LG_ERROR_ARGUMENT: there is no such library, or one of another release. Once loaded it stays. */
lg_status lg_hdf5_load(lg_hdf5_library *h5, lg_error *e);

#endif
