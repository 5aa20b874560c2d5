import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterFailure, isExpired } from '../../../core/records/webhooks/retry-schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const FIRST = Date.parse('2026-11-20T09:00:00.000Z');

/** Every attempt at a receiver that never answers, each started some time after it was due. */
function attemptsOf(lateBy: (n: number) => number): number[] {
  const attempts = [FIRST];
  for (;;) {
    const at = attempts.at(-1) ?? FIRST;
    const next = afterFailure(attempts.length, at, FIRST);
    if (!next.isRetry) return attempts;
    const begun = next.dueMs + lateBy(attempts.length);
    if (isExpired(begun, FIRST)) return attempts;
    attempts.push(begun);
  }
}

test.each([
  [1, MINUTE],
  [2, 5 * MINUTE],
  [3, 30 * MINUTE],
  [4, 2 * HOUR],
  [5, 12 * HOUR],
  [6, DAY],
  [7, DAY],
  [11, DAY],
])('schedules the next attempt after failed attempt %i in %i ms', (n, delay) => {
  expect(afterFailure(n, FIRST + n, FIRST)).toEqual({ dueMs: FIRST + n + delay, isRetry: true });
});

test('calls a receiver that never answers twelve times within seven days', () => {
  const offsets = attemptsOf(() => 0).map((at) => at - FIRST);
  const early = [0, MINUTE, 6 * MINUTE, 36 * MINUTE, 2 * HOUR + 36 * MINUTE, 14 * HOUR + 36 * MINUTE];
  expect(offsets).toEqual([...early, ...[1, 2, 3, 4, 5, 6].map((days) => days * DAY + 14 * HOUR + 36 * MINUTE)]);
});

test('makes no attempt at or after the end of the seven days, and fails the delivery exactly then', () => {
  const end = FIRST + 7 * DAY;
  expect(afterFailure(12, end - DAY - 1, FIRST)).toEqual({ dueMs: end - 1, isRetry: true });
  expect(afterFailure(12, end - DAY, FIRST)).toEqual({ dueMs: end, isRetry: false });
  expect(afterFailure(12, end - 1, FIRST)).toEqual({ dueMs: end, isRetry: false });
  expect([isExpired(end - 1, FIRST), isExpired(end, FIRST), isExpired(end, null)]).toEqual([false, true, false]);
});

test('separates late attempts by their full delay, and makes none after seven days', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3 * DAY }), { minLength: 13, maxLength: 13 }), (lates) => {
      const attempts = attemptsOf((n) => lates[n] ?? 0);
      const delays = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR];
      for (const [index, at] of attempts.entries()) {
        const before = attempts[index - 1];
        if (before !== undefined) expect(at - before).toBe((delays[index - 1] ?? DAY) + (lates[index] ?? 0));
        expect(at).toBeLessThan(FIRST + 7 * DAY);
      }
    }),
  );
});
