//! Chance with a seed, and how often it is thrown: a few times in every run, as often as the README says in a thorough one.

/// Numbers that look random and are the same in every run of a seed (SplitMix64).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn of(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// One of so many, from 0 on.
    pub(crate) fn below(&mut self, many: usize) -> usize {
        usize::try_from(self.number() % many as u64).unwrap()
    }

    pub(crate) fn one_of<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Whether this is a thorough run: `GAINSAY_THOROUGH=1`.
pub(crate) fn thorough() -> bool {
    std::env::var_os("GAINSAY_THOROUGH").is_some_and(|set| set != "0" && !set.is_empty())
}

/// How often: so many times in every run, and so many in a thorough one.
pub(crate) fn rounds(always: usize, thorough_ones: usize) -> usize {
    if thorough() { thorough_ones } else { always }
}
