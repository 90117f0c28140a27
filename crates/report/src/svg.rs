//! Charts as pictures. Every mark has a title that says its figures.

use std::fmt::Write as _;

use stoa_engine::matches::Bounded;

use crate::document::{Chart, ChartKind};
use crate::figures::CellUse;
use crate::html::escaped;
use crate::words::{grouped, number, percent};

const WIDTH: f64 = 640.0;
/// How wide the labels of bars are.
const LABELS: f64 = 130.0;
/// How high a bar is, with its gap.
const BAR: f64 = 24.0;
/// How high charts of a course are.
const HEIGHT: f64 = 200.0;

/// The picture of a chart.
pub fn svg(chart: &Chart) -> String {
    match &chart.kind {
        ChartKind::Bars(bars, even, shares) => bar_chart(&chart.title, bars, *even, *shares),
        ChartKind::Course(points, shares) => course(&chart.title, points, *shares),
        ChartKind::Histogram(counts, from, width) => histogram(&chart.title, counts, *from, *width),
        ChartKind::Board(cells) => board(&chart.title, cells),
    }
}

fn picture(title: &str, width: f64, height: f64, inside: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{}\">{inside}</svg>",
        escaped(title)
    )
}

fn figure(bounded: &Bounded, shares: bool) -> String {
    if shares { percent(bounded) } else { number(bounded) }
}

fn bar_chart(title: &str, bars: &[(String, Bounded)], even: Option<f64>, shares: bool) -> String {
    let top = bars.iter().map(|(_, bar)| bar.high).fold(even.unwrap_or(0.0), f64::max);
    let top = if shares { 1.0 } else { top.max(1e-9) * 1.1 };
    let room = WIDTH - LABELS - 100.0;
    let x = |value: f64| LABELS + room * (value / top).clamp(0.0, 1.0);
    let height = BAR * bars.len() as f64 + 8.0;
    let mut inside = String::new();
    for (place, (label, bar)) in bars.iter().enumerate() {
        let y = BAR * place as f64 + 4.0;
        let (middle, words) = (y + 9.0, figure(bar, shares));
        let _ = write!(
            inside,
            "<g><title>{0}: {words}</title><text x=\"{1}\" y=\"{2}\" text-anchor=\"end\">{0}</text>\
             <rect class=\"bar\" x=\"{LABELS}\" y=\"{y}\" width=\"{3:.1}\" height=\"18\"/>\
             <line class=\"whisker\" x1=\"{4:.1}\" x2=\"{5:.1}\" y1=\"{middle}\" y2=\"{middle}\"/>\
             <text x=\"{6:.1}\" y=\"{2}\">{words}</text></g>",
            escaped(label),
            LABELS - 6.0,
            y + 13.0,
            x(bar.value) - LABELS,
            x(bar.low),
            x(bar.high),
            x(bar.high) + 6.0,
        );
    }
    if let Some(even) = even {
        let _ = write!(
            inside,
            "<line class=\"even\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"0\" y2=\"{height}\"/>",
            x(even)
        );
    }
    picture(title, WIDTH, height, &inside)
}

fn course(title: &str, points: &[Bounded], shares: bool) -> String {
    let top = points.iter().map(|point| point.high).fold(1e-9, f64::max);
    let top = if shares { 1.0 } else { top * 1.05 };
    let (left, right) = (44.0, 12.0);
    let step = (WIDTH - left - right) / points.len().max(1) as f64;
    let x = |place: usize| left + step * (place as f64 + 0.5);
    let y = |value: f64| 8.0 + (HEIGHT - 32.0) * (1.0 - (value / top).clamp(0.0, 1.0));
    let path = |ends: &mut dyn Iterator<Item = (usize, f64)>| {
        ends.map(|(place, value)| format!("{:.1},{:.1}", x(place), y(value)))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let highs = points.iter().enumerate().map(|(place, point)| (place, point.high));
    let lows = points.iter().enumerate().rev().map(|(place, point)| (place, point.low));
    let band = path(&mut highs.chain(lows));
    let line = path(&mut points.iter().enumerate().map(|(place, point)| (place, point.value)));
    let mut inside = format!(
        "<polygon class=\"band\" points=\"{band}\"/><polyline class=\"course\" points=\"{line}\"/>\
         <line class=\"axis\" x1=\"{left}\" x2=\"{0}\" y1=\"{1:.1}\" y2=\"{1:.1}\"/>",
        WIDTH - right,
        y(0.0)
    );
    for mark in [0.0, top / 2.0, top] {
        let words = if shares { format!("{:.0} %", 100.0 * mark) } else { format!("{mark:.0}") };
        let _ = write!(
            inside,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{words}</text>",
            left - 6.0,
            y(mark) + 4.0
        );
    }
    for (place, point) in points.iter().enumerate() {
        let words = figure(point, shares);
        let part = place + 1;
        let _ = write!(
            inside,
            "<circle class=\"bar\" cx=\"{0:.1}\" cy=\"{1:.1}\" r=\"4\"><title>tenth {part}: {words}</title></circle>\
             <text x=\"{0:.1}\" y=\"{2}\" text-anchor=\"middle\">{part}</text>",
            x(place),
            y(point.value),
            HEIGHT - 6.0
        );
    }
    picture(title, WIDTH, HEIGHT, &inside)
}

fn histogram(title: &str, counts: &[u64], from: u32, width: u32) -> String {
    let top = counts.iter().copied().max().unwrap_or(1).max(1) as f64;
    let step = (WIDTH - 20.0) / counts.len().max(1) as f64;
    let bottom = HEIGHT - 24.0;
    let mut inside = String::new();
    // As many labels as there is room for.
    let every = counts.len().div_ceil(12).max(1);
    for (place, &count) in counts.iter().enumerate() {
        let (x, height) = (10.0 + step * place as f64, (bottom - 8.0) * count as f64 / top);
        let low = from + width * place as u32;
        let range =
            if width == 1 { low.to_string() } else { format!("{low} to {}", low + width - 1) };
        let _ = write!(
            inside,
            "<rect class=\"bar\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\">\
             <title>{range}: {}</title></rect>",
            bottom - height,
            (step - 2.0).max(1.0),
            grouped(count)
        );
        if place % every == 0 {
            let _ = write!(
                inside,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{low}</text>",
                x + step / 2.0,
                HEIGHT - 6.0
            );
        }
    }
    picture(title, WIDTH, HEIGHT, &inside)
}

fn board(title: &str, cells: &[CellUse]) -> String {
    const HALF: f64 = 14.0;
    let most = cells.iter().map(|cell| cell.used).fold(1e-9, f64::max);
    let right = cells.iter().map(|cell| cell.x).max().unwrap_or(0);
    let top = cells.iter().map(|cell| cell.y).max().unwrap_or(0);
    let mut inside = String::new();
    for cell in cells {
        let (x, y) = (HALF * f64::from(cell.x + 1), HALF * f64::from(top - cell.y + 1));
        let _ = write!(
            inside,
            "<g><title>{}: {:.2} %</title><circle class=\"place\" cx=\"{x}\" cy=\"{y}\" r=\"{2}\"/>\
             <circle class=\"cell\" cx=\"{x}\" cy=\"{y}\" r=\"{3:.2}\"/></g>",
            escaped(&cell.name),
            100.0 * cell.used,
            HALF - 1.0,
            (HALF - 1.0) * (cell.used / most).sqrt()
        );
    }
    let size = |end: i16| HALF * f64::from(end + 2);
    picture(title, size(right), size(top), &inside)
}
