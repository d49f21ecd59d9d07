//! The name that somebody may have meant: of many, the one that fewest slips of the fingers lead away from.

/// The name nearest to one that is not there; none where none is near. Upper and lower case are not told apart, and of
/// equally near names it is the first by its letters, whatever order they come in.
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let wrong = wrong.to_lowercase();
    let length = wrong.chars().count();
    // A third of its letters may be wrong; a short name has room for one slip.
    let farthest = (length / 3).max(1);
    let slips = |name: &str| {
        let name = name.to_lowercase();
        // So many slips it takes at least: most names are told apart by this, and need no closer look.
        let least = name.chars().count().abs_diff(length);
        (least <= farthest).then(|| strsim::osa_distance(&wrong, &name)).filter(|slips| *slips <= farthest)
    };
    let near = names.into_iter().filter_map(|name| Some((slips(name)?, name)));
    near.min().map(|(_, name)| name.to_owned())
}
