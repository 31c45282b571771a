//! States as short byte strings: only what differs from a base that both sides know. The positions before are those of
//! the base.

use super::{Chain, Counters, State, UndoLog};
use crate::model::{AttributeId, CellId, Occupant};
use crate::program::{ContinuationId, VariableSlot};
use crate::rules::Rules;

impl State {
    /// Appends to `bytes` what this state and `base`, a state of the same rules, differ in.
    pub fn pack(&self, base: &State, bytes: &mut Vec<u8>) {
        let mut put = |number: u16| bytes.extend_from_slice(&number.to_le_bytes());
        let chain = self.chain.unwrap_or(Chain {
            cell: CellId::NONE,
            continuation: ContinuationId::NONE,
        });
        for number in [
            self.turn,
            chain.cell.0,
            chain.continuation.0,
            self.last_from.0,
            self.last_to.0,
        ] {
            put(number);
        }
        let occupants = self.occupants.iter().zip(&base.occupants);
        let changed = || occupants.clone().enumerate().filter(|(_, (new, old))| new != old);
        put(changed().count() as u16);
        for (cell, (new, _)) in changed() {
            put(cell as u16);
            put(new.0);
        }
        let stock = self.stock.iter().zip(&base.stock);
        let changed = || stock.clone().enumerate().filter(|(_, (new, old))| new != old);
        put(changed().count() as u16);
        for (piece, (&new, _)) in changed() {
            put(piece as u16);
            put(new as u16);
            put((new >> 16) as u16);
        }
        let variables = self.variables.iter().zip(&base.variables);
        let changed = || variables.clone().enumerate().filter(|(_, (new, old))| new != old);
        put(changed().count() as u16);
        for (slot, (&new, _)) in changed() {
            put(slot as u16);
            put(new as u16);
            put((new as u32 >> 16) as u16);
        }
        let Counters {
            ply,
            quiet_plies,
            passes,
        } = self.counters;
        for count in [ply, quiet_plies, passes] {
            put(count as u16);
            put((count >> 16) as u16);
        }
        put(self.actor.0);
        // All attributes of the cells that differ in one: a cell has few.
        for (slot, (&new, &old)) in self.attributes.iter().zip(&base.attributes).enumerate() {
            if new != old {
                put(slot as u16);
                put((slot >> 16) as u16);
                put(new as u16);
                put((new as u32 >> 16) as u16);
            }
        }
    }

    /// Becomes the state that was packed with this `base`. Bytes that no state was packed to give some state.
    pub fn unpack(&mut self, rules: &Rules, base: &State, bytes: &[u8]) {
        let mut numbers = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        let mut next = || numbers.next();
        self.copy_from(base);
        let mut log = UndoLog::new();
        let (turn, cell, continuation) = (next(), next(), next());
        let (last_from, last_to) = (next(), next());
        for _ in 0..next().unwrap_or(0) {
            if let (Some(cell), Some(piece)) = (next(), next()) {
                self.set_occupant(rules, &mut log, CellId(cell), Occupant(piece));
            }
        }
        for _ in 0..next().unwrap_or(0) {
            if let (Some(piece), Some(low), Some(high)) = (next(), next(), next()) {
                let count = u32::from(low) | u32::from(high) << 16;
                self.change_stock(rules, &mut log, Occupant(piece), count);
            }
        }
        for _ in 0..next().unwrap_or(0) {
            if let (Some(slot), Some(low), Some(high)) = (next(), next(), next()) {
                let value = (u32::from(low) | u32::from(high) << 16) as i32;
                self.set_variable(&mut log, VariableSlot(slot), value);
            }
        }
        let mut count = || match (next(), next()) {
            (Some(low), Some(high)) => u32::from(low) | u32::from(high) << 16,
            _ => 0,
        };
        let counters = Counters {
            ply: count(),
            quiet_plies: count(),
            passes: count(),
        };
        self.change_counters(rules, counters);
        self.set_actor(next().map_or(CellId::NONE, CellId));
        while let (Some(slot), Some(slot_high), Some(low), Some(high)) = (next(), next(), next(), next()) {
            let slot = usize::from(slot) | usize::from(slot_high) << 16;
            let value = (u32::from(low) | u32::from(high) << 16) as i32;
            let (cell, attribute) = (slot / rules.n_attributes, slot % rules.n_attributes);
            let (cell, attribute) = (CellId(cell as u16), AttributeId(attribute as u16));
            self.set_attribute(rules, &mut log, cell, attribute, value);
        }
        let continuation = continuation.map_or(ContinuationId::NONE, ContinuationId);
        let chain = continuation.is_some().then(|| Chain {
            cell: cell.map_or(CellId::NONE, CellId),
            continuation,
        });
        self.change_turn(rules, turn.unwrap_or(0), chain);
        let square = |number: Option<u16>| number.map_or(CellId::NONE, CellId);
        self.change_last_move(rules, square(last_from), square(last_to));
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::builtin::{self, BuiltInLoader};
    use crate::load::RuleFile;
    use crate::play::playout::below;
    use crate::state::MoveList;

    #[test]
    fn states_come_back_as_they_were_packed() {
        for game in builtin::games() {
            let mut file = RuleFile::read(game.file, game.bytes, &mut BuiltInLoader);
            let rules = std::sync::Arc::new(file.compile(0).rules.unwrap());
            let base = State::start(&rules);
            let mut session = crate::Session::new(std::sync::Arc::clone(&rules));
            let mut random = ChaCha8Rng::seed_from_u64(1);
            let (mut moves, mut bytes, mut copy) = (MoveList::new(), Vec::new(), base.clone());
            for _ in 0..60 {
                if session.legal_moves(&mut moves).unwrap().is_some() {
                    break;
                }
                session.make(&moves, below(&mut random, moves.len())).unwrap();
                bytes.clear();
                session.state().pack(&base, &mut bytes);
                copy.unpack(&rules, &base, &bytes);
                assert_eq!(copy, *session.state(), "{}", game.name);
            }
        }
    }
}
