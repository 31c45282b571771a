//! Standard output, JSON, files replaced whole, and progress on standard error.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::failure::{Failure, Result};

/// Returns standard output, which drops colours where they are not wanted.
pub fn stdout() -> impl Write {
    anstream::stdout().lock()
}

/// Writes a file, which holds either what it held before or the whole text, whenever the program ends.
pub fn replace_file(path: &Path, text: &str) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        // As any new file, not as a secret one.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Writes a JSON document.
pub fn json(value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Failure::wrong(format!("the result cannot be written as JSON: {error}")))?;
    writeln!(stdout(), "{text}")?;
    Ok(())
}

/// Writes a remark on standard error; it is no reason to fail if that does not work.
pub fn remark(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// A map that is written in the order of its entries.
#[derive(Clone, Debug, Default)]
pub struct OrderedMap<T>(pub Vec<(String, T)>);

impl<T: Serialize> Serialize for OrderedMap<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Rounds seconds to what is worth writing.
pub fn seconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e6
}

/// Returns how many in a second.
pub fn rate(count: u64, duration: Duration) -> u64 {
    let seconds = duration.as_secs_f64();
    if seconds > 0.0 {
        (count as f64 / seconds) as u64
    } else {
        0
    }
}

/// Writes a number with its thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How long work goes on before its progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a line of progress stands.
const INTERVAL: Duration = Duration::from_millis(200);

/// Shows how far long work is, on a terminal only.
#[derive(Debug)]
pub struct Progress {
    is_shown: bool,
    next: Instant,
    has_line: bool,
}

impl Progress {
    /// Begins the work.
    pub fn new() -> Progress {
        Progress {
            is_shown: std::io::stderr().is_terminal(),
            next: Instant::now() + PATIENCE,
            has_line: false,
        }
    }

    /// Shows how far the work is, if it is time to.
    pub fn show(&mut self, text: impl FnOnce() -> String) {
        if self.is_shown && Instant::now() >= self.next {
            let _ = write!(std::io::stderr(), "\r\x1b[K{}", text());
            self.has_line = true;
            self.next = Instant::now() + INTERVAL;
        }
    }

    /// Takes the line away, so that something else can be written.
    pub fn clear(&mut self) {
        if self.has_line {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
            self.has_line = false;
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
