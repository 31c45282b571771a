//! Threads that work off numbered tasks.

use std::ops::Range;
use std::panic;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Lets so many threads work off tasks, each with tools of its own; returns what came of each task, in order. Before each
/// task of the first thread its number is told.
pub fn work_off<C, T: Send>(
    n_threads: usize,
    tasks: Range<u64>,
    begin: impl Fn() -> C + Sync,
    work: impl Fn(&mut C, u64) -> T + Sync,
    mut tell: impl FnMut(u64),
) -> Vec<T> {
    let next = AtomicU64::new(tasks.start);
    let take_part = |tell: &mut dyn FnMut(u64)| {
        let mut tools = begin();
        let mut results = Vec::new();
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= tasks.end {
                return results;
            }
            tell(task);
            results.push((task, work(&mut tools, task)));
        }
    };
    let mut results = thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads).map(|_| scope.spawn(|| take_part(&mut |_| {}))).collect();
        let mut results = take_part(&mut tell);
        for other in others {
            match other.join() {
                Ok(more) => results.extend(more),
                Err(payload) => panic::resume_unwind(payload),
            }
        }
        results
    });
    results.sort_by_key(|(task, _)| *task);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_of_tasks_is_in_order() {
        for n_threads in [1, 3] {
            let mut told = Vec::new();
            let squares = work_off(n_threads, 5..205, || 0, |_, task| task * task, |task| told.push(task));
            assert!(squares.iter().copied().eq((5..205).map(|task| task * task)));
            // The other threads may leave the first nothing to do.
            assert!(told.is_sorted() && (n_threads > 1 || told.len() == 200));
        }
        assert!(work_off(2, 3..3, || (), |(), task| task, |_| {}).is_empty());
    }
}
