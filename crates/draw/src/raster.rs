//! Shapes and words as pixels.

use tiny_skia::{
    Color, FillRule, LineJoin, Mask, Paint as SkiaPaint, Path, PathBuilder, Pixmap, Rect, Stroke,
    Transform,
};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::shapes::{Colour, Paint, Point, Segment, Shape};

/// Why a picture could not be drawn.
#[derive(Debug)]
pub enum PictureError {
    /// The program's own fonts cannot be read.
    Font,
    /// It has no size, or more than there is room for.
    Size,
    /// It cannot be written as a file.
    Encoding(png::EncodingError),
}

impl std::fmt::Display for PictureError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PictureError::Font => f.write_str("the fonts cannot be read"),
            PictureError::Size => f.write_str("there is no room for the picture"),
            PictureError::Encoding(error) => write!(f, "the picture cannot be written: {error}"),
        }
    }
}

impl std::error::Error for PictureError {}

/// How a circle's quarter is drawn as a curve.
const QUARTER: f64 = 0.552_284_8;

/// A font: the letters of the page, as outlines.
pub(crate) struct Font {
    face: Face<'static>,
}

impl Font {
    /// The page's text face.
    pub(crate) fn text() -> Result<Font, PictureError> {
        Font::new(include_bytes!("../fonts/figtree.ttf"))
    }

    /// The page's display face.
    pub(crate) fn display() -> Result<Font, PictureError> {
        Font::new(include_bytes!("../fonts/marcellus.ttf"))
    }

    fn new(data: &'static [u8]) -> Result<Font, PictureError> {
        Face::parse(data, 0).map(|face| Font { face }).map_err(|_| PictureError::Font)
    }

    /// Whether it has every letter of a text.
    pub(crate) fn has(&self, text: &str) -> bool {
        text.chars().all(|c| self.face.glyph_index(c).is_some())
    }

    /// How wide a text is.
    pub(crate) fn width(&self, text: &str, size: f64) -> f64 {
        let units: u32 = self.glyphs(text).map(|glyph| self.advance(glyph)).sum();
        f64::from(units) * self.scale(size)
    }

    /// A text that is at most this wide: cut, with an ellipsis, if it must be.
    pub(crate) fn fitted(&self, text: &str, size: f64, width: f64) -> String {
        if self.width(text, size) <= width {
            return text.to_owned();
        }
        let mut cut = text.to_owned();
        while cut.pop().is_some() {
            let shown = format!("{}…", cut.trim_end());
            if self.width(&shown, size) <= width {
                return shown;
            }
        }
        String::new()
    }

    fn glyphs(&self, text: &str) -> impl Iterator<Item = GlyphId> {
        text.chars().map(|c| self.face.glyph_index(c).unwrap_or_default())
    }

    fn advance(&self, glyph: GlyphId) -> u32 {
        self.face.glyph_hor_advance(glyph).map_or(0, u32::from)
    }

    fn scale(&self, size: f64) -> f64 {
        size / f64::from(self.face.units_per_em())
    }

    /// The outlines of a text that begins at a point on its baseline.
    fn path(&self, text: &str, size: f64, (x, y): Point) -> Option<Path> {
        let scale = self.scale(size) as f32;
        let mut outline = Outline { path: PathBuilder::new(), x: x as f32, y: y as f32, scale };
        for glyph in self.glyphs(text) {
            self.face.outline_glyph(glyph, &mut outline);
            outline.x += self.advance(glyph) as f32 * scale;
        }
        outline.path.finish()
    }
}

/// Collects the outlines of letters, whose y points up.
struct Outline {
    path: PathBuilder,
    x: f32,
    y: f32,
    scale: f32,
}

impl Outline {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.path.close();
    }
}

/// A picture of pixels.
pub(crate) struct Raster {
    pixels: Pixmap,
}

impl Raster {
    /// An empty picture.
    pub(crate) fn new(width: u32, height: u32, paper: Colour) -> Result<Raster, PictureError> {
        let mut pixels = Pixmap::new(width, height).ok_or(PictureError::Size)?;
        pixels.fill(colour(paper));
        Ok(Raster { pixels })
    }

    /// Draws shapes, moved and scaled.
    pub(crate) fn shapes(&mut self, shapes: &[Shape], at: Point, scale: f64, font: &Font) {
        let transform = Transform::from_scale(scale as f32, scale as f32)
            .post_translate(at.0 as f32, at.1 as f32);
        for shape in shapes {
            self.shape(shape, transform, font);
        }
    }

    /// Writes words that begin at a point on their baseline.
    pub(crate) fn text(&mut self, text: &str, font: &Font, size: f64, at: Point, fill: Colour) {
        if let Some(path) = font.path(text, size, at) {
            self.draw(&path, Paint::fill(fill), Transform::identity());
        }
    }

    fn shape(&mut self, shape: &Shape, transform: Transform, font: &Font) {
        match shape {
            Shape::Rect { at, size, radius, paint } => {
                if let Some(path) = rect_path(*at, *size, *radius) {
                    self.draw(&path, *paint, transform);
                }
            }
            Shape::Circle { centre: (x, y), radius, paint } => {
                let circle = PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32);
                if let Some(path) = circle {
                    self.draw(&path, *paint, transform);
                }
            }
            Shape::Path { segments, paint } => {
                if let Some(path) = segments_path(segments) {
                    self.draw(&path, *paint, transform);
                }
            }
            Shape::Text { at: (x, y), size, fill, text } => {
                let left = x - font.width(text, *size) / 2.0;
                if let Some(path) = font.path(text, *size, (left, *y)) {
                    self.draw(&path, Paint::fill(fill), transform);
                }
            }
        }
    }

    fn draw(&mut self, path: &Path, Paint { fill, stroke }: Paint, transform: Transform) {
        let no_mask: Option<&Mask> = None;
        if let Some(fill) = fill {
            self.pixels.fill_path(path, &ink(fill), FillRule::Winding, transform, no_mask);
        }
        if let Some((stroke, width)) = stroke {
            let line =
                Stroke { width: width as f32, line_join: LineJoin::Round, ..Stroke::default() };
            self.pixels.stroke_path(path, &ink(stroke), &line, transform, no_mask);
        }
    }

    /// The colours of the pixels, row by row from the top. Nothing is transparent in the end.
    pub(crate) fn rgb(&self) -> Vec<u8> {
        self.pixels.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect()
    }

    /// The picture as a PNG file.
    pub(crate) fn png(&self) -> Result<Vec<u8>, PictureError> {
        self.encoded().map_err(PictureError::Encoding)
    }

    fn encoded(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.pixels.width(), self.pixels.height());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgb())?;
        writer.finish()?;
        Ok(file)
    }
}

fn rect_path((x, y): Point, (width, height): Point, radius: f64) -> Option<Path> {
    if radius == 0.0 {
        let rect = Rect::from_xywh(x as f32, y as f32, width as f32, height as f32)?;
        return Some(PathBuilder::from_rect(rect));
    }
    let (right, bottom, pull) = (x + width, y + height, radius * (1.0 - QUARTER));
    segments_path(&[
        Segment::Move((x + radius, y)),
        Segment::Line((right - radius, y)),
        Segment::Cubic((right - pull, y), (right, y + pull), (right, y + radius)),
        Segment::Line((right, bottom - radius)),
        Segment::Cubic((right, bottom - pull), (right - pull, bottom), (right - radius, bottom)),
        Segment::Line((x + radius, bottom)),
        Segment::Cubic((x + pull, bottom), (x, bottom - pull), (x, bottom - radius)),
        Segment::Line((x, y + radius)),
        Segment::Cubic((x, y + pull), (x + pull, y), (x + radius, y)),
        Segment::Close,
    ])
}

fn segments_path(segments: &[Segment]) -> Option<Path> {
    let mut path = PathBuilder::new();
    let at = |(x, y): Point| (x as f32, y as f32);
    for segment in segments {
        match *segment {
            Segment::Move(to) => path.move_to(at(to).0, at(to).1),
            Segment::Line(to) => path.line_to(at(to).0, at(to).1),
            Segment::Cubic(a, b, to) => {
                let ((ax, ay), (bx, by), (x, y)) = (at(a), at(b), at(to));
                path.cubic_to(ax, ay, bx, by, x, y);
            }
            Segment::Close => path.close(),
        }
    }
    path.finish()
}

fn ink(fill: Colour) -> SkiaPaint<'static> {
    let mut paint = SkiaPaint::default();
    paint.set_color(colour(fill));
    paint.anti_alias = true;
    paint
}

/// Reads `#rrggbb` or `#rrggbbaa`.
fn colour(text: Colour) -> Color {
    let part = |at: usize| text.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
    let [r, g, b] = [1, 3, 5].map(|at| part(at).unwrap_or(0));
    Color::from_rgba8(r, g, b, part(7).unwrap_or(255))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read() {
        assert_eq!(colour("#ff8000"), Color::from_rgba8(255, 128, 0, 255));
        assert_eq!(colour("#00000055"), Color::from_rgba8(0, 0, 0, 0x55));
    }
}
