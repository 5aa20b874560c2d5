import { afterAll, expect, test } from 'vitest';
import { createLimits } from '#core/platform/rate-limits';
import { openTestDatabase } from '../../support/databases.ts';

const MINUTE_MS = 60_000;
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

async function limits(kind: 'sqlite' | 'postgres') {
  const { database, close } = await openTestDatabase(kind);
  closing.push(close);
  const clock = { at: 10 * MINUTE_MS };
  const open = () => createLimits({ database, now: () => clock.at });
  return { open, clock };
}

const PER_MINUTE = [{ scope: 'credential/k', lengthMs: MINUTE_MS, max: 50 }];

test.each(['sqlite', 'postgres'] as const)('counts every parallel request once with two servers (%s)', async (kind) => {
  const { open } = await limits(kind);
  const [one, other] = [open(), open()];
  const counts = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      (index % 2 === 0 ? one : other).count('ten_a', PER_MINUTE).then(([window]) => window?.used ?? 0),
    ),
  );
  expect(counts.filter((used) => used <= 50).sort((left, right) => left - right)).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
});

test.each(['sqlite', 'postgres'] as const)('ends a window to the millisecond, also across a restart (%s)', async (kind) => {
  const { open, clock } = await limits(kind);
  clock.at = 11 * MINUTE_MS - 5;
  const first = open();
  for (let n = 0; n < 51; n += 1) await first.count('ten_a', PER_MINUTE);
  const again = open();
  expect(await again.count('ten_a', PER_MINUTE)).toMatchObject([{ used: 52, endsMs: 11 * MINUTE_MS }]);
  clock.at = 11 * MINUTE_MS - 1;
  expect((await again.count('ten_a', PER_MINUTE))[0]?.used).toBeGreaterThan(50);
  clock.at = 11 * MINUTE_MS;
  expect(await again.count('ten_a', PER_MINUTE)).toMatchObject([{ used: 1, endsMs: 12 * MINUTE_MS }]);
  expect(await first.usage('ten_a', PER_MINUTE)).toMatchObject([{ used: 1 }]);
});

test.each(['sqlite', 'postgres'] as const)(
  'counts tenants, scopes and addresses separately, and deletes ended windows (%s)',
  async (kind) => {
    const { open, clock } = await limits(kind);
    const counter = open();
    const windows = [...PER_MINUTE, { scope: 'credential/k', lengthMs: 60 * MINUTE_MS, max: 1_000 }];
    await counter.count('ten_a', windows);
    await counter.count('ten_a', windows);
    expect((await counter.count('ten_b', windows)).map(({ used }) => used)).toEqual([1, 1]);
    expect((await counter.count(null, [{ scope: 'address/::1', lengthMs: MINUTE_MS, max: 30 }]))[0]?.used).toBe(1);
    clock.at += MINUTE_MS;
    await counter.cleanUp('ten_a');
    expect((await counter.usage('ten_a', windows)).map(({ used }) => used)).toEqual([0, 2]);
  },
);

test.each(['sqlite', 'postgres'] as const)('opens an exhausted window again when its maximum is raised (%s)', async (kind) => {
  const { open } = await limits(kind);
  const counter = open();
  for (let n = 0; n < 51; n += 1) await counter.count('ten_a', PER_MINUTE);
  const raised = PER_MINUTE.map((window) => ({ ...window, max: 100 }));
  expect(await counter.count('ten_a', raised)).toMatchObject([{ used: 52, max: 100 }]);
});

test('a hundred attempts in one window leave connections of PostgreSQL to other work', async () => {
  const { open } = await limits('postgres');
  const guesses = [{ scope: 'guesses/k', lengthMs: 60 * MINUTE_MS, max: 20 }];
  const { promise: nothing, resolve } = Promise.withResolvers<null>();
  const counter = open();
  const attempts = Array.from({ length: 100 }, () => counter.attempt('ten_a', guesses, () => nothing));
  expect(await counter.count('ten_a', PER_MINUTE)).toMatchObject([{ used: 1 }]);
  resolve(null);
  const outcomes = await Promise.all(attempts);
  expect(outcomes.filter((outcome) => 'found' in outcome)).toHaveLength(20);
  expect(await counter.attempt('ten_a', guesses, async () => 'found')).toMatchObject({ exhausted: { used: 20, max: 20 } });
});
