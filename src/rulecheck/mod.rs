//! Runs the tests that rule files carry in their comments.
//!
//! A line that begins with `;!` says something about the game: how many moves a position has, which ones, how it ends.
//! [`directive`] reads these lines, [`run`](mod@run) carries them out, [`report`] writes what came of them. The words are
//! explained in `docs/testing.md`.
//!
//! ```
//! use ludex::RuleFile;
//! use ludex::expand::NoIncludes;
//! use ludex::rulecheck::{Status, TestOptions, run};
//!
//! let text = b";! test: a man goes one step
//! ;! moves: exactly  a1-b1
//! ;! play: a1-b1
//! ;! outcome: B wins
//! (game (title \"Race\") (players A B) (turn-order A B)
//!     (board (grid (dimensions (\"a/b\" (1 0)) (\"1\" (0 1))) (directions (e 1 0))))
//!     (board-setup (A (Man a1)))
//!     (piece (name Man) (moves (e add)))
//!     (win-condition (B) stalemated))";
//! let mut file = RuleFile::read("race.zrf", text, &mut NoIncludes);
//! let result = run(&mut file, &TestOptions::default());
//! assert_eq!(result.tests[0].status, Status::Passed);
//! ```

pub mod directive;
pub mod report;
pub mod run;

pub use directive::{Directive, DirectiveKind, Script, Test};
pub use report::{Format, write};
pub use run::{Failure, FileResult, Status, TestOptions, TestResult, run};
