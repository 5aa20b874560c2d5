import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SETTINGS_PAGES } from '#renderer/shared/settings-pages';
import { PLACES } from '../../../renderer/shell/places.ts';

const ROOT = join(import.meta.dirname, '../../..');

const sourceOf = (screen: string) => readFileSync(join(ROOT, `renderer/screens/${screen}/${screen}-screen.tsx`), 'utf8');

describe('places of the command palette', () => {
  test('include every tab of System', () => {
    const tabs = [...sourceOf('system').matchAll(/^ {2}\['([a-z]+)', t\(/gm)].map(([, id]) => `/system/${id}`);
    expect(tabs.length).toBeGreaterThan(5);
    const paths = PLACES.map(({ path }) => path);
    expect(tabs.filter((tab) => !paths.includes(tab))).toEqual([]);
  });

  test('include every tab of Settings, and no other one', () => {
    const tabs = [...sourceOf('settings').matchAll(/^ {2}'?([a-z-]+)'?: [A-Z]\w+Tab,/gm)].map(([, id]) => `/settings/${id}`);
    expect(tabs.length).toBeGreaterThan(10);
    const paths = SETTINGS_PAGES.map(({ path }) => path).filter((path) => path.startsWith('/settings/'));
    expect(paths.toSorted()).toEqual(tabs.toSorted());
  });
});
