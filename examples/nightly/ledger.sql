-- A ledger whose rows say under which term they were written. signet_term is cleared once it was checked.
CREATE TABLE entry (
  id           INTEGER PRIMARY KEY,
  written_by   TEXT NOT NULL,
  signet_token INTEGER,
  signet_term  TEXT
);
