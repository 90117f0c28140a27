#!/bin/sh
# Makes the fonts of the page again: the letters of its languages, and no more. They get no names of
# their own, because one of those is reserved for the font as its author made it. It needs fonttools with
# brotli (`pip install fonttools brotli`), and the two packages of fonts:
#   npm install --no-save @fontsource/marcellus @fontsource-variable/figtree && sh tools/fonts.sh
set -e
LETTERS="U+0020-007E,U+00A0,U+00A1,U+00AB,U+00B7,U+00BB,U+00BF,U+00C1,U+00C9,U+00CD,U+00D1,U+00D3,U+00DA,U+00DC,U+00E1,U+00E9,U+00ED,U+00F1,U+00F3,U+00FA,U+00FC,U+00D7,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2022,U+2026,U+2039,U+203A,U+2212"
subset() {
  pyftsubset "$1" --unicodes="$LETTERS" --layout-features="$2" --obfuscate-names --flavor=woff2 --output-file="$3"
}
cd "$(dirname "$0")/.."
into=src/styles/fonts
subset node_modules/@fontsource/marcellus/files/marcellus-latin-400-normal.woff2 kern "$into/marcellus.woff2"
cp node_modules/@fontsource/marcellus/LICENSE "$into/marcellus-OFL.txt"
subset node_modules/@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2 kern,tnum "$into/figtree-all.woff2"
fonttools varLib.instancer "$into/figtree-all.woff2" wght=400:700 -o "$into/figtree.woff2"
rm "$into/figtree-all.woff2"
cp node_modules/@fontsource-variable/figtree/LICENSE "$into/figtree-OFL.txt"

# The same for the pictures that the server draws, as plain TrueType and with the letters of more languages: names are
# written with them. `npm install --no-save @fontsource/figtree` as well.
MORE="U+0020-024F,U+1E9E,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2022,U+2026,U+2212"
cards=../crates/draw/fonts
plain() {
  pyftsubset "$1" --unicodes="$MORE" --layout-features= --no-hinting --obfuscate-names --drop-tables+=GSUB,GPOS,GDEF,gasp --output-file="$2.woff2"
  fonttools ttLib.woff2 decompress -o "$2" "$2.woff2" && rm "$2.woff2"
}
plain node_modules/@fontsource/figtree/files/figtree-latin-500-normal.woff2 "$cards/a.ttf"
plain node_modules/@fontsource/figtree/files/figtree-latin-ext-500-normal.woff2 "$cards/b.ttf"
pyftmerge "$cards/a.ttf" "$cards/b.ttf" --output-file="$cards/figtree.ttf" && rm "$cards/a.ttf" "$cards/b.ttf"
plain node_modules/@fontsource/marcellus/files/marcellus-latin-400-normal.woff2 "$cards/marcellus.ttf"
cp "$into/marcellus-OFL.txt" "$into/figtree-OFL.txt" "$cards/"
