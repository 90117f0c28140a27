import points from './points.book?url';
import spaces from './spaces.book?url';

export const bookAddress = (rules: string | undefined): string =>
  rules === 'points' ? points : spaces;
