//! Measurements over time as SVG.

/// The size of a chart, and the room for its numbers.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 180.0;
const MARGIN: f64 = 56.0;

/// A chart of values over time: each is a time in seconds and a value.
pub(crate) fn chart(title: &str, unit: &str, values: &[(f64, f64)], warm_up: f64) -> String {
    let end = values.iter().map(|(at, _)| *at).fold(1.0, f64::max);
    let largest = values.iter().map(|(_, value)| *value).fold(0.0, f64::max);
    // A little room above, so that a flat line is not taken for the frame.
    let top = if largest > 0.0 { largest * 1.15 } else { 1.0 };
    let x = |at: f64| MARGIN + at / end * (WIDTH - MARGIN - 8.0);
    let y = |value: f64| HEIGHT - 24.0 - value / top * (HEIGHT - 48.0);
    let points: Vec<String> =
        values.iter().map(|(at, value)| format!("{:.1},{:.1}", x(*at), y(*value))).collect();
    let (left, right, bottom) = (x(0.0), x(end), y(0.0));
    let label = |value: f64| if top < 10.0 { format!("{value:.1}") } else { format!("{value:.0}") };
    let (line, warm) = (y(largest), x(warm_up.min(end)));
    format!(
        r##"<figure><figcaption>{title} ({unit})</figcaption>
<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img" aria-label="{title}">
<rect x="{left:.1}" y="20" width="{:.1}" height="{:.1}" fill="#0001"/>
<path d="M{left:.1} {bottom:.1}H{right:.1}M{left:.1} {line:.1}H{right:.1}" stroke="#8888" fill="none"/>
<polyline points="{}" fill="none" stroke="#1f5c6b" stroke-width="1.5"/>
<g font-size="12" fill="currentColor"><text x="{:.1}" y="{line:.1}" text-anchor="end">{}</text>
<text x="{:.1}" y="{bottom:.1}" text-anchor="end">0</text>
<text x="{right:.1}" y="{HEIGHT}" text-anchor="end" dy="-6">{}</text></g>
</svg></figure>
"##,
        warm - left,
        bottom - 20.0,
        points.join(" "),
        left - 6.0,
        label(largest),
        left - 6.0,
        time(end),
    )
}

/// `2 h 5 min`, `5 min`, `40 s`.
pub(crate) fn time(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match (seconds / 3600, seconds / 60 % 60) {
        (0, 0) => format!("{seconds} s"),
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_within_the_chart_and_higher_values_are_higher() {
        let svg = chart("Memory", "MB", &[(0.0, 10.0), (50.0, 30.0), (100.0, 20.0)], 25.0);
        let points = svg.split("points=\"").nth(1).and_then(|rest| rest.split('"').next());
        let points: Vec<(f64, f64)> = points
            .expect("points")
            .split(' ')
            .map(|point| {
                let (x, y) = point.split_once(',').expect("a point");
                (x.parse().expect("a number"), y.parse().expect("a number"))
            })
            .collect();
        assert_eq!(points.len(), 3);
        assert!(
            points.iter().all(|(x, y)| (MARGIN..WIDTH).contains(x) && (20.0..HEIGHT).contains(y))
        );
        assert!(points[1].1 < points[2].1 && points[2].1 < points[0].1);
        assert!(svg.contains(">30</text>") && svg.contains(">1 min</text>"), "{svg}");
        assert!(chart("Nothing", "MB", &[], 0.0).contains("<svg"));
        assert_eq!(["40 s", "5 min", "2 h 5 min"].to_vec(), [40.0, 300.0, 7500.0].map(time));
    }
}
