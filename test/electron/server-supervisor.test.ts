import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunningServer } from '#server';
import { TIMEOUT_MS as AUTHORIZENET_MS } from '../../core/processing/gateways/authorizenet/client.ts';
import { TIMEOUT_MS as NMI_MS } from '../../core/processing/gateways/nmi/client.ts';
import { PAYMENT_MS_MAX } from '../../electron/server-process/in-flight.ts';
import { ServerSupervisor, type ServiceState } from '../../electron/server-process/server-supervisor.ts';

/** Listens on the port of the stub servers, so that the supervisor does not regard them as crashed. */
const listener = createServer();
let baseUrl: string;
/** Supervisors of the test, which would watch their ports until the process ends. */
let supervisors: ServerSupervisor[] = [];

beforeEach(async () => {
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  baseUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  for (const supervisor of supervisors) void supervisor.close();
  supervisors = [];
  vi.useRealTimers();
  await new Promise((resolve) => listener.close(resolve));
});

/** Supervises stub servers that stop on request, with one payment that may be in flight. */
function superviseStub(payment: { isOpen: boolean }) {
  const counts = { starts: 0, stops: 0, gaveUp: 0 };
  let finishStop: () => void = () => undefined;
  let setDrained: (value: boolean) => void = () => undefined;
  const supervisor = new ServerSupervisor({
    port: 4801,
    start: async () => {
      counts.starts += 1;
      const close = () => {
        counts.stops += 1;
        return new Promise<void>((resolve) => {
          finishStop = resolve;
        });
      };
      return { baseUrl, environment: 'sandbox', ownAddresses: () => [], close } satisfies RunningServer;
    },
    onStateChange: () => undefined,
    onStopFailure: () => {
      counts.gaveUp += 1;
    },
    inFlight: {
      get count() {
        return Number(payment.isOpen);
      },
      waitUntilNone: (withinMs) => {
        if (!payment.isOpen) return Promise.resolve(true);
        return new Promise((resolve) => {
          setDrained = resolve;
          setTimeout(() => resolve(false), withinMs);
        });
      },
    },
  });
  supervisors.push(supervisor);
  const answerPayment = () => {
    payment.isOpen = false;
    setDrained(true);
    finishStop();
  };
  return { supervisor, counts, answerPayment, finishStop: () => finishStop() };
}

test('assumes a longest payment time above the timeout of every processor', () => {
  expect(PAYMENT_MS_MAX).toBeGreaterThan(Math.max(AUTHORIZENET_MS, 3 * NMI_MS));
});

test('lets a crashed server finish its payments before it starts another, however long the processor takes', async () => {
  const { supervisor, counts, answerPayment } = superviseStub({ isOpen: true });
  await supervisor.start();
  const restarted = supervisor.handleCrash(new Error('Test crash.'));
  await vi.advanceTimersByTimeAsync(100_000);
  expect(counts).toEqual({ starts: 1, stops: 1, gaveUp: 0 });
  answerPayment();
  await restarted;
  expect(counts).toEqual({ starts: 2, stops: 1, gaveUp: 0 });
});

test('gives up a server that does not stop: after ten seconds without payments in flight, with one after the longest payment time', async () => {
  for (const [isOpen, afterMs] of [
    [false, 10_000],
    [true, PAYMENT_MS_MAX + 10_000],
  ] as const) {
    const { supervisor, counts } = superviseStub({ isOpen });
    await supervisor.start();
    void supervisor.handleCrash(new Error('Test crash.'));
    await vi.advanceTimersByTimeAsync(afterMs - 1_000);
    expect(counts.gaveUp).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(counts.gaveUp).toBe(1);
  }
});

test('waits for payments in flight when it is closed', async () => {
  const { supervisor, answerPayment } = superviseStub({ isOpen: true });
  await supervisor.start();
  let isClosed = false;
  const closed = supervisor.close().then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(100_000);
  expect(isClosed).toBe(false);
  answerPayment();
  await closed;
});

test('waits for a long check without counting it as a failed start, and ends it when it is closed', async () => {
  const states: ServiceState[] = [];
  const supervisor = new ServerSupervisor({
    port: 4801,
    start: (_port, { onLongStep, signal }) =>
      new Promise((_resolve, reject) => {
        onLongStep({ kind: 'check', bytes: 2_400_000_000 });
        signal.addEventListener('abort', () => reject(new Error('the task was aborted')));
      }),
    onStateChange: (state) => states.push(state),
    onStopFailure: () => undefined,
    inFlight: { count: 0, waitUntilNone: async () => true },
  });
  const started = supervisor.start();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(states).toEqual([{ kind: 'starting', step: { kind: 'check', bytes: 2_400_000_000 } }]);
  await supervisor.close();
  await started;
  expect(states.slice(1)).toEqual([{ kind: 'closed' }]);
});

test('counts several errors of one server as one crash', async () => {
  const { supervisor, counts, finishStop } = superviseStub({ isOpen: false });
  await supervisor.start();
  const deaths = Array.from({ length: 5 }, (_, index) => supervisor.handleCrash(new Error(`Test crash ${index}.`)));
  await vi.advanceTimersByTimeAsync(0);
  finishStop();
  await Promise.all(deaths);
  expect(counts).toEqual({ starts: 2, stops: 1, gaveUp: 0 });
  expect(supervisor.state.kind).toBe('running');
});
