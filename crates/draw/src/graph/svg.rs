//! The graph as an SVG picture.

use std::fmt::Write;

use stoa_engine::review::Class;
use stoa_rules::Side;

use super::{Graph, shortened};
use crate::looks::{self, SideColour};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 430.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = WIDTH - 30.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = HEIGHT - 96.0;

/// Colours that follow the reader's choice of light or dark; the attributes of the elements are
/// for programs that do not read style sheets.
const STYLE: &str = "<style>\
.card{fill:#f4ede0}.ink{fill:#4a4136}.soft{fill:#6b5d4a}.rule{stroke:#8a7a5c}\
@media (prefers-color-scheme:dark){\
.card{fill:#26221d}.ink{fill:#efe6d6}.soft{fill:#c9bca6}.rule{stroke:#a8987a}}\
</style>";

/// The graph as a picture.
pub fn svg(graph: &Graph) -> String {
    let mut svg = String::new();
    let first = graph.name(Side::First);
    let info = graph.game.info();
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" \
         aria-labelledby=\"stoa-review-title stoa-review-desc\" \
         font-family=\"system-ui, sans-serif\" text-anchor=\"middle\">\n\
         <title id=\"stoa-review-title\">A game of {} by {}</title>\n\
         <desc id=\"stoa-review-desc\">{}</desc>\n{STYLE}\n\
         <rect class=\"card\" width=\"100%\" height=\"100%\" rx=\"14\" fill=\"#f4ede0\"/>\n",
        info.name,
        info.designer,
        description(graph)
    );
    heading(&mut svg, graph);
    shares(&mut svg, graph);
    axes(&mut svg, graph, first);
    for mark in &graph.marks {
        if let Some(&value) = graph.curve.get(mark.index) {
            let at = (x(graph, mark.index), y(value));
            let title = format!("<title>{}</title>", escaped(&mark.text));
            sign(&mut svg, at, mark.class, &title, sign_radius(graph));
        }
    }
    legend(&mut svg);
    svg.push_str("</svg>\n");
    svg
}

/// The graph in words, for people who cannot see it.
fn description(graph: &Graph) -> String {
    let percent = |value: Option<&f64>| 100.0 * value.copied().unwrap_or(0.5);
    let mut text = format!(
        "How likely {} wins after each of {} moves: {:.0} % at first, {:.0} % at the end.",
        graph.name(Side::First),
        graph.moves(),
        percent(graph.curve.first()),
        percent(graph.curve.last())
    );
    for mark in graph.marks.iter().filter(|mark| mark.class >= Class::Mistake) {
        text.push(' ');
        text.push_str(&escaped(&mark.text));
    }
    text
}

fn x(graph: &Graph, index: usize) -> f64 {
    LEFT + (RIGHT - LEFT) * index as f64 / graph.moves().max(1) as f64
}

fn y(value: f64) -> f64 {
    BOTTOM - (BOTTOM - TOP) * value
}

fn heading(svg: &mut String, graph: &Graph) {
    let name = graph.game.info().name;
    words(svg, (LEFT, 38.0), "start", 22, "ink", name);
    let players = Side::BOTH.map(|side| {
        let (fill, stroke) = looks::of(graph.game).colours[side.index()].in_pictures();
        let player = graph.players[side.index()].as_deref();
        let label = player.map_or(String::new(), |player| format!(": {}", shortened(player)));
        // A sign within the text needs no measuring of it.
        format!(
            "<tspan fill=\"{fill}\" stroke=\"{stroke}\" font-size=\"20\">●</tspan> {}{}",
            graph.name(side),
            escaped(&label)
        )
    });
    words(svg, (RIGHT, 37.0), "end", 15, "ink", &players.join("&#160;&#160; "));
}

/// The first player's share below the curve, the other's above.
fn shares(svg: &mut String, graph: &Graph) {
    let [(first, _), (second, _)] = looks::of(graph.game).colours.map(SideColour::in_pictures);
    let (width, height) = (RIGHT - LEFT, BOTTOM - TOP);
    let mut curve = String::new();
    for (index, &value) in graph.curve.iter().enumerate() {
        let _ = write!(curve, "{:.1} {:.1} ", x(graph, index), y(value));
    }
    let curve = curve.trim_end();
    let _ = writeln!(
        svg,
        "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" height=\"{height}\" fill=\"{second}\"/>\n\
         <path d=\"M{LEFT} {BOTTOM} L{curve} {RIGHT} {BOTTOM}z\" fill=\"{first}\"/>\n\
         <path d=\"M{curve}\" fill=\"none\" stroke=\"#e08a2c\" stroke-width=\"2.5\" \
         stroke-linejoin=\"round\"/>"
    );
}

fn axes(svg: &mut String, graph: &Graph, first: &str) {
    for value in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let at = y(value);
        let dash = if value == 0.5 { "" } else { " stroke-dasharray=\"2 6\"" };
        let _ = writeln!(
            svg,
            "<path class=\"rule\" d=\"M{LEFT} {at:.1}H{RIGHT}\" stroke=\"#8a7a5c\" stroke-width=\"1\"{dash}/>"
        );
        words(svg, (LEFT - 8.0, at + 5.0), "end", 14, "soft", &format!("{:.0} %", 100.0 * value));
    }
    let middle = (TOP + BOTTOM) / 2.0;
    let _ = writeln!(
        svg,
        "<text class=\"ink\" transform=\"translate(22 {middle:.1}) rotate(-90)\" font-size=\"15\" \
         fill=\"#4a4136\">{first} wins</text>"
    );
    for (round, index) in graph.rounds(20) {
        let at = x(graph, index);
        let _ = writeln!(
            svg,
            "<path class=\"rule\" d=\"M{at:.1} {BOTTOM}v6\" stroke=\"#8a7a5c\" stroke-width=\"1\"/>"
        );
        words(svg, (at, BOTTOM + 26.0), "middle", 14, "soft", &round.to_string());
    }
    words(svg, ((LEFT + RIGHT) / 2.0, BOTTOM + 48.0), "middle", 15, "ink", "move");
}

/// Signs are smaller where there are many moves.
fn sign_radius(graph: &Graph) -> f64 {
    ((RIGHT - LEFT) / graph.moves().max(1) as f64).clamp(7.0, 11.0)
}

/// A disc with the sign that records put after such a move, so that colour is not needed.
fn sign(svg: &mut String, (x, y): (f64, f64), class: Class, title: &str, radius: f64) {
    let (fill, ink) = match class {
        Class::Blunder => ("#b3261e", "#ffffff"),
        Class::Mistake => ("#e07a1f", "#1d1a16"),
        _ => ("#f2c84b", "#1d1a16"),
    };
    let _ = writeln!(
        svg,
        "<g>{title}<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" \
         stroke=\"#1d1a16\" stroke-width=\"1\"/>\
         <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{:.1}\" font-weight=\"bold\" fill=\"{ink}\">{}</text></g>",
        y + radius * 0.4,
        radius * 1.2,
        class.glyph()
    );
}

fn legend(svg: &mut String) {
    let at = HEIGHT - 22.0;
    let mut from = LEFT + 11.0;
    for class in [Class::Inaccuracy, Class::Mistake, Class::Blunder] {
        sign(svg, (from, at - 5.0), class, "", 11.0);
        words(svg, (from + 18.0, at), "start", 14, "soft", class.word());
        from += 130.0;
    }
}

fn words(svg: &mut String, (x, y): (f64, f64), anchor: &str, size: u8, class: &str, text: &str) {
    let fill = if class == "ink" { "#4a4136" } else { "#6b5d4a" };
    let _ = writeln!(
        svg,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" \
         font-size=\"{size}\" fill=\"{fill}\">{text}</text>"
    );
}

/// Text as XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
