//! How late records were written: the time from observed to written, in bands that double as the scale of a bar.

use super::record::CLOCK_SKEW;

/// A band of lags, from what was written before it was true to what came years late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Band {
    /// Observed later than it was written, by more than clocks differ: impossible.
    Ahead,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
    Over,
}

/// How many records fall into each band, in the order of [`Band::ALL`]; and how many say no time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lags {
    pub bands: [u64; Band::ALL.len()],
    /// Records that do not say when they were observed.
    pub unknown: u64,
}

impl Band {
    pub const ALL: [Self; 8] =
        [Self::Ahead, Self::Minute, Self::Hour, Self::Day, Self::Week, Self::Month, Self::Year, Self::Over];

    /// The band of a lag in seconds.
    pub fn of(seconds: i64) -> Self {
        let within = |band: &Self| band.below().is_none_or(|end| seconds < end);
        Self::ALL.into_iter().find(within).unwrap_or(Self::Over)
    }

    /// The first lag, in seconds, that lies past the band; none for the last.
    pub const fn below(self) -> Option<i64> {
        match self {
            Self::Ahead => Some(-CLOCK_SKEW.num_seconds()),
            Self::Minute => Some(60),
            Self::Hour => Some(3_600),
            Self::Day => Some(86_400),
            Self::Week => Some(7 * 86_400),
            Self::Month => Some(30 * 86_400),
            Self::Year => Some(365 * 86_400),
            Self::Over => None,
        }
    }

    /// In words that stand after "a lag of".
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ahead => "ahead of its time",
            Self::Minute => "under a minute",
            Self::Hour => "under an hour",
            Self::Day => "under a day",
            Self::Week => "under a week",
            Self::Month => "under a month",
            Self::Year => "under a year",
            Self::Over => "over a year",
        }
    }
}

impl Lags {
    /// How many records of a band there are.
    pub const fn of(&self, band: Band) -> u64 {
        self.bands[band as usize]
    }

    /// How many say when they were observed.
    pub fn known(&self) -> u64 {
        self.bands.iter().sum()
    }
}
