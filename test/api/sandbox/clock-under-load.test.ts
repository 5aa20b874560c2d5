import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardBody } from '../../support/sales.ts';
import { ANY_DATABASE, type ApiFixture, apiOf, expectData, FULL, sized, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { accept, type Receiver, refuse, startReceiver } from '../../support/webhook-receiver.ts';
import { type ClockResult, listDeliveries, registerEndpoint } from '../../support/webhooks.ts';

const CLIENTS = 6;
const DAY_S = 86_400;
/** A move must end before the time limit of usual HTTP clients. */
const MOVE_MAX_MS = 25_000;
/** Time limit of the server for receivers. A receiver of a busy computer answers within it. */
const WEBHOOK_TIMEOUT_MS = 5_000;
/** Sales, each with a delivery for each of five receivers. */
const SALES = sized(8, 200);
const PREPARATION_MS = sized(60_000, 240_000);
/** Every attempt that a refused delivery can still have is due within that time. */
const WHOLE_SCHEDULE_S = 8 * DAY_S;
/** Sales for a receiver that never answers: each attempt takes until the time limit, and a few are made in parallel. */
const SILENT_SALES = sized(8, 40);

type Moved = ClockResult & { readonly isComplete: boolean };

describe.each(ANY_DATABASE)('a move of the test clock (%s)', (database) => {
  let receiver: Receiver;
  let started: Awaited<ReturnType<typeof startTestServer>>;
  let fixture: ApiFixture;
  beforeAll(async () => {
    receiver = await startReceiver();
    started = await startTestServer(database, { webhookTimeoutMs: WEBHOOK_TIMEOUT_MS, clockMoveMaxMs: undefined }, 'small');
    const { baseUrl, credentials } = started.server;
    if (credentials === undefined) throw new Error('A server with demo tenants has credentials.');
    fixture = { database, baseUrl, credentials, api: apiOf(baseUrl, credentials) };
  });
  afterAll(async () => {
    await started.stop();
    await receiver.stop();
  });

  /** Moves the clock and checks that the answer comes in time. */
  async function move(advanceSeconds: number): Promise<Moved> {
    const startedMs = performance.now();
    const moved = await expectData(fixture.api.admin.post<Moved>('/sandbox/clock', { advanceSeconds }));
    expect(performance.now() - startedMs).toBeLessThan(MOVE_MAX_MS);
    return moved;
  }

  const clockNow = async () => Date.parse((await expectData(fixture.api.admin.get<{ now: string }>('/sandbox/clock'))).now);

  async function sell(count: number): Promise<void> {
    await Promise.all(
      Array.from({ length: count }, (_, n) => expectData(fixture.api.admin.post('/transactions', cardBody((1_000 + n) / 100)))),
    );
  }

  test('ends while clients make sales, with every delivery sent afterwards', async () => {
    const endpoint = await registerEndpoint(fixture, receiver.url('/load'), ['transaction.approved']);
    let isMoving = true;
    let sales = 0;
    const client = async () => {
      while (isMoving) {
        await expectData(fixture.api.admin.post('/transactions', cardBody((2_000 + sales) / 100)));
        sales += 1;
      }
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, client));
    const before = await clockNow();
    await until('the clients are at work', async () => sales > CLIENTS);
    try {
      for (let n = 0; n < 2; n += 1) await move(600);
    } finally {
      isMoving = false;
      await clients;
    }
    expect(await clockNow()).toBeGreaterThanOrEqual(before + 1_200_000);
    await until('every sale is delivered', async () => eventsAt(receiver, '/load').size >= sales);
    expect(eventsAt(receiver, '/load').size).toBe(sales);
    await fixture.api.admin.delete(`/webhooks/${endpoint.id}`);
  });

  test('asks a receiver that never answers once, and records its other attempts as failed', FULL, async () => {
    receiver.answers.set('/silent', () => {});
    receiver.answers.set('/good', accept);
    const silent = await registerEndpoint(fixture, receiver.url('/silent'), ['transaction.approved']);
    await registerEndpoint(fixture, receiver.url('/good'), ['transaction.approved']);
    await sell(SILENT_SALES);
    await until('the good receiver has every sale', async () => receiver.receivedAt('/good').length === SILENT_SALES);
    await until('the silent receiver was asked', async () =>
      (await listDeliveries(fixture, silent)).every((each) => each.attemptCount > 0),
    );
    const asked = receiver.receivedAt('/silent').length;
    const moved = await move(WHOLE_SCHEDULE_S);
    expect(moved.isComplete).toBe(true);
    // The first retries of the move leave together.
    expect(receiver.receivedAt('/silent').length).toBeLessThanOrEqual(asked + SILENT_SALES);
    const deliveries = await listDeliveries(fixture, silent);
    expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['failed']));
    expect(deliveries.every(({ attemptCount }) => attemptCount > 10)).toBe(true);
    expect(deliveries[0]?.error).toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('It was not asked again during this move of the test clock.'),
    });
    // After the move it is asked again.
    receiver.answers.set('/silent', accept);
    const before = receiver.receivedAt('/silent').length;
    await sell(1);
    await until('the receiver is asked again', async () => receiver.receivedAt('/silent').length > before);
    await fixture.api.admin.delete(`/webhooks/${silent.id}`);
  });

  test('runs all rows that are due, in parallel', { timeout: sized(120_000, 300_000) }, async () => {
    const paths = Array.from({ length: 5 }, (_, n) => `/many-${n}`);
    for (const path of paths) {
      receiver.answers.set(path, refuse(503));
      await registerEndpoint(fixture, receiver.url(path), ['transaction.approved']);
    }
    await sell(SALES);
    await until('every delivery was refused', async () => paths.every((path) => eventsAt(receiver, path).size === SALES), {
      withinMs: PREPARATION_MS,
    });
    const taken = new Map(paths.map((path) => [path, [] as string[]]));
    for (const [path, events] of taken) {
      receiver.answers.set(path, (request, ...rest) => {
        events.push(request.event.id);
        accept(request, ...rest);
      });
    }
    const { ran, isComplete } = await move(WHOLE_SCHEDULE_S);
    expect(isComplete).toBe(true);
    expect(ran.webhooks).toBeGreaterThan(0);
    // On a slow computer the clock itself may have let some become due before the move: each is delivered once, whichever came first.
    for (const [path, events] of taken) expect(new Set(events)).toEqual(eventsAt(receiver, path));
    expect([...taken.values()].map((events) => events.length)).toEqual(paths.map(() => SALES));
  });
});

const eventsAt = (receiver: Receiver, path: string) => new Set(receiver.receivedAt(path).map(({ event }) => event.id));
