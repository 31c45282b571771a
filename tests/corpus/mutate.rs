//! Damages rule text in the ways in which files get damaged.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// Bytes that mean something to the reader of brackets.
const TELLING_BYTES: &[u8] = b"()\";$ \n\\/?-19\0\xa0\xff";

/// A random number below `limit`; a little uneven, which does not matter here.
pub fn below(random: &mut ChaCha8Rng, limit: usize) -> usize {
    (random.next_u64() % limit.max(1) as u64) as usize
}

/// Cuts the text off at a random byte.
pub fn truncate(bytes: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    bytes[..below(random, bytes.len() + 1)].to_vec()
}

/// Overwrites a few bytes.
pub fn overwrite(bytes: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + below(random, 8) {
        let at = below(random, bytes.len());
        let byte = match below(random, 2) {
            0 => TELLING_BYTES[below(random, TELLING_BYTES.len())],
            _ => below(random, 256) as u8,
        };
        if let Some(old) = bytes.get_mut(at) {
            *old = byte;
        }
    }
    bytes
}

/// Deletes, duplicates, exchanges or replaces a few words, strings and brackets, or whole lists.
pub fn shuffle_tokens(bytes: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let mut tokens = tokens(&text);
    for _ in 0..1 + below(random, 4) {
        let (one, other) = (below(random, tokens.len()), below(random, tokens.len()));
        if tokens.is_empty() {
            break;
        }
        match below(random, 5) {
            0 => drop(tokens.remove(one)),
            1 => tokens.insert(other, tokens[one]),
            2 => tokens.swap(one, other),
            3 => tokens[one] = tokens[other],
            // A whole list goes elsewhere.
            _ => {
                let list: Vec<&str> = list_at(&tokens, one).to_vec();
                drop(tokens.splice(other..other, list));
            }
        }
    }
    tokens.join(" ").into_bytes()
}

/// Replaces a few words by others that occur in the text, so that most of it stays right.
pub fn replace_words(bytes: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let mut tokens = tokens(&text);
    let is_word = |token: &&str| !token.starts_with(['(', ')', '"']);
    let words: Vec<usize> = (0..tokens.len()).filter(|&index| is_word(&tokens[index])).collect();
    for _ in 0..1 + below(random, 3) {
        if let (Some(&one), Some(&other)) = (
            words.get(below(random, words.len())),
            words.get(below(random, words.len())),
        ) {
            tokens[one] = tokens[other];
        }
    }
    tokens.join(" ").into_bytes()
}

/// Splits rule text into brackets, strings and words; comments are left out.
pub fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' | ')' => 1,
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            ';' => rest.find('\n').unwrap_or(rest.len()),
            _ if first.is_whitespace() => first.len_utf8(),
            _ => {
                let ends = |letter: char| letter.is_whitespace() || "()\";".contains(letter);
                rest.find(ends).unwrap_or(rest.len())
            }
        };
        let (token, after) = rest.split_at(length);
        if !first.is_whitespace() && first != ';' {
            tokens.push(token);
        }
        rest = after;
    }
    tokens
}

/// Returns the list that begins at a token, or the token.
fn list_at<'a, 't>(tokens: &'a [&'t str], start: usize) -> &'a [&'t str] {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match *token {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return &tokens[start..=index];
        }
    }
    &tokens[start..start + 1]
}
