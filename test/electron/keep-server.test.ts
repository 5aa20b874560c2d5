import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunningServer } from '#server';
import { TIMEOUT_MS as AUTHORIZENET_MS } from '../../core/gateways/authorizenet/client.ts';
import { TIMEOUT_MS as NMI_MS } from '../../core/gateways/nmi/client.ts';
import { PAYMENT_MS_MAX } from '../../electron/server-process/in-flight.ts';
import { ServerKeeper } from '../../electron/server-process/keep-server.ts';

/** Somebody who listens, so that nobody is taken for dead. */
const listener = createServer();
let baseUrl: string;

beforeEach(async () => {
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  baseUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await new Promise((resolve) => listener.close(resolve));
});

/** A keeper of servers of which each stops when it is let go, with one payment that waits for its answer. */
function kept(payment: { isOpen: boolean }) {
  const seen = { starts: 0, stops: 0, gaveUp: 0 };
  let letGo: () => void = () => undefined;
  let answered: (value: boolean) => void = () => undefined;
  const keeper = new ServerKeeper({
    port: 4801,
    start: async () => {
      seen.starts += 1;
      const close = () => {
        seen.stops += 1;
        return new Promise<void>((resolve) => {
          letGo = resolve;
        });
      };
      return { baseUrl, environment: 'sandbox', close } satisfies RunningServer;
    },
    tell: () => undefined,
    giveUp: () => {
      seen.gaveUp += 1;
    },
    inFlight: {
      get count() {
        return Number(payment.isOpen);
      },
      drained: (withinMs) => {
        if (!payment.isOpen) return Promise.resolve(true);
        return new Promise((resolve) => {
          answered = resolve;
          setTimeout(() => resolve(false), withinMs);
        });
      },
    },
  });
  const answerPayment = () => {
    payment.isOpen = false;
    answered(true);
    letGo();
  };
  return { keeper, seen, answerPayment, letGo: () => letGo() };
}

test('the longest payment is no shorter than any processor may take', () => {
  expect(PAYMENT_MS_MAX).toBeGreaterThan(Math.max(AUTHORIZENET_MS, 3 * NMI_MS));
});

test('a server that died finishes its payments, however long a processor takes, before another takes its place', async () => {
  const { keeper, seen, answerPayment } = kept({ isOpen: true });
  await keeper.start();
  const restarted = keeper.died(new Error('It broke.'));
  await vi.advanceTimersByTimeAsync(100_000);
  expect(seen).toEqual({ starts: 1, stops: 1, gaveUp: 0 });
  answerPayment();
  await restarted;
  expect(seen).toEqual({ starts: 2, stops: 1, gaveUp: 0 });
});

test('one that does not stop although nothing is in flight is given up after ten seconds, and one whose payment is never answered after the longest payment', async () => {
  for (const [isOpen, afterMs] of [
    [false, 10_000],
    [true, PAYMENT_MS_MAX + 10_000],
  ] as const) {
    const { keeper, seen } = kept({ isOpen });
    await keeper.start();
    void keeper.died(new Error('It broke.'));
    await vi.advanceTimersByTimeAsync(afterMs - 1_000);
    expect(seen.gaveUp).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen.gaveUp).toBe(1);
  }
});

test('quitting waits for a payment as long', async () => {
  const { keeper, answerPayment } = kept({ isOpen: true });
  await keeper.start();
  let isClosed = false;
  const closed = keeper.close().then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(100_000);
  expect(isClosed).toBe(false);
  answerPayment();
  await closed;
});

test('many errors at once are one death', async () => {
  const { keeper, seen, letGo } = kept({ isOpen: false });
  await keeper.start();
  const deaths = Array.from({ length: 5 }, (_, index) => keeper.died(new Error(`It broke, ${index}.`)));
  await vi.advanceTimersByTimeAsync(0);
  letGo();
  await Promise.all(deaths);
  expect(seen).toEqual({ starts: 2, stops: 1, gaveUp: 0 });
  expect(keeper.state.kind).toBe('running');
});
