import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogueFrom, compactCatalogue } from '../../../shared/compact-catalogue.ts';

const LANGUAGE = join(import.meta.dirname, '../../../renderer/base/language');

describe('a compact catalogue', () => {
  test.each(['es.json', 'service.es.json'])('holds every key and text of %s', (file) => {
    const catalogue = JSON.parse(readFileSync(join(LANGUAGE, file), 'utf8')) as Record<string, string>;
    expect(catalogueFrom(JSON.parse(JSON.stringify(compactCatalogue(catalogue))))).toEqual(catalogue);
  });

  test('keeps keys that begin alike, are part of each other, or share more than 60 characters', () => {
    const long = 'x'.repeat(80);
    const catalogue = { Add: 'a', 'Add card': 'b', [long]: 'c', [`${long}y`]: 'd', '': 'e', 'ñ “quoted”\n': 'f' };
    expect(catalogueFrom(compactCatalogue(catalogue))).toEqual(catalogue);
  });

  test('is refused for a text with the separator', () => {
    expect(() => compactCatalogue({ 'about |5': 'unos |5' })).toThrow('contains |');
  });
});
