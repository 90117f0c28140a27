//! What all network files have in common: a header of text, an empty line, numbers.

use super::file::NetError;
use crate::text::excerpt;

/// No network file is larger than this.
pub const MAX_NET_BYTES: usize = 8 << 20;

/// No header is longer than this.
const MAX_HEADER_BYTES: usize = 4096;

/// The lines of a header.
pub(crate) struct Header<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Header<'a> {
    /// The header of a file that begins with the line `magic`, and the bytes after the empty line that ends it.
    pub(crate) fn split(
        bytes: &'a [u8],
        magic: &'static str,
    ) -> Result<(Header<'a>, &'a [u8]), NetError> {
        if bytes.len() > MAX_NET_BYTES {
            return Err(NetError::TooLarge(bytes.len()));
        }
        if !bytes.starts_with(magic.as_bytes()) {
            return Err(NetError::NotANet(magic));
        }
        let searched = &bytes[..bytes.len().min(MAX_HEADER_BYTES)];
        let end = searched.windows(2).position(|pair| pair == b"\n\n");
        let end = end.ok_or(NetError::Header("no empty line ends it"))?;
        let text =
            std::str::from_utf8(&bytes[..end]).map_err(|_| NetError::Header("it is not text"))?;
        let mut lines = text.lines();
        if lines.next() != Some(magic) {
            return Err(NetError::NotANet(magic));
        }
        let fields = lines.filter_map(|line| line.split_once(':'));
        let fields = fields.map(|(key, value)| (key.trim(), value.trim())).collect();
        Ok((Header(fields), &bytes[end + 2..]))
    }

    /// What a line says, if there is such a line.
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        self.0.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    /// What a line says, or nothing.
    pub(crate) fn text(&self, key: &str) -> &'a str {
        self.get(key).unwrap_or("")
    }

    /// The error for a line that says something else than is expected.
    pub(crate) fn wrong(&self, key: &'static str, expected: impl Into<String>) -> NetError {
        NetError::Field { key, expected: expected.into(), found: excerpt(self.text(key)) }
    }

    /// A line that is a number from 1 to `most`.
    pub(crate) fn number(&self, key: &'static str, most: usize) -> Result<usize, NetError> {
        let value = self.text(key).parse().ok().filter(|value| (1..=most).contains(value));
        value.ok_or_else(|| self.wrong(key, format!("a number from 1 to {most}")))
    }

    /// Whether the network is for this game.
    pub(crate) fn check_game(&self, wanted: &str) -> Result<(), NetError> {
        match self.text("game") {
            found if found == wanted => Ok(()),
            found => Err(NetError::OtherGame { wanted: wanted.to_owned(), found: excerpt(found) }),
        }
    }

    /// Whether the bytes after the header are as many as they should be, and those that were written. Returns
    /// their checksum.
    pub(crate) fn check_numbers(&self, body: &[u8], expected: usize) -> Result<u32, NetError> {
        let checksum = u32::from_str_radix(self.text("checksum"), 16)
            .map_err(|_| self.wrong("checksum", "eight hexadecimal digits"))?;
        if body.len() != expected {
            return Err(NetError::Length { expected, found: body.len() });
        }
        match crc32(body) {
            found if found == checksum => Ok(found),
            found => Err(NetError::Checksum { expected: checksum, found }),
        }
    }
}

/// Numbers one after the other, of which there are enough.
pub(crate) struct Numbers<'a>(&'a [u8]);

impl<'a> Numbers<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Numbers<'a> {
        Numbers(bytes)
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        let Some((taken, rest)) = self.0.split_first_chunk() else { return [0; N] };
        self.0 = rest;
        *taken
    }

    pub(crate) fn i16s(&mut self, count: usize) -> Vec<i16> {
        (0..count).map(|_| i16::from_le_bytes(self.take())).collect()
    }

    pub(crate) fn i32s(&mut self, count: usize) -> Vec<i32> {
        (0..count).map(|_| self.i32()).collect()
    }

    pub(crate) fn i32(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }
}

/// The CRC-32 of some bytes, as in zlib and PNG.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut index = 0;
        while index < 256 {
            let mut value = index as u32;
            let mut bit = 0;
            while bit < 8 {
                value = if value & 1 != 0 { 0xedb8_8320 ^ value >> 1 } else { value >> 1 };
                bit += 1;
            }
            table[index] = value;
            index += 1;
        }
        table
    };
    !bytes
        .iter()
        .fold(u32::MAX, |crc, &byte| TABLE[((crc ^ u32::from(byte)) & 0xff) as usize] ^ crc >> 8)
}
