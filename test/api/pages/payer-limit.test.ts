import { expect, test } from 'vitest';
import { describeOnAnyDatabase } from '../../support/server.ts';
import { linked, look, pathOf } from './payer.ts';

const REQUESTS = 650;
/** The first few are for pages that are there; the rest cost the server next to nothing. */
const PAGES = 20;

describeOnAnyDatabase('the limit of payers', (fixture) => {
  test('an address has three hundred requests a minute, then a page that says when to come back', { timeout: 120_000 }, async () => {
    const { path, shortUrl } = await linked(fixture());
    const paths = Array.from(
      { length: REQUESTS },
      (_, index) => (index < PAGES ? [path, pathOf(shortUrl)][index % 2] : undefined) ?? '/pay/unknown',
    );
    const answers = await Promise.all(paths.map((each) => look(fixture(), each)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    // A minute may turn while they are on their way: each lets exactly three hundred through.
    for (const window of Map.groupBy(answers, ({ headers }) => headers.get('x-ratelimit-reset')).values())
      expect(window.filter(({ status }) => status !== 429)).toHaveLength(Math.min(300, window.length));
    for (const { headers, text } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(text).toContain('Too many requests');
    }
  });
});
