import { InvalidAddress } from './invalid-address.ts';

const KEYWORD_START = /^\s*[a-z_]+\s*=/;
/** `keyword = value`: a value is in single quotes, or has no spaces. A backslash escapes the next character in both. */
const PAIR = /\s*([A-Za-z_]+)\s*=\s*(?:'((?:[^'\\]|\\[\s\S])*)'(?=\s|$)|((?:[^\s'\\]|\\[\s\S])*)(?=\s|$))\s*/y;

/** Returns true if an address has the form of keywords and values, as in `host=db1,db2 dbname=paydesk`. */
export const isKeywordForm = (address: string): boolean => KEYWORD_START.test(address);

/** Converts an address of keywords and values to the form `postgres://…`. @throws InvalidAddress */
export function urlOfKeywords(address: string): string {
  const given = new URLSearchParams();
  for (PAIR.lastIndex = 0; PAIR.lastIndex < address.length; ) {
    const at = PAIR.lastIndex;
    const [, name = '', quoted, plain = ''] = PAIR.exec(address) ?? [];
    if (name === '')
      throw new InvalidAddress(
        `The address cannot be read from character ${at + 1} on. Write keyword=value pairs with spaces between them, and put values with spaces in single quotes.`,
      );
    // As with libpq, the last of several equal keywords counts.
    given.set(name, (quoted ?? plain).replace(/\\([\s\S])/g, '$1'));
  }
  const taken = (name: string) => {
    const value = given.get(name) ?? '';
    given.delete(name);
    return encodeURIComponent(value);
  };
  const [user, password, database] = [taken('user'), taken('password'), taken('dbname')];
  return `postgres://${user}${password === '' ? '' : `:${password}`}${user === '' && password === '' ? '' : '@'}/${database}?${given}`;
}
