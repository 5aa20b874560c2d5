import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PLACES } from '../../../renderer/shell/places.ts';

const ROOT = join(import.meta.dirname, '../../..');

describe('places of the command palette', () => {
  test.each(['settings', 'system'])('include every tab of the screen %s', (screen) => {
    const source = readFileSync(join(ROOT, `renderer/screens/${screen}/${screen}-screen.tsx`), 'utf8');
    const tabs = [...source.matchAll(/^ {2}\['([a-z]+)', t\(/gm)].map(([, id]) => `/${screen}/${id}`);
    expect(tabs.length).toBeGreaterThan(5);
    const paths = PLACES.map(({ path }) => path);
    expect(tabs.filter((tab) => !paths.includes(tab))).toEqual([]);
  });
});
