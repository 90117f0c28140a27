import size11 from './11.book?url';
import size13 from './13.book?url';
import size19 from './19.book?url';
import size5 from './5.book?url';
import size7 from './7.book?url';
import size9 from './9.book?url';

const BOOKS: Readonly<Record<string, string>> = {
  5: size5,
  7: size7,
  9: size9,
  11: size11,
  13: size13,
  19: size19,
};

/** The usual board has no option in its name. */
const USUAL = '19';

export const bookAddress = (size: string | undefined): string | undefined => BOOKS[size ?? USUAL];
