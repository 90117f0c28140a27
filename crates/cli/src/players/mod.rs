//! Who can play in a match.

mod external;
