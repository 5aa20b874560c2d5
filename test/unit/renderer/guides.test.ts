import { expect, test } from 'vitest';
import { SETTINGS_PAGES } from '../../../renderer/shared/settings-pages/index.ts';
import { guideAddressOf, PAGE_GROUPS, PAGES } from '../../../renderer/shell/navigation/pages.ts';
import { readGuides } from '../../../server/pages/docs/guides.ts';

test('every screen has a guide that this server serves', () => {
  const served = new Set(readGuides().flatMap(({ guides }) => guides.map(({ name }) => `/docs/guides/${name}`)));
  const below = PAGE_GROUPS.flatMap(({ pages }) => pages).flatMap(({ children = [] }) => children);
  const paths = [...PAGES, ...below, ...SETTINGS_PAGES].map(({ path }) => path.split('?')[0] ?? path);
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !served.has(guideAddressOf(path).split('#')[0] ?? ''))).toEqual([]);
  expect(guideAddressOf('/recurring/installments/ins_1')).toBe('/docs/guides/installments#on-the-screen');
});

test('the guides of the screens of daily work begin with sentences for the people at the screen, and the link opens them', () => {
  const daily = ['/sell', '/home', '/to-do', '/transactions', '/refund-queue', '/unconfirmed-payments', '/disputes', '/invoices'];
  const others = ['/recurring', '/customers', '/messages', '/cash', '/gift-cards', '/settlement', '/reconciliation/bank', '/reports'];
  for (const path of [...daily, ...others]) {
    const [address = '', heading] = guideAddressOf(path).split('#');
    expect({ path, heading }).toEqual({ path, heading: 'on-the-screen' });
    const guide = readGuides()
      .flatMap(({ guides }) => guides)
      .find(({ name }) => address.endsWith(`/${name}`));
    expect(guide?.text).toMatch(/^# .*\n\n## On the screen\n/);
  }
});
