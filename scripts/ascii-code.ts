import type { Plugin } from 'vite';

const PAIR_OR_OTHER = /\\[\s\S]|[^\0-\x7f]/g;
const OTHER = /[^\0-\x7f]$/;

/** Returns code with escapes instead of characters beyond ASCII. Code with such characters in `String.raw` would change its meaning. */
export function asciiOf(code: string): string {
  // A backslash belongs to the character after it, so that `\\’` and `\’` stay what they are.
  return code.replaceAll(PAIR_OR_OTHER, (found) =>
    OTHER.test(found)
      ? `\\u${found
          .charCodeAt(found.length - 1)
          .toString(16)
          .padStart(4, '0')}`
      : found,
  );
}

/** Node keeps a file with two bytes for each character if a single one of them is beyond ASCII, which are 8 MB for the service. */
export const asciiCode: Plugin = {
  name: 'ascii-code',
  // The last step, because the syntax for the target is written before, without escapes.
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = asciiOf(file.code);
  },
};
