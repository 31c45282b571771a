//! Points on which readers of the language differ, each with the reading taken here and the others one can ask for.
//!
//! A quirk is chosen in a rule file by `(option "ludex:NAME" VALUE)` and on the command line by `--quirk NAME=VALUE`,
//! which counts more. The first value of each row is the default: the reading that recorded games of the original
//! program confirm, or else the one that most rule files are written for.

use thiserror::Error;

/// What precedes the name of a quirk in an option of a rule file.
pub const OPTION_PREFIX: &str = "ludex:";

/// A quirk was given a name or value that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum QuirkError {
    /// There is no such quirk.
    #[error("there is no quirk `{0}`")]
    UnknownName(String),
    /// The quirk has no such value.
    #[error("the quirk `{name}` cannot be `{value}`; it can be {values}", values = values.join(" or "))]
    UnknownValue {
        /// The quirk.
        name: &'static str,
        /// What was asked for.
        value: String,
        /// What it can be.
        values: &'static [&'static str],
    },
}

macro_rules! quirks {
    ($(
        $(#[doc = $doc:literal])*
        $field:ident $type:ident $name:literal {
            $(#[doc = $default_doc:literal])* #[default] $default:ident $default_name:literal,
            $($(#[doc = $value_doc:literal])* $value:ident $value_name:literal),* $(,)?
        }
    )*) => {
        $(
            $(#[doc = $doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub enum $type { $(#[doc = $default_doc])* #[default] $default, $($(#[doc = $value_doc])* $value),* }
        )*

        /// The readings taken.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Quirks { $($(#[doc = $doc])* pub $field: $type),* }

        /// Every quirk: its name, what it is about, and its values, the default first.
        pub const QUIRKS: &[(&str, &str, &[&str])] =
            &[$(($name, concat!($($doc),*), &[$default_name, $($value_name),*])),*];

        impl Quirks {
            /// Takes the reading `value` of the quirk `name`.
            ///
            /// # Errors
            /// When there is no such quirk or value.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), QuirkError> {
                match name {
                    $($name => self.$field = match value {
                        $default_name => $type::$default,
                        $($value_name => $type::$value,)*
                        _ => {
                            let values = &[$default_name, $($value_name),*];
                            return Err(QuirkError::UnknownValue { name: $name, value: value.to_owned(), values });
                        }
                    },)*
                    _ => return Err(QuirkError::UnknownName(name.to_owned())),
                }
                Ok(())
            }
        }
    };
}

quirks! {
    /// Whether `(empty? d)` is true where the board ends.
    empty_off_board EmptyOffBoard "empty-off-board" {
        /// False, as for every other test.
        #[default] False "false",
        /// True.
        True "true",
    }
    /// What an effect does whose place is off the board.
    effect_off_board EffectOffBoard "effect-off-board" {
        /// Nothing; the block goes on.
        #[default] Skip "skip",
        /// It ends the block.
        End "end",
    }
    /// How many of several positions of an `absolute-config` must be held.
    config_places ConfigPlaces "config-places" {
        /// All.
        #[default] All "all",
        /// One.
        Any "any",
    }
    /// What it means to have no legal move when no goal says it.
    no_move NoMove "no-move" {
        /// The game is drawn.
        #[default] Draw "draw",
        /// The player to move loses.
        Loss "loss",
    }
    /// When goals about the board are tested in a chain of partial moves.
    goals_in_chain GoalsInChain "goals-in-chain" {
        /// After every step.
        #[default] EachStep "each-step",
        /// When the turn is over.
        TurnEnd "turn-end",
    }
    /// What the third occurrence of a position means when no goal says it.
    repetition Repetition "repetition" {
        /// The game is drawn.
        #[default] Draw "draw",
        /// Nothing.
        Ignore "ignore",
    }
    /// Whether priorities compare moves before or after those that leave a royal piece attacked are dropped.
    priorities Priorities "priorities" {
        /// Legal moves are compared.
        #[default] AfterCheck "after-check",
        /// All generated moves are compared.
        BeforeCheck "before-check",
    }
    /// What pieces of random players are to the others.
    random_pieces RandomPieces "random-pieces" {
        /// Enemies, since they take turns.
        #[default] Enemy "enemy",
        /// Neutral.
        Neutral "neutral",
    }
    /// What becomes of the attributes of a piece that changes its kind.
    promoted_attributes PromotedAttributes "promoted-attributes" {
        /// They stay, but those that only the new kind declares take their initial value.
        #[default] KeepShared "keep-shared",
        /// All stay.
        Keep "keep",
        /// All take the initial values of the new kind.
        Reset "reset",
    }
    /// Whom `flip` gives a piece to among three and more players.
    flip_order FlipOrder "flip-order" {
        /// The next player who takes turns and is not random.
        #[default] Playing "playing",
        /// The next player named.
        Named "named",
    }
    /// Which movement of a cascade `last-from?` and `last-to?` speak of.
    last_move LastMove "last-move" {
        /// The first.
        #[default] First "first",
        /// The last.
        Last "last",
    }
    /// Whether a pass is a previous move for `last-from?` and `last-to?`.
    last_after_pass LastAfterPass "last-after-pass" {
        /// It is one without squares.
        #[default] Cleared "cleared",
        /// The squares of the move before stay.
        Kept "kept",
    }
    /// When move types that `move-priorities` does not list are offered.
    unlisted_types UnlistedTypes "unlisted-types" {
        /// When no listed type has a move.
        #[default] Last "last",
        /// Never in a turn that is open to all types.
        Never "never",
    }
    /// Whether the opposite of a direction is taken after or before the symmetry of the mover is applied.
    opposite Opposite "opposite" {
        /// Symmetry first.
        #[default] SymmetryFirst "symmetry-first",
        /// The opposite first.
        InverseFirst "inverse-first",
    }
    /// Which moves of an enemy attack.
    attack_moves AttackMoves "attack-moves" {
        /// All of its pieces, whatever their move type.
        #[default] All "all",
        /// Those of types that some turn of the enemy is open to.
        Offered "offered",
    }
    /// What becomes of the pieces of the base game in a variant that declares pieces, but not these.
    leftover_pieces LeftoverPieces "leftover-pieces" {
        /// They stay.
        #[default] Keep "keep",
        /// They are no pieces of the variant.
        Drop "drop",
    }
    /// Where `from` is after the `add` of a cascade.
    from_after_cascade FromAfterCascade "from-after-cascade" {
        /// Back where the piece started.
        #[default] Start "start",
        /// Where the last movement of the cascade started.
        Stays "stays",
    }
    /// What `maximal captures 2` compares among chains of equal length.
    longest_chains LongestChains "longest-chains" {
        /// The mobility of the captured pieces' kinds, added up.
        #[default] Value "value",
        /// Nothing more.
        Length "length",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_can_be_set_and_the_first_is_the_default() {
        for (name, about, values) in QUIRKS {
            assert!(about.ends_with('.'));
            for (index, value) in values.iter().enumerate() {
                let mut quirks = Quirks::default();
                quirks.set(name, value).unwrap();
                assert_eq!(quirks == Quirks::default(), index == 0, "{name}={value}");
            }
        }
        let error = Quirks::default().set("no-move", "win").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the quirk `no-move` cannot be `win`; it can be draw or loss"
        );
        assert!(Quirks::default().set("nothing", "draw").is_err());
    }
}
