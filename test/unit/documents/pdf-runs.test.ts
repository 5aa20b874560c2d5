import { expect, test } from 'vitest';
import { runsOf } from '../../../core/platform/documents/pdf-runs.ts';

/** Returns the runs as they are drawn, with words from right to left in brackets. */
const drawn = (line: string) =>
  runsOf(line, (part) => (/[\u0590-\u06ff]/.test(part) ? 'noto' : null))
    .map(({ text, font }) => (font === null ? text : `{${text}}`))
    .join('');

test.each([
  ['Ann Marsh', 'Ann Marsh'],
  ['محمد', '{محمد}'],
  ['محمد علي', '{علي} {محمد}'],
  ['Bill to محمد علي, Portland', 'Bill to {علي} {محمد}, Portland'],
  ['קפה (מרכז) בעמ', '{בעמ} ({מרכז}) {קפה}'],
  ['שדרות 12, תל', '{תל} ,12 {שדרות}'],
  ['محمد 12.50 USD', '{محمد} 12.50 USD'],
  ['שלום and עולם', '{שלום} and {עולם}'],
  ['محمد (علي) 12, USD', '({علي}) {محمد} 12, USD'],
])('draws %s from left to right as %s', (line, expected) => {
  expect(drawn(line)).toBe(expected);
});
