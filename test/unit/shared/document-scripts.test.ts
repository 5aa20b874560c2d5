import { expect, test } from 'vitest';
import { unprintableCharacters } from '../../../shared/document-scripts.ts';

test('names the characters of scripts that documents cannot show, once each', () => {
  expect(unprintableCharacters(['Zoë Ωμέγα Жук 小明 かな 김 محمد עברית สม 😀 – €', 'राम \u0000'])).toEqual([]);
  expect(unprintableCharacters(['ក្រក ក', 'Ann'])).toEqual(['ក', '្', 'រ']);
});
