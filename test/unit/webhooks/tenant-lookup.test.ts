import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { createTenantLookup } from '../../../core/platform/outbound/tenant-lookup.ts';

const FOUND: LookupAddress[] = [{ address: '203.0.113.7', family: 4 }];
const MINUTE = 60_000;

/** A resolver whose answers a test gives, with a clock that a test moves. */
function createFixture(waitMaxMs?: number) {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  let nowMs = 0;
  const lookup = createTenantLookup(
    (host) => {
      asked.push(host);
      const { promise, resolve, reject } = Promise.withResolvers<LookupAddress[]>();
      answers.push(() => (host.includes('dead') ? reject(Object.assign(new Error('again'), { code: 'EAI_AGAIN' })) : resolve(FOUND)));
      return promise;
    },
    () => nowMs,
    waitMaxMs,
  );
  const look = (host: string) =>
    lookup(host).then(
      ([first]) => first?.address ?? null,
      (error: { code?: string }) => error.code ?? null,
    );
  /** Answers the present question after a time. */
  const answerAfter = async (ms: number) => {
    nowMs += ms;
    answers.shift()?.();
    await new Promise(setImmediate);
  };
  return {
    asked,
    look,
    answerAfter,
    wait(ms: number) {
      nowMs += ms;
    },
  };
}

describe('look-ups of names that tenants choose', () => {
  test('resolve one name at a time, and parallel ones of a name once', async () => {
    const { asked, look, answerAfter } = createFixture();
    const results = Promise.all([look('a.example'), look('a.example'), look('b.example')]);
    expect(asked).toEqual(['a.example']);
    await answerAfter(5);
    expect(asked).toEqual(['a.example', 'b.example']);
    await answerAfter(5);
    expect(await results).toEqual(['203.0.113.7', '203.0.113.7', '203.0.113.7']);
  });

  test('ask a name that was slow again after a pause that doubles, and fail until then', async () => {
    const { asked, look, answerAfter, wait } = createFixture();
    for (const pause of [MINUTE, 2 * MINUTE]) {
      const first = look('dead.example');
      await answerAfter(10_000);
      expect(await first).toBe('EAI_AGAIN');
      const before = asked.length;
      wait(pause - 1);
      expect(await look('dead.example')).toBe('EAI_AGAIN');
      expect(asked).toHaveLength(before);
      wait(1);
    }
  });

  test('ask names that were slow after all others', async () => {
    const { asked, look, answerAfter, wait } = createFixture();
    const first = look('dead.example');
    await answerAfter(10_000);
    await first;
    wait(MINUTE);
    const results = Promise.all([look('a.example'), look('dead.example'), look('b.example')]);
    await answerAfter(5);
    await answerAfter(5);
    await answerAfter(5);
    await results;
    expect(asked).toEqual(['dead.example', 'a.example', 'b.example', 'dead.example']);
  });

  test('ask a name that was resolved slowly again without a pause', async () => {
    const { asked, look, answerAfter } = createFixture();
    for (let sent = 0; sent < 2; sent += 1) {
      const found = look('slow.example');
      await answerAfter(6_000);
      expect(await found).toBe('203.0.113.7');
    }
    expect(asked).toHaveLength(2);
  });

  test('fail in time while the system still resolves the name', async () => {
    const { asked, look, answerAfter } = createFixture(50);
    expect(await Promise.all([look('dead.example'), look('b.example')])).toEqual(['EAI_AGAIN', 'EAI_AGAIN']);
    expect(asked).toEqual(['dead.example']);
    await answerAfter(10_000);
    expect(asked).toEqual(['dead.example']);
    const found = look('b.example');
    await answerAfter(0);
    expect(await found).toBe('203.0.113.7');
  });
});
