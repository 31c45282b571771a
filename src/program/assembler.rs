//! Builds code with labels that are bound later.

use super::op::ShapeQuestion;
use super::{Address, Ask, ClassMask, Op, TestId};
use crate::model::Site;

/// A place in the code that jumps can name before it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(u32);

/// Collects operations and fills in jump targets.
#[derive(Debug, Default)]
pub struct Assembler {
    ops: Vec<Op>,
    sites: Vec<(Address, Site)>,
    /// For each label its address, `Address::MAX` until bound. Targets hold label numbers until [`Assembler::finish_block`].
    labels: Vec<Address>,
    block_start: usize,
}

impl Assembler {
    /// Creates an assembler without code.
    pub fn new() -> Assembler {
        Assembler::default()
    }

    /// Returns the address of the next operation.
    pub fn here(&self) -> Address {
        self.ops.len() as Address
    }

    /// Makes a label to be bound later.
    pub fn label(&mut self) -> Label {
        self.labels.push(Address::MAX);
        Label(self.labels.len() as u32 - 1)
    }

    /// Binds `label` to the next operation.
    pub fn bind(&mut self, label: Label) {
        self.labels[label.0 as usize] = self.here();
    }

    /// Appends an operation written at `site`.
    pub fn emit(&mut self, op: Op, site: Site) {
        if self.sites.last().is_none_or(|&(_, last)| last != site) {
            self.sites.push((self.here(), site));
        }
        self.ops.push(op);
    }

    /// Appends an operation that jumps to `label`; its `target` operand is overwritten.
    pub fn emit_jump(&mut self, mut op: Op, label: Label, site: Site) {
        if let Some(target) = op.target_mut() {
            *target = label.0;
        }
        self.emit(op, site);
    }

    /// Closes a block: every label made since the last block is resolved.
    ///
    /// # Panics
    /// When a label was never bound, a mistake of the compiler.
    pub fn finish_block(&mut self) {
        for op in &mut self.ops[self.block_start..] {
            if let Some(target) = op.target_mut() {
                let address = self.labels[*target as usize];
                assert!(
                    address != Address::MAX,
                    "invariant: every label is bound before its block is closed"
                );
                *target = address;
            }
        }
        self.labels.clear();
        self.block_start = self.ops.len();
    }

    /// Tells whether the code at `address` begins with a test that ends the run on an occupied cell.
    pub fn begins_with_empty_check(&self, address: Address) -> bool {
        let Op::IfClass {
            ask: Ask::NotHere,
            mask: ClassMask::EMPTY,
            target,
        } = self.ops[address as usize]
        else {
            return false;
        };
        self.ops[target as usize] == Op::End
    }

    /// Returns the tests of the cells of a shape with which the code at `address` begins, each of which ends the run.
    pub fn shape_tests(&self, address: Address) -> Vec<(ShapeQuestion, TestId)> {
        let tests = self.ops[address as usize..].iter().map_while(|op| match *op {
            Op::IfShape { question, test, target } if self.ops[target as usize] == Op::End => Some((question, test)),
            _ => None,
        });
        tests.collect()
    }

    /// Returns the code and its sites.
    pub fn finish(self) -> (Vec<Op>, Vec<(Address, Site)>) {
        (self.ops, self.sites)
    }
}
