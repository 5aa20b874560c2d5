import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describeOnAnyDatabase } from '../../support/server.ts';
import { createLinkPage, openPage, pathOf } from './pay-page-client.ts';

const LIMIT = 300;
const BEYOND = 40;
/** The first few requests are for existing pages; the rest cost the server very little. */
const PAGES = 20;

describeOnAnyDatabase('the request limit of pay pages', (fixture) => {
  // The service counts by the minute of the clock. The clock stands still, so that a slow computer does not reach the next minute.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
  afterEach(() => void vi.useRealTimers());

  test('allows 300 requests a minute from one address, then answers 429 with a page that states when to retry', async () => {
    const { path, shortUrl } = await createLinkPage(fixture());
    const paths = Array.from(
      { length: LIMIT + BEYOND },
      (_, index) => (index < PAGES ? [path, pathOf(shortUrl)][index % 2] : undefined) ?? '/pay/unknown',
    );
    const answers = await Promise.all(paths.map((each) => openPage(fixture(), each)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(BEYOND);
    for (const { headers, text } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(text).toContain('Too many requests');
    }
  });
});
