package dev.signet.store.jdbc;

import dev.signet.Advertised;
import dev.signet.CandidateId;

/** A session's record. */
record SessionRow(long number, CandidateId candidate, Advertised advertised, Lease lease) {}
