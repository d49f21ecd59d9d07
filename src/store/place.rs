//! Where a store lies: on a disk of this machine, or on one that several machines share.

use std::path::Path;

/// File systems that are reached over a network, by the number with which Linux marks each.
const SHARED: [(u64, &str); 7] = [
    (0x6969, "NFS"),
    (0x0102_1997, "9p"),
    (0x517b, "SMB"),
    (0xfe53_4d42, "SMB"),
    (0xff53_4d42, "SMB"),
    (0x5346_414f, "AFS"),
    (0x00c3_6400, "Ceph"),
];

/// The name of a file system that is reached over a network, by its mark: none for any other. Its locks may not hold
/// between machines, and the side file for sharing cannot be shared at all.
pub fn shared(mark: u64) -> Option<&'static str> {
    SHARED.iter().find(|(known, _)| *known == mark).map(|(_, name)| *name)
}

/// The name of the network file system on which a file lies; none where it is on this machine, or cannot be told.
pub(super) fn network_of(path: &Path) -> Option<&'static str> {
    // The mark is a number of 32 bits, whatever the type in which the system gives it.
    rustix::fs::statfs(path).ok().and_then(|told| shared(told.f_type as u64 & 0xffff_ffff))
}
