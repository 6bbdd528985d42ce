//! Code pages of consoles, which `typeperf > file` writes in and no table of the web has.
//!
//! One byte is one character; the lower half is ASCII. Code page 866 (Cyrillic) is among those of [`encoding_rs`].
//!
//! Source: the mapping tables of the Unicode Consortium, `VENDORS/MICSFT/PC`.

use encoding_rs::{CoderResult, Decoder, Encoding};

/// A code page, of the web or of a console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Web(&'static Encoding),
    /// The upper half of a console's, 128 characters.
    Console(&'static str),
}

impl From<&'static Encoding> for Page {
    fn from(encoding: &'static Encoding) -> Page {
        Page::Web(encoding)
    }
}

/// Western Europe.
pub(crate) const CP850: Page = Page::Console(
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
     └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
);
/// Central Europe.
pub(crate) const CP852: Page = Page::Console(
    "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐\
     └┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘§÷¸°¨˙űŘř■\u{a0}",
);
/// Turkish.
pub(crate) const CP857: Page = Page::Console(
    "ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
     └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ\u{fffd}ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµ\u{fffd}×ÚÛÙìÿ¯´\u{ad}±\u{fffd}¾¶§÷¸°¨·¹³²■\u{a0}",
);
/// United States.
pub(crate) const CP437: Page = Page::Console(
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
     └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
);
/// Portuguese.
pub(crate) const CP860: Page = Page::Console(
    "ÇüéâãàÁçêÊèÍÔìÃÂÉÀÈôõòÚùÌÕÜ¢£Ù₧ÓáíóúñÑªº¿Ò¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
     └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
);
/// French of Canada.
pub(crate) const CP863: Page = Page::Console(
    "ÇüéâÂà¶çêëèïî‗À§ÉÈÊôËÏûù¤ÔÜ¢£ÙÛƒ¦´óú¨¸³¯Î⌐¬½¼¾«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
     └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
);

/// A decoder of either kind.
pub(crate) enum Pages {
    Web(Decoder),
    Console(Vec<char>),
}

impl Page {
    /// Its decoder, which takes a mark at the beginning away.
    pub fn decoder(self) -> Pages {
        match self {
            Page::Web(encoding) => Pages::Web(encoding.new_decoder_with_bom_removal()),
            Page::Console(upper) => Pages::Console(upper.chars().collect()),
        }
    }
    /// A whole text.
    pub fn text(self, bytes: &[u8]) -> String {
        match self {
            Page::Web(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
            Page::Console(upper) => {
                let upper: Vec<char> = upper.chars().collect();
                bytes.iter().map(|&byte| character(&upper, byte)).collect()
            }
        }
    }
}

fn character(upper: &[char], byte: u8) -> char {
    if byte.is_ascii() { char::from(byte) } else { upper.get(usize::from(byte - 128)).copied().unwrap_or('\u{fffd}') }
}

impl Pages {
    /// Decodes what fits: whether all of the input was taken, how much of it, and how much was written.
    pub fn decode(&mut self, input: &[u8], text: &mut [u8], last: bool) -> (bool, usize, usize) {
        match self {
            Pages::Web(decoder) => {
                let (result, read, written, _) = decoder.decode_to_utf8(input, text, last);
                (result == CoderResult::InputEmpty, read, written)
            }
            Pages::Console(upper) => {
                let mut written = 0;
                for (read, &byte) in input.iter().enumerate() {
                    if text.len() - written < 4 {
                        return (false, read, written);
                    }
                    written += character(upper, byte).encode_utf8(&mut text[written..]).len();
                }
                (true, input.len(), written)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_console_page_has_128_characters_and_decodes_in_pieces() {
        for page in [CP850, CP852, CP857, CP437, CP860, CP863] {
            let Page::Console(upper) = page else { panic!("is of a console") };
            assert_eq!(upper.chars().count(), 128, "{upper}");
            let bytes: Vec<u8> = (0..=255).collect();
            let (mut decoder, mut text, mut at) = (page.decoder(), String::new(), 0);
            while at < bytes.len() {
                let mut piece = [0; 7];
                let (_, read, written) = decoder.decode(&bytes[at..], &mut piece, false);
                text += std::str::from_utf8(&piece[..written]).expect("is UTF-8");
                at += read;
            }
            assert_eq!(text, page.text(&bytes));
        }
        assert_eq!(CP850.text(b"\x90critures disque/s"), "\u{c9}critures disque/s");
        assert_eq!(CP850.text(b"Datentr\x84ger"), "Datentr\u{e4}ger");
        assert_eq!(CP852.text(b"Dysk fizyczny \xa5"), "Dysk fizyczny \u{105}");
        assert_eq!(CP857.text(b"\x98\x8d"), "\u{130}\u{131}");
    }
}
