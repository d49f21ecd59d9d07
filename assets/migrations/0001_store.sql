-- What is true: records, rulings, policies and events. Nothing here is ever changed or deleted.

CREATE TABLE records (
    record       INTEGER PRIMARY KEY,
    id           TEXT NOT NULL,
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
    hash         BLOB NOT NULL,                       -- SHA-256 of the whole row, as it came
    erased       INTEGER,                             -- the event that put hashes in the place of what was said
    lag          INTEGER AS (unixepoch(written_at) - unixepoch(
        CASE length(observed_at) WHEN 4 THEN observed_at || '-01-01' WHEN 7 THEN observed_at || '-01' ELSE observed_at END
    )) VIRTUAL                                        -- seconds from the first moment of what was observed
) STRICT;
CREATE UNIQUE INDEX records_by_id ON records (id);
CREATE INDEX records_by_slot ON records (slot);
-- A batch by lag; records that do not say when they were observed stand below every lag.
CREATE INDEX records_by_batch ON records (batch, ifnull(lag, -9999999999999));
CREATE INDEX records_by_event ON records (event);
CREATE INDEX records_by_request ON records (answers) WHERE answers IS NOT NULL;
CREATE INDEX records_by_origin ON records (derived_from) WHERE derived_from IS NOT NULL;
CREATE INDEX records_unslotted ON records (subject) WHERE slot IS NULL;

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
    pair           INTEGER PRIMARY KEY,               -- numbered in the order in which they were first opened
    home           INTEGER NOT NULL,
    subject        TEXT NOT NULL,                     -- of its home, as is the attribute: by these the queue is ordered
    attribute      TEXT NOT NULL,
    left_record    INTEGER NOT NULL,
    right_record   INTEGER NOT NULL,
    grounds        TEXT NOT NULL,                     -- names, joined by commas
    state          TEXT NOT NULL,                     -- open, awaiting or settled
    opened_at      TEXT NOT NULL,
    closed_at      TEXT,
    deferred_until TEXT,
    request        INTEGER,
    alias          INTEGER,
    touched        INTEGER NOT NULL                   -- greater than any before it with each change: tells what changed since
) STRICT;
CREATE INDEX pairs_by_home ON pairs (home);
CREATE INDEX pairs_by_state ON pairs (state);
CREATE INDEX pairs_by_lane ON pairs (state, attribute, grounds);
CREATE INDEX pairs_by_slot ON pairs (state, attribute, subject, grounds);
CREATE INDEX pairs_by_left ON pairs (left_record);
CREATE INDEX pairs_by_right ON pairs (right_record);
CREATE INDEX pairs_by_touch ON pairs (touched);
CREATE INDEX pairs_deferred ON pairs (deferred_until, state, attribute, grounds)
    WHERE deferred_until IS NOT NULL AND state <> 'settled';
CREATE UNIQUE INDEX pairs_of_alias ON pairs (alias) WHERE alias IS NOT NULL;

-- How many pairs there are of each state, attribute and set of grounds: all of them, and in each span of 8192 numbers.
CREATE TABLE pair_counts (
    state     TEXT NOT NULL,
    attribute TEXT NOT NULL,
    grounds   TEXT NOT NULL,
    count     INTEGER NOT NULL,
    PRIMARY KEY (state, attribute, grounds)
) STRICT, WITHOUT ROWID;
CREATE TABLE pair_spans (
    state     TEXT NOT NULL,
    attribute TEXT NOT NULL,
    grounds   TEXT NOT NULL,
    span      INTEGER NOT NULL,
    count     INTEGER NOT NULL,
    PRIMARY KEY (state, attribute, grounds, span)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER pairs_are_counted AFTER INSERT ON pairs
BEGIN
    INSERT INTO pair_counts VALUES (new.state, new.attribute, new.grounds, 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
    INSERT INTO pair_spans VALUES (new.state, new.attribute, new.grounds, new.pair >> 13, 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER pairs_are_recounted AFTER UPDATE OF state, attribute, grounds ON pairs
WHEN old.state <> new.state OR old.attribute <> new.attribute OR old.grounds <> new.grounds
BEGIN
    UPDATE pair_counts SET count = count - 1
        WHERE state = old.state AND attribute = old.attribute AND grounds = old.grounds;
    UPDATE pair_spans SET count = count - 1
        WHERE state = old.state AND attribute = old.attribute AND grounds = old.grounds AND span = old.pair >> 13;
    INSERT INTO pair_counts VALUES (new.state, new.attribute, new.grounds, 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
    INSERT INTO pair_spans VALUES (new.state, new.attribute, new.grounds, new.pair >> 13, 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
END;

-- Every run of three letters of what `find` looks through, for pairs touched no later than `touched`. It is filled
-- beside the work, once somebody finds; what it names is read and compared before it is shown.
CREATE VIRTUAL TABLE pair_letters USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'trigram', detail = none
);
CREATE TABLE pair_letters_upto (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    touched INTEGER NOT NULL
) STRICT;
INSERT INTO pair_letters_upto VALUES (1, 0);

-- How each source kind fared on each attribute in the rulings that count.
CREATE TABLE tallies (
    attribute TEXT NOT NULL,
    kind      TEXT NOT NULL,
    won       INTEGER NOT NULL,
    lost      INTEGER NOT NULL,
    PRIMARY KEY (attribute, kind)
) STRICT, WITHOUT ROWID;

-- What came together, in numbers that are kept with every write.
CREATE TABLE batches (
    batch         TEXT PRIMARY KEY,
    newest        INTEGER NOT NULL,                   -- its last record
    records       INTEGER NOT NULL,
    unslotted     INTEGER NOT NULL,
    first_written TEXT NOT NULL,
    last_written  TEXT NOT NULL,
    recorded_at   TEXT NOT NULL,
    first_observed INTEGER,                           -- seconds since 1970; absent: none of them says
    last_observed INTEGER,
    least_lag     INTEGER,
    greatest_lag  INTEGER,
    lag_0         INTEGER NOT NULL,                   -- records by band of lag: ahead of its time,
    lag_1         INTEGER NOT NULL,                   -- under a minute,
    lag_2         INTEGER NOT NULL,                   -- an hour,
    lag_3         INTEGER NOT NULL,                   -- a day,
    lag_4         INTEGER NOT NULL,                   -- a week,
    lag_5         INTEGER NOT NULL,                   -- a month,
    lag_6         INTEGER NOT NULL,                   -- a year,
    lag_7         INTEGER NOT NULL,                   -- and over
    median_lag    INTEGER,
    below_median  INTEGER NOT NULL DEFAULT 0,         -- records with a smaller lag than the median,
    at_median     INTEGER NOT NULL DEFAULT 0,         -- and with that lag
    contested     INTEGER NOT NULL DEFAULT 0,
    withdrawn     INTEGER NOT NULL DEFAULT 0,
    pairs         INTEGER NOT NULL DEFAULT 0,         -- unsettled pairs with a record of it
    won           INTEGER NOT NULL DEFAULT 0,         -- rulings that count
    lost          INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX batches_by_newest ON batches (newest);

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
