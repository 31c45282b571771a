//! The players of a game who decide for themselves.

use ludex::Rules;
use ludex::keyword::nearest_of;
use ludex::model::PlayerId;

use super::failure::Failure;

/// Returns the players that have turns and are not random, in the order in which the rules declare them.
pub fn deciders(rules: &Rules) -> Vec<PlayerId> {
    let model = &rules.model;
    let decides = |player: &PlayerId| {
        !model.players[player.index()].random && model.turn_order.items.iter().any(|item| item.player == *player)
    };
    model.player_ids().filter(decides).collect()
}

/// Tells whether the rules have a policy for a player.
pub fn has_policy(rules: &Rules, player: PlayerId) -> bool {
    let policies = &rules.model.extensions.policies;
    policies.iter().any(|policy| policy.players.contains(&player))
}

/// Returns the name of a player.
pub fn name(rules: &Rules, player: PlayerId) -> &str {
    &rules.model.players[player.index()].name
}

/// Returns the one of some players that has a name, whatever its case.
pub fn find(rules: &Rules, players: &[PlayerId], wanted: &str) -> Option<PlayerId> {
    let has_name = |player: &&PlayerId| name(rules, **player).eq_ignore_ascii_case(wanted);
    players.iter().find(has_name).copied()
}

/// Tells that none of the names there are is the one wanted.
pub fn unknown(wanted: &str, names: &[&str]) -> Failure {
    let near = nearest_of(wanted, names.iter().copied());
    let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    Failure::usage(format!(
        "nobody plays `{wanted}`, but there are {}{help}",
        names.join(", ")
    ))
}
