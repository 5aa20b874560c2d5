import { expect, test } from 'vitest';
import { failingEndpoints, newlyFailing } from '../../../renderer/desktop/bridge/failing-endpoints.ts';

const endpoint = (id: string, attempts: number, successRate: number | null, status: 'active' | 'disabled' = 'active') => ({
  id,
  url: 'https://shop.example/hooks',
  status,
  last24Hours: { attempts, successRate },
});
const ids = (endpoints: readonly { id: string }[]) => endpoints.map(({ id }) => id);

test('reports an active endpoint with enough attempts and less than half successful', () => {
  const all = [
    endpoint('few', 2, 0),
    endpoint('half', 4, 0.5),
    endpoint('bad', 3, 0.34),
    endpoint('off', 9, 0, 'disabled'),
    endpoint('new', 0, null),
  ];
  expect(ids(failingEndpoints(all))).toEqual(['bad']);
});

test('reports a failing endpoint once, not at the first check, and again after it recovered', () => {
  const failing = failingEndpoints([endpoint('a', 9, 0), endpoint('b', 9, 0)]);
  expect(ids(newlyFailing(undefined, failing))).toEqual([]);
  expect(ids(newlyFailing(new Set(['a']), failing))).toEqual(['b']);
  expect(ids(newlyFailing(new Set(['a', 'b']), failing))).toEqual([]);
  expect(ids(newlyFailing(new Set(), failing))).toEqual(['a', 'b']);
});
