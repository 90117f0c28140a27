//! A grid of characters with colours, and what a click on each of them means.

use stoa_rules::Step;

use crate::board::Charset;

/// How a character looks. Colours are numbers of the 256-colour palette that terminals share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// The colour of the character; the terminal's own if there is none.
    pub fg: Option<u8>,
    /// The colour behind it; the terminal's own if there is none.
    pub bg: Option<u8>,
    /// Whether it is bold.
    pub bold: bool,
    /// Whether it is underlined.
    pub underline: bool,
    /// Whether the two colours change places.
    pub reversed: bool,
}

impl Style {
    pub(crate) const fn fg(fg: u8) -> Style {
        Style { fg: Some(fg), bg: None, bold: false, underline: false, reversed: false }
    }

    pub(crate) const fn bg(bg: u8) -> Style {
        Style { fg: None, bg: Some(bg), bold: false, underline: false, reversed: false }
    }

    #[must_use]
    pub(crate) const fn bold(self) -> Style {
        Style { bold: true, ..self }
    }

    /// This style where it says something, the other where it does not.
    #[must_use]
    pub(crate) fn over(self, below: Style) -> Style {
        Style {
            fg: self.fg.or(below.fg),
            bg: self.bg.or(below.bg),
            bold: self.bold || below.bold,
            underline: self.underline || below.underline,
            reversed: self.reversed || below.reversed,
        }
    }

    /// The codes that switch a terminal to this style.
    fn codes(self) -> String {
        let mut codes = String::from("\x1b[0");
        for (on, code) in [(self.bold, ";1"), (self.underline, ";4"), (self.reversed, ";7")] {
            if on {
                codes.push_str(code);
            }
        }
        if let Some(fg) = self.fg {
            codes.push_str(&format!(";38;5;{fg}"));
        }
        if let Some(bg) = self.bg {
            codes.push_str(&format!(";48;5;{bg}"));
        }
        codes.push('m');
        codes
    }
}

/// A rectangle of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) x: usize,
    pub(crate) y: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// A grid of characters.
#[derive(Debug, Clone)]
pub struct Canvas {
    pub(crate) width: usize,
    pub(crate) height: usize,
    cells: Vec<(char, Style)>,
    clicks: Vec<Option<Step>>,
}

impl Canvas {
    pub(crate) fn new(width: usize, height: usize) -> Canvas {
        Canvas {
            width,
            height,
            cells: vec![(' ', Style::default()); width * height],
            clicks: vec![None; width * height],
        }
    }

    /// How many characters wide it is.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many lines it has.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Writes text; what falls outside is left out, and colours not given stay as they are.
    pub(crate) fn text(&mut self, x: usize, y: usize, text: &str, style: Style) {
        if y >= self.height {
            return;
        }
        for (x, c) in (x..self.width).zip(text.chars()) {
            let cell = &mut self.cells[y * self.width + x];
            *cell = (c, style.over(cell.1));
        }
    }

    /// Adds lines of text below what is there.
    pub(crate) fn append_text(&mut self, text: &str, style: Style) {
        for line in text.split('\n') {
            self.grow(1);
            self.text(0, self.height - 1, line, style);
        }
    }

    /// Adds another canvas below what is there, `indent` from the left.
    pub(crate) fn append(&mut self, other: &Canvas, indent: usize) {
        let top = self.height;
        self.grow(other.height);
        for y in 0..other.height {
            for x in 0..other.width.min(self.width.saturating_sub(indent)) {
                self.cells[(top + y) * self.width + indent + x] = other.cell(x, y);
            }
        }
    }

    /// Adds an empty line, unless there is one already.
    pub(crate) fn gap(&mut self) {
        let last = self.cells.len().saturating_sub(self.width);
        if self.cells[last..].iter().any(|cell| *cell != (' ', Style::default())) {
            self.grow(1);
        }
    }

    fn grow(&mut self, lines: usize) {
        self.height += lines;
        self.cells.resize(self.width * self.height, (' ', Style::default()));
        self.clicks.resize(self.width * self.height, None);
    }

    /// Lays a style over an area without changing its characters.
    pub(crate) fn paint(&mut self, area: Area, style: Style) {
        self.each(area, |cell, _| cell.1 = style.over(cell.1));
    }

    /// A click into the area stands for `step`.
    pub(crate) fn set_click(&mut self, area: Area, step: Step) {
        self.each(area, |_, click| *click = Some(step));
    }

    /// What a click on a place stands for.
    pub fn click(&self, x: usize, y: usize) -> Option<Step> {
        if x < self.width && y < self.height { self.clicks[y * self.width + x] } else { None }
    }

    /// Every step that a click can stand for, each with the middle of its place.
    pub fn places(&self) -> Vec<(Step, f64, f64)> {
        let mut sums: std::collections::BTreeMap<Step, (f64, f64, f64)> = Default::default();
        for (index, step) in self.clicks.iter().enumerate() {
            if let Some(step) = step {
                let (x, y, n) = sums.entry(*step).or_default();
                *x += (index % self.width) as f64;
                *y += (index / self.width) as f64;
                *n += 1.0;
            }
        }
        sums.into_iter().map(|(step, (x, y, n))| (step, x / n, y / n)).collect()
    }

    /// Where a step is: the first place that stands for it.
    pub fn place_of(&self, step: Step) -> Option<(usize, usize)> {
        let index = self.clicks.iter().position(|click| *click == Some(step))?;
        Some((index % self.width, index / self.width))
    }

    /// A character and its style.
    ///
    /// # Panics
    /// If the place is outside the canvas.
    pub fn cell(&self, x: usize, y: usize) -> (char, Style) {
        self.cells[y * self.width + x]
    }

    fn each(&mut self, area: Area, mut change: impl FnMut(&mut (char, Style), &mut Option<Step>)) {
        for y in area.y..(area.y + area.height).min(self.height) {
            for x in area.x..(area.x + area.width).min(self.width) {
                let index = y * self.width + x;
                change(&mut self.cells[index], &mut self.clicks[index]);
            }
        }
    }

    /// The lines as plain text, without spaces at their ends.
    pub fn plain(&self) -> String {
        let line = |row: &[(char, Style)]| {
            let line: String = row.iter().map(|(c, _)| *c).collect();
            format!("{}\n", line.trim_end())
        };
        self.cells.chunks(self.width.max(1)).map(line).collect()
    }

    /// The lines for a character set: with colour codes, or without.
    pub fn render(&self, charset: Charset) -> String {
        if charset == Charset::Colour { self.ansi() } else { self.plain() }
    }

    /// The lines with the codes that colour them in a terminal.
    pub fn ansi(&self) -> String {
        let mut text = String::new();
        for row in self.cells.chunks(self.width.max(1)) {
            let mut current = Style::default();
            let blank = |cell: &&(char, Style)| **cell == (' ', Style::default());
            let length = row.len() - row.iter().rev().take_while(blank).count();
            for (c, style) in &row[..length] {
                if *style != current {
                    text.push_str(&style.codes());
                    current = *style;
                }
                text.push(*c);
            }
            text.push_str(if current == Style::default() { "\n" } else { "\x1b[0m\n" });
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_outside() {
        let mut canvas = Canvas::new(3, 1);
        canvas.text(2, 0, "abc", Style::default());
        canvas.text(0, 7, "abc", Style::default());
        canvas.paint(Area { x: 2, y: 0, width: 9, height: 9 }, Style::bg(1));
        assert_eq!(canvas.plain(), "  a\n");
        assert_eq!(canvas.ansi(), "  \x1b[0;48;5;1ma\x1b[0m\n");
        assert_eq!(canvas.click(9, 9), None);
    }
}
