import address from './default.book?url';

export const bookAddress = (): string => address;
