import { expect, test } from 'vitest';
import { asciiOf } from '../../../scripts/ascii-code.ts';

test.each([
  ['a character beyond ASCII', 'const text = "½ ’ 😀";'],
  ['a backslash before it', String.raw`const text = "\’ \\’ \\\’";`],
  ['a regular expression', String.raw`const text = "a’b½c\\’d".replace(/[’½]|\\’|[😀-😂]/gu, "-");`],
  ['a template', 'const text = `’\\n½`;'],
  ['a comment', 'const text = "a"; // ’'],
])('escapes keep the meaning of %s', (_case, code) => {
  const textOf = (source: string) => new Function(`${source}\nreturn text;`)() as string;
  const escaped = asciiOf(code);
  expect(escaped).toMatch(/^[\0-\x7f]*$/);
  expect(textOf(escaped)).toBe(textOf(code));
});
