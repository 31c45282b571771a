//! What is written for people is kept in the model, for the interfaces that show it.

use ludex::RuleFile;
use ludex::expand::NoIncludes;

#[test]
fn texts_sounds_and_pictures_are_kept() {
    let source = include_bytes!("language/texts.zrf");
    let mut file = RuleFile::read("texts.zrf", source, &mut NoIncludes);
    let compiled = file.compile(0);
    assert_eq!(compiled.diagnostics, []);
    let model = compiled.rules.unwrap().model;
    let texts = &model.texts;
    assert_eq!(
        texts.description.as_deref(),
        Some("One man walks.\nThere is nobody else.")
    );
    assert_eq!(texts.history.as_deref(), Some("Made up for this test."));
    assert_eq!(texts.strategy.as_deref(), Some("Walk. Say \"done\"."));
    assert_eq!(texts.solution.as_deref(), Some("try.zsg"));
    assert_eq!(texts.sounds.len(), 11);
    assert_eq!(texts.sounds[0], ("music".to_owned(), "walk.mid".to_owned()));
    assert!(texts.sounds.contains(&("move-sound".to_owned(), String::new())));
    let options: Vec<&str> = texts.options.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        options,
        [
            "animate captures",
            "smart moves",
            "silent ? moves",
            "animate drops",
            "allow flipping"
        ]
    );
    assert_eq!(model.board.images, ["board.bmp", "other.bmp"]);
    let man = &model.kinds[0];
    assert_eq!(
        man.images,
        [("A".to_owned(), vec!["a.bmp".to_owned(), "b.bmp".to_owned()])]
    );
    assert_eq!(man.help.as_deref(), Some("Walks east"));
    assert_eq!(man.description.as_deref(), Some("A walker"));
    assert_eq!(
        (man.notation.as_deref(), man.open.as_deref()),
        (Some("M"), Some("man.txt"))
    );
    assert_eq!(file.expander_mut().translations().len(), 1);
}
