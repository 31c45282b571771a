//! Strings that people read.

/// Turns a display string (a title, a description, …) into the text that is shown.
///
/// A backslash is a line break, a line end in the file with the blanks around it is one blank, and a grave accent is
/// shown as a double quote, which a string cannot contain.
///
/// ```
/// use ludex::expand::display_text;
/// assert_eq!(display_text("Take `all`\n    the men.\\\\Win."), "Take \"all\" the men.\n\nWin.");
/// ```
pub fn display_text(text: &str) -> String {
    let paragraphs = text.split('\\').map(|line| {
        let pieces: Vec<&str> = line.split(['\n', '\r']).collect();
        match pieces.as_slice() {
            [single] => (*single).to_string(),
            pieces => {
                let trimmed: Vec<&str> = pieces
                    .iter()
                    .map(|piece| piece.trim())
                    .filter(|p| !p.is_empty())
                    .collect();
                trimmed.join(" ")
            }
        }
    });
    paragraphs
        .collect::<Vec<String>>()
        .join("\n")
        .replace('`', "\"")
        .trim()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_quotes_and_indentation() {
        assert_eq!(display_text("a\\b"), "a\nb");
        assert_eq!(display_text("a\\\\b"), "a\n\nb");
        assert_eq!(display_text("a  \n\t b"), "a b");
        assert_eq!(display_text("a\\\n   b"), "a\nb");
        assert_eq!(display_text("`a`"), "\"a\"");
        assert_eq!(display_text("a  b"), "a  b");
    }
}
