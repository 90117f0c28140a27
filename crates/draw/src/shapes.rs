//! Shapes: what a picture is made of before it is SVG or pixels.

/// A colour as `#rrggbb` or `#rrggbbaa`.
pub(crate) type Colour = &'static str;

/// A place in a picture.
pub(crate) type Point = (f64, f64);

/// What is filled and what is drawn around it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Paint {
    pub(crate) fill: Option<Colour>,
    /// The colour and the width of the outline.
    pub(crate) stroke: Option<(Colour, f64)>,
}

impl Paint {
    pub(crate) fn fill(colour: Colour) -> Paint {
        Paint { fill: Some(colour), stroke: None }
    }

    pub(crate) fn stroke(colour: Colour, width: f64) -> Paint {
        Paint { fill: None, stroke: Some((colour, width)) }
    }

    pub(crate) fn outlined(self, colour: Colour, width: f64) -> Paint {
        Paint { stroke: Some((colour, width)), ..self }
    }
}

/// A part of a path, in absolute coordinates.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Segment {
    Move(Point),
    Line(Point),
    /// A curve by way of two points that pull at it.
    Cubic(Point, Point, Point),
    Close,
}

/// A shape, in the picture's units from its upper left corner.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    Rect {
        at: Point,
        size: Point,
        radius: f64,
        paint: Paint,
    },
    Circle {
        centre: Point,
        radius: f64,
        paint: Paint,
    },
    Path {
        segments: Vec<Segment>,
        paint: Paint,
    },
    /// Words around a point on their baseline.
    Text {
        at: Point,
        size: f64,
        fill: Colour,
        text: String,
    },
}

/// A closed path through these points.
pub(crate) fn polygon(points: &[Point], paint: Paint) -> Shape {
    let lines = points.iter().enumerate().map(|(index, &point)| match index {
        0 => Segment::Move(point),
        _ => Segment::Line(point),
    });
    Shape::Path { segments: lines.chain([Segment::Close]).collect(), paint }
}

/// Lines between pairs of points.
pub(crate) fn lines(pairs: impl IntoIterator<Item = (Point, Point)>, paint: Paint) -> Shape {
    let segments = pairs.into_iter().flat_map(|(a, b)| [Segment::Move(a), Segment::Line(b)]);
    Shape::Path { segments: segments.collect(), paint }
}
