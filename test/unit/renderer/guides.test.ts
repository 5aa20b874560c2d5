import { expect, test } from 'vitest';
import { SETTINGS_PAGES } from '../../../renderer/shared/settings-pages/index.ts';
import { guideAddressOf } from '../../../renderer/shell/navigation/guides.ts';
import { PAGE_GROUPS, PAGES } from '../../../renderer/shell/navigation/pages.ts';
import { readGuides } from '../../../server/pages/docs/guides.ts';

test('every screen has a guide that this server serves', () => {
  const served = new Set(readGuides().flatMap(({ guides }) => guides.map(({ name }) => `/docs/guides/${name}`)));
  const below = PAGE_GROUPS.flatMap(({ pages }) => pages).flatMap(({ children = [] }) => children);
  const paths = [...PAGES, ...below, ...SETTINGS_PAGES].map(({ path }) => path.split('?')[0] ?? path);
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !served.has(guideAddressOf(path)))).toEqual([]);
  expect(guideAddressOf('/recurring/installments/ins_1')).toBe('/docs/guides/installments');
});
