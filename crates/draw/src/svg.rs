//! A view of a game as an SVG picture.

use std::fmt::Write;

use stoa_rules::Game;
use stoa_rules::view::View;

use crate::Marks;
use crate::diagram::{self, PAPER};
use crate::shapes::{Paint, Point, Segment, Shape};

/// Draws a board.
pub fn draw(game: Game, view: &View, marks: &Marks) -> String {
    let picture = diagram::draw(game, view, marks);
    let info = game.info();
    let mut svg = String::new();
    let (width, height) = (picture.width, picture.height);
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" text-anchor=\"middle\" stroke-linejoin=\"round\">\n\
         <title>{} by {}</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"14\" fill=\"{PAPER}\"/>\n",
        info.name, info.designer
    );
    for shape in &picture.shapes {
        write_shape(&mut svg, shape);
    }
    svg.push_str("</svg>\n");
    svg
}

fn write_shape(svg: &mut String, shape: &Shape) {
    let _ = match shape {
        Shape::Rect { at: (x, y), size: (width, height), radius, paint } => writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{radius}\"{}/>",
            attributes(*paint)
        ),
        Shape::Circle { centre: (x, y), radius, paint } => writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"{}/>",
            attributes(*paint)
        ),
        Shape::Path { segments, paint } => {
            writeln!(svg, "<path d=\"{}\"{}/>", path_data(segments), attributes(*paint))
        }
        Shape::Text { at: (x, y), size, fill, text } => writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{fill}\">{text}</text>"
        ),
    };
}

fn attributes(Paint { fill, stroke }: Paint) -> String {
    let mut text = format!(" fill=\"{}\"", fill.unwrap_or("none"));
    if let Some((colour, width)) = stroke {
        let _ = write!(text, " stroke=\"{colour}\" stroke-width=\"{width}\"");
    }
    text
}

fn path_data(segments: &[Segment]) -> String {
    let at = |(x, y): Point| format!("{x:.1} {y:.1}");
    let words = segments.iter().map(|segment| match *segment {
        Segment::Move(to) => format!("M{}", at(to)),
        Segment::Line(to) => format!("L{}", at(to)),
        Segment::Cubic(a, b, to) => format!("C{} {} {}", at(a), at(b), at(to)),
        Segment::Close => "z".to_owned(),
    });
    words.collect()
}
