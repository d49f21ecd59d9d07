-- What is true: records, rulings, policies and events. Nothing here is ever changed or deleted.

CREATE TABLE records (
    record       INTEGER PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    slot         INTEGER REFERENCES slots (slot),     -- absent: unslotted
    subject      TEXT NOT NULL,
    attribute    TEXT,
    value        TEXT NOT NULL,                       -- JSON
    op           TEXT NOT NULL,
    kind         TEXT,
    class        TEXT,                                -- the class that the record itself states
    source       TEXT,                                -- JSON object, as it came
    observed_at  TEXT,
    written_at   TEXT NOT NULL,
    recorded_at  TEXT NOT NULL,
    epoch        INTEGER,
    confidence   REAL,
    evidence     TEXT,
    answers      INTEGER,
    derived_from TEXT,
    batch        TEXT NOT NULL,
    event        INTEGER NOT NULL,                    -- the event that brought it
    content      BLOB NOT NULL,                       -- SHA-256 of what was claimed: tells a duplicate from a clash
    hash         BLOB NOT NULL                        -- SHA-256 of the whole row
) STRICT;
CREATE INDEX records_by_slot ON records (slot);
CREATE INDEX records_by_batch ON records (batch);
CREATE INDEX records_by_event ON records (event);

CREATE TABLE rulings (
    ruling  INTEGER PRIMARY KEY,
    at      TEXT NOT NULL,
    actor   TEXT NOT NULL,
    kind    TEXT NOT NULL,
    pair    INTEGER,
    slot    INTEGER,
    reason  TEXT,
    body    TEXT NOT NULL,                            -- JSON: what was decided, and the checklist as it then was
    undoes  INTEGER,
    bulk    INTEGER                                   -- the first ruling of those made in one stroke, undone in one
) STRICT;
CREATE INDEX rulings_by_slot ON rulings (slot) WHERE slot IS NOT NULL;
CREATE INDEX rulings_by_pair ON rulings (pair) WHERE pair IS NOT NULL;
CREATE INDEX rulings_by_undone ON rulings (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX rulings_by_bulk ON rulings (bulk) WHERE bulk IS NOT NULL;
CREATE INDEX rulings_by_kind ON rulings (kind);

-- The records that a ruling names; a withdrawal may name thousands.
CREATE TABLE ruling_records (
    record INTEGER NOT NULL REFERENCES records (record),
    ruling INTEGER NOT NULL REFERENCES rulings (ruling),
    PRIMARY KEY (record, ruling)
) STRICT, WITHOUT ROWID;
CREATE INDEX ruling_records_by_ruling ON ruling_records (ruling);

CREATE TABLE policies (
    version  INTEGER PRIMARY KEY,
    at       TEXT NOT NULL,
    ruling   INTEGER,
    document TEXT NOT NULL                            -- JSON: the whole policy as of this version
) STRICT;

CREATE TABLE events (
    seq       INTEGER PRIMARY KEY,
    at        TEXT NOT NULL,
    actor     TEXT NOT NULL,
    kind      TEXT NOT NULL,
    subject   TEXT,
    attribute TEXT,
    pair      INTEGER,
    ruling    INTEGER,
    body      TEXT NOT NULL,                          -- JSON
    hash      BLOB NOT NULL                           -- SHA-256 of the previous hash and this event
) STRICT;
CREATE INDEX events_by_kind ON events (kind, seq);
CREATE INDEX events_by_ruling ON events (ruling) WHERE ruling IS NOT NULL;
CREATE INDEX events_by_actor ON events (actor, seq);
CREATE INDEX events_by_subject ON events (subject, seq) WHERE subject IS NOT NULL;
CREATE INDEX events_by_pair ON events (pair, seq) WHERE pair IS NOT NULL;

-- What follows from it: can be rebuilt at any time by settling every slot.

-- One attribute of one name. `home` is the slot in which it is settled: its own, or that of the canonical name.
CREATE TABLE slots (
    slot        INTEGER PRIMARY KEY,
    subject     TEXT NOT NULL,
    attribute   TEXT NOT NULL,
    home        INTEGER NOT NULL,
    status      TEXT NOT NULL DEFAULT 'empty',
    value       TEXT,                                 -- JSON
    contenders  INTEGER NOT NULL DEFAULT 0,
    supported_at TEXT,                                -- the latest observation of what is settled
    revision    INTEGER NOT NULL DEFAULT 0,
    UNIQUE (subject, attribute)
) STRICT;
CREATE INDEX slots_by_home ON slots (home);
CREATE INDEX slots_by_attribute ON slots (attribute, supported_at);

CREATE TABLE record_states (
    record        INTEGER PRIMARY KEY,
    state         TEXT NOT NULL,
    superseded_by INTEGER,
    claim         INTEGER,
    rank_in_claim INTEGER NOT NULL DEFAULT 0          -- 0 speaks for what lives, 1 supports it
) STRICT;

CREATE TABLE edges (
    home       INTEGER NOT NULL,
    from_record INTEGER NOT NULL,
    to_record  INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    basis      TEXT,
    from_epoch INTEGER,
    to_epoch   INTEGER,
    PRIMARY KEY (home, from_record, to_record, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE pairs (
    pair           INTEGER PRIMARY KEY,
    home           INTEGER NOT NULL,
    left_record    INTEGER NOT NULL,
    right_record   INTEGER NOT NULL,
    grounds        TEXT NOT NULL,                     -- names, joined by commas
    state          TEXT NOT NULL,                     -- open, awaiting or settled
    opened_at      TEXT NOT NULL,
    closed_at      TEXT,
    deferred_until TEXT,
    request        INTEGER,
    alias          INTEGER
) STRICT;
CREATE INDEX pairs_by_home ON pairs (home);
CREATE INDEX pairs_open ON pairs (opened_at, pair) WHERE state = 'open';
CREATE INDEX pairs_awaiting ON pairs (opened_at, pair) WHERE state = 'awaiting';
CREATE INDEX pairs_settled ON pairs (opened_at, pair) WHERE state = 'settled';
CREATE INDEX pairs_deferred ON pairs (deferred_until) WHERE deferred_until IS NOT NULL AND state <> 'settled';
CREATE UNIQUE INDEX pairs_of_alias ON pairs (alias) WHERE alias IS NOT NULL;

CREATE TABLE pair_counts (
    state   TEXT NOT NULL,
    grounds TEXT NOT NULL,
    count   INTEGER NOT NULL,
    PRIMARY KEY (state, grounds)
) STRICT, WITHOUT ROWID;

CREATE TABLE answers (
    request INTEGER NOT NULL,
    record  INTEGER NOT NULL,
    PRIMARY KEY (request, record)
) STRICT, WITHOUT ROWID;

CREATE TABLE aliases (
    alias   INTEGER PRIMARY KEY,
    a       TEXT NOT NULL,
    b       TEXT NOT NULL,
    verdict TEXT NOT NULL,
    ruling  INTEGER NOT NULL,
    UNIQUE (a, b)
) STRICT;
CREATE INDEX aliases_by_second ON aliases (b);

-- What `verify` said last: for people to see when it was. It proves nothing, so it stands beside the chain, not in it.
CREATE TABLE checks (
    only   INTEGER PRIMARY KEY CHECK (only = 1),
    at     TEXT NOT NULL,
    actor  TEXT NOT NULL,
    events INTEGER NOT NULL,
    head   TEXT NOT NULL,                             -- the hash of the last event then, in hexadecimal digits
    damage TEXT NOT NULL                              -- JSON: a list of what was found, empty where the store was whole
) STRICT;

-- Refusals: no bug and no stray SQL can collapse provenance.

CREATE TRIGGER records_are_immutable BEFORE UPDATE ON records
BEGIN SELECT RAISE (ABORT, 'records are never changed'); END;
CREATE TRIGGER records_are_kept BEFORE DELETE ON records
BEGIN SELECT RAISE (ABORT, 'records are never deleted'); END;
CREATE TRIGGER rulings_are_immutable BEFORE UPDATE ON rulings
BEGIN SELECT RAISE (ABORT, 'rulings are never changed'); END;
CREATE TRIGGER rulings_are_kept BEFORE DELETE ON rulings
BEGIN SELECT RAISE (ABORT, 'rulings are never deleted'); END;
CREATE TRIGGER ruling_records_are_immutable BEFORE UPDATE ON ruling_records
BEGIN SELECT RAISE (ABORT, 'rulings are never changed'); END;
CREATE TRIGGER ruling_records_are_kept BEFORE DELETE ON ruling_records
BEGIN SELECT RAISE (ABORT, 'rulings are never deleted'); END;
CREATE TRIGGER policies_are_immutable BEFORE UPDATE ON policies
BEGIN SELECT RAISE (ABORT, 'policy versions are never changed'); END;
CREATE TRIGGER policies_are_kept BEFORE DELETE ON policies
BEGIN SELECT RAISE (ABORT, 'policy versions are never deleted'); END;
CREATE TRIGGER events_are_immutable BEFORE UPDATE ON events
BEGIN SELECT RAISE (ABORT, 'events are never changed'); END;
CREATE TRIGGER events_are_kept BEFORE DELETE ON events
BEGIN SELECT RAISE (ABORT, 'events are never deleted'); END;
