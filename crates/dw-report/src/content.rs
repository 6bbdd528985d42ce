//! What a section is made of, before any markup: HTML and Markdown are two ways to write the same blocks.

use dw_messages::{Label, Language, label};

use crate::chart::{Bars, Chart};

#[derive(Clone, Debug)]
pub struct Section {
    /// Its anchor; stays the same for good.
    pub id: &'static str,
    /// Its heading.
    pub title: String,
    /// What it says, in order.
    pub blocks: Vec<Block>,
    /// It is for looking up: a page shows its heading with this line, until somebody opens it.
    pub folded: Option<String>,
}

/// How grave something is; always said in a word next to its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// As it should be.
    Good,
    /// To be known.
    Note,
    /// To be looked at.
    Warning,
    /// Not to be relied on.
    Critical,
}

impl Level {
    /// Its class in the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Level::Good => "good",
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Critical => "critical",
        }
    }
    /// A letter of it.
    pub(crate) fn letter(self) -> &'static str {
        &self.class()[..1]
    }
    /// A sign next to the word, so that neither colour nor reading is needed.
    pub(crate) fn mark(self) -> &'static str {
        match self {
            Level::Good => "✓",
            Level::Note => "i",
            Level::Warning => "▲",
            Level::Critical => "✗",
        }
    }
    /// Where it stands among others: problems first, what is well before what is only to be known.
    pub fn rank(self) -> u8 {
        match self {
            Level::Critical => 0,
            Level::Warning => 1,
            Level::Good => 2,
            Level::Note => 3,
        }
    }
    pub fn word(self) -> Label {
        match self {
            Level::Good => label!("OK"),
            Level::Note => label!("Note"),
            Level::Warning => label!("Warning"),
            Level::Critical => label!("Problem"),
        }
    }
}

/// A part of a section.
#[derive(Clone, Debug)]
pub enum Block {
    /// A sentence or several.
    Text(String),
    /// A heading within the section.
    Heading(String),
    /// A sentence with its gravity.
    Said(Level, String),
    /// Sentences.
    List(Vec<String>),
    /// A few figures to know first: what, figure, remark.
    Figures(Vec<[String; 3]>),
    /// What to do, before anything else.
    Decision(Decision),
    /// What could go wrong, the gravest first.
    Doubts(Vec<(Level, String)>),
    /// What to do, one after the other: a sentence, and what to type for it.
    Steps(Vec<(String, Option<String>)>),
    /// Columns next to each other where there is room.
    Beside(Vec<Vec<Block>>),
    Table(Table),
    /// What finds rows of [`Block::Rows`]: the names of what its rows are of, by their numbers.
    Filter(Vec<String>),
    /// A table with more rows than are shown at once.
    Rows(Rows),
    /// A chart, with the table of what it shows.
    Chart(Chart, Table),
    /// Bars next to their names, with the table of what they show.
    Bars(Bars, Table),
    /// Limits on the way of a request, with the table of what it shows.
    Path(Path, Table),
    /// A text as it is.
    Code(String, String),
    /// What is not there, and the command that fills it.
    Missing(String, String),
}

/// What to do, and what it costs.
#[derive(Clone, Debug)]
pub struct Decision {
    pub level: Level,
    /// The state in a word or two.
    pub state: String,
    /// The decision in a sentence.
    pub said: String,
    /// What else is worth knowing at once.
    pub remark: Option<String>,
    /// Names in the sentence that are pointed out.
    pub strong: Vec<String>,
    /// What must hold, or what is not met.
    pub conditions: Vec<String>,
    /// The price: an amount, what it is for, and lines below it.
    pub price: Option<(String, String, Vec<String>)>,
}

/// Rows that a filter finds; without scripts the first of them are there.
#[derive(Clone, Debug)]
pub struct Rows {
    /// With the first rows.
    pub table: Table,
    pub all: Vec<Row>,
    /// The cell that says how grave a row is.
    pub graded: usize,
}

#[derive(Clone, Debug, Default)]
pub struct Row {
    pub cells: Vec<String>,
    pub level: Option<Level>,
    /// What it is of, by numbers of [`Block::Filter`] below ten, and how grave it is in that.
    pub kinds: Vec<(usize, Level)>,
    /// What it is found by and does not show.
    pub also: String,
}

#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// Headings; those of figures are flush right.
    pub head: Vec<Column>,
    /// Cells.
    pub rows: Vec<Vec<String>>,
    /// Rows to point out.
    pub marked: Vec<usize>,
    /// Cells that say how grave something is: row, column.
    pub levels: Vec<(usize, usize, Level)>,
}

#[derive(Clone, Debug)]
pub struct Column {
    /// Its heading.
    pub title: String,
    /// It holds figures.
    pub figures: bool,
}

impl Column {
    pub fn words(title: impl Into<String>) -> Column {
        Column { title: title.into(), figures: false }
    }
    pub fn figures(title: impl Into<String>) -> Column {
        Column { title: title.into(), figures: true }
    }
}

impl Table {
    /// A table with these headings; one that begins with `#` is of figures.
    pub fn new(lang: &Language, caption: impl Into<String>, head: &[Label]) -> Table {
        let column = |title: &Label| match title.without("#") {
            Some(title) => Column::figures(lang.label(title)),
            None => Column::words(lang.label(*title)),
        };
        Table::with_columns(caption, head.iter().map(column).collect())
    }

    /// A table with these columns.
    pub fn with_columns(caption: impl Into<String>, head: Vec<Column>) -> Table {
        Table { caption: caption.into(), head, ..Table::default() }
    }

    /// A cell as it is read: a figure with the marks of the language.
    pub(crate) fn shown(&self, place: usize, cell: &str, lang: &Language) -> String {
        let is_figure = self.head.get(place).is_some_and(|column| column.figures);
        if is_figure { lang.figure(cell) } else { cell.into() }
    }

    /// How grave it is what a cell says.
    pub(crate) fn level(&self, row: usize, column: usize) -> Option<Level> {
        self.levels.iter().find(|(r, c, _)| (*r, *c) == (row, column)).map(|(_, _, level)| *level)
    }

    /// One row more.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

/// The way of a volume's requests from the guest to the disks.
#[derive(Clone, Debug)]
pub struct Path {
    /// Whose way it is.
    pub title: String,
    /// In the order in which a request meets them.
    pub stages: Vec<Stage>,
}

/// A place on the way that lets only so much pass.
#[derive(Clone, Debug)]
pub struct Stage {
    pub name: String,
    /// For requests per second, for bytes per second, as far as there is a limit.
    pub pipes: Vec<Pipe>,
}

/// One limit of a stage.
#[derive(Clone, Debug)]
pub struct Pipe {
    /// What is asked of what it lets pass, with the unit.
    pub text: String,
    /// Share that is used, from 0; above 1 it is exceeded.
    pub used: f64,
    /// Its width next to the widest of its unit on this way, from 0 to 1.
    pub width: f64,
    /// It is the narrowest of all on this way.
    pub narrowest: bool,
}
