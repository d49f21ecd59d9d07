//! A store with a queue of so many pairs, made by plain SQL: each pair has a slot and two records of its own; one in ten
//! is settled, and a few words, grounds and attributes are rare.

use std::path::Path;

use gainsay::core::time::Instant;
use gainsay::store::Store;
use rusqlite::Connection;

/// Makes the store.
pub(crate) fn fill(path: &Path, pairs: i64, now: Instant) {
    drop(Store::open_or_create(path, now).unwrap());
    let raw = Connection::open(path).unwrap();
    let attribute = "CASE WHEN n % 50000 = 7 THEN 'rare_one' ELSE 'attribute_' || (n * 7919 % 23) END";
    let sql = format!(
        "PRAGMA synchronous = off; PRAGMA foreign_keys = off; PRAGMA cache_size = -200000; BEGIN;
         CREATE TEMP TABLE n AS WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {pairs}) SELECT n FROM c;
         INSERT INTO slots (slot, subject, attribute, home) SELECT n, 'user_' || (n * 31 % {pairs}), {attribute}, n FROM n;
         INSERT INTO records (record, id, slot, subject, attribute, value, op, kind, source, written_at, recorded_at, epoch,
                 evidence, batch, event, content, hash)
             SELECT 2 * n + s, 'mem_' || (2 * n + s), n, 'user_' || (n * 31 % {pairs}), {attribute},
                 '\"' || CASE WHEN n % 333333 = 5 THEN 'Quixeramobim' ELSE 'city ' || (n * 17 % 5000) END || '\"',
                 'assert', 'user_utterance', '{{\"kind\":\"user_utterance\"}}', '2025-10-01T00:00:00.000000000Z',
                 '2025-10-01T00:00:00.000000000Z', 1,
                 'They said that they live in city ' || (n * 13 % 7000) || ' now, and that it is fine.',
                 'batch_' || (n % 400), 1, x'00', x'00' FROM n, (SELECT 0 AS s UNION SELECT 1);
         INSERT INTO pairs (pair, home, subject, attribute, left_record, right_record, grounds, state, opened_at, touched)
             SELECT n, n, 'user_' || (n * 31 % {pairs}), {attribute}, 2 * n, 2 * n + 1,
                 CASE WHEN n % 40000 = 3 THEN 'low_confidence' WHEN n % 3 = 0 THEN 'missing_provenance,cross_epoch'
                     WHEN n % 3 = 1 THEN 'cross_epoch' ELSE 'cardinality_undeclared' END,
                 CASE WHEN n % 10 = 0 THEN 'settled' ELSE 'open' END, '2025-11-01T00:00:00.000000000Z', n FROM n;
         COMMIT; PRAGMA wal_checkpoint(TRUNCATE);"
    );
    raw.execute_batch(&sql).unwrap();
}
