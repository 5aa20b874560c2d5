/**
 * Returns a text in capitals without spaces and punctuation: banks break and pad texts. The result is one piece; `replaceAll` would keep a tree of
 * its pieces, ten times as large, in memory for every line.
 */
export const compactText = (text: string): string =>
  COMPACT.test(text) ? text : (text.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('');
const COMPACT = /^[\dA-Z]*$/;
