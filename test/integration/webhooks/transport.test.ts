import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTrust } from '../../../core/platform/outbound/index.ts';
import { createTransport, type Transport, type TransportOptions } from '../../../core/records/webhooks/transport.ts';
import { type Answer, accept, RECEIVER_CA_FILE, type Receiver, refuse, startReceiver } from '../../support/webhook-receiver.ts';

/** Time limit of the tests of time-outs. The other tests wait longer, because a busy computer answers late. */
const TIMEOUT_MS = 400;
const PATIENT_MS = 30_000;
const CA = readFileSync(RECEIVER_CA_FILE, 'utf8');
const SANDBOX = 'ten_sandbox';
const LIVE = 'ten_live';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

const open: Transport[] = [];
afterEach(async () => {
  receiver.answer = accept;
  await Promise.all(open.splice(0).map((transport) => transport.close()));
});

/** A transport that trusts the receiver and is closed after the test. */
function transportOf(options: Partial<TransportOptions> = {}): Transport {
  const transport = createTransport({
    trust: createTrust([CA]),
    allowsPrivate: async (tenantId) => tenantId === SANDBOX,
    forbidden: () => [],
    timeoutMs: PATIENT_MS,
    ...options,
  });
  open.push(transport);
  return transport;
}

const post = (transport: Transport, tenantId = SANDBOX, url = receiver.url()) =>
  transport.post({ tenantId, url, headers: { 'content-type': 'application/json' }, body: '{}' });

describe('success is a response of 200 only', () => {
  test.each([
    [200, null],
    [201, 'status'],
    [202, 'status'],
    [204, 'status'],
    [301, 'redirect'],
    [302, 'redirect'],
    [308, 'redirect'],
    [304, 'status'],
    [400, 'status'],
    [410, 'status'],
    [500, 'status'],
    [503, 'status'],
  ])('counts %i as failed', async (status, kind) => {
    receiver.answer = refuse(status, kind === 'redirect' ? { location: receiver.url('/elsewhere') } : {});
    const before = receiver.received.length;
    const answer = await post(transportOf());
    expect({ status: answer.status, kind: answer.error?.kind ?? null }).toEqual({ status, kind });
    expect(receiver.received.length - before).toBe(1);
  });
});

describe('timeouts', () => {
  const answerAfter =
    (ms: number): Answer =>
    (_, response) =>
      void setTimeout(() => response.writeHead(200).end(), ms).unref();
  const drip: Answer = (_, response) => {
    response.writeHead(200);
    const tick = setInterval(() => response.write('.'), TIMEOUT_MS / 8);
    response.on('close', () => clearInterval(tick));
  };

  test('counts a slow response within the time', async () => {
    receiver.answer = answerAfter(TIMEOUT_MS / 4);
    expect(await post(transportOf())).toMatchObject({ status: 200, error: null });
  });

  test.each([
    ['says nothing', () => {}],
    ['answers too late', answerAfter(PATIENT_MS)],
    ['answers 200 and drips its body without end', drip],
  ])('gives up on a receiver that %s after the total time', async (_, answer: Answer) => {
    receiver.answer = answer;
    const { status, error, durationMs } = await post(transportOf({ timeoutMs: TIMEOUT_MS }));
    expect({ status, kind: error?.kind }).toEqual({ status: null, kind: 'timeout' });
    expect(durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 5);
    expect(durationMs).toBeLessThan(PATIENT_MS);
  });
});

describe('the stored response', () => {
  test('stores the first 4 KB of a body without waiting for its end', async () => {
    let sent = 0;
    receiver.answer = (_, response) => {
      response.writeHead(200);
      const chunk = 'x'.repeat(16_384);
      const fill = () => {
        while (!response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return;
        }
      };
      response.on('drain', fill);
      response.on('error', () => {});
      fill();
    };
    const answer = await post(transportOf());
    expect(answer).toMatchObject({ status: 200, error: null, body: 'x'.repeat(4_096) });
    expect(sent).toBeLessThan(16 * 1_048_576);
  });

  test('stores the headers, repeated ones in one line', async () => {
    receiver.answer = (_, response) => void response.writeHead(200, { 'x-part': ['a', 'b'], 'content-type': 'text/plain' }).end('thanks');
    const answer = await post(transportOf());
    expect(answer).toMatchObject({ body: 'thanks', headers: { 'x-part': 'a, b', 'content-type': 'text/plain' } });
  });
});

describe('connections', () => {
  test('reuses connections for deliveries with the same network access, and never for those with less', async () => {
    const transport = transportOf();
    const before = receiver.connections();
    for (let n = 0; n < 20; n += 1) expect(await post(transport)).toMatchObject({ error: null });
    // The pool may open a second connection if the next delivery starts before the first connection is returned.
    expect(receiver.connections() - before).toBeLessThanOrEqual(2);
    expect((await post(transport, LIVE)).error?.kind).toBe('blocked');
  });

  test('connects to the checked address, without a second lookup that could return another one', async () => {
    let asked = 0;
    const lookup = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }];
    };
    expect(await post(transportOf({ lookup }))).toMatchObject({ status: 200, error: null });
    expect(asked).toBe(1);
  });

  test.each([
    ['plays dead', { code: 'ENOTFOUND' }, 'dns'],
    ['is busy', { code: 'EAI_AGAIN' }, 'dns'],
  ])('reports a resolver that %s as such', async (_, fault, kind) => {
    const lookup = async () => {
      throw Object.assign(new Error('lookup failed'), fault);
    };
    expect((await post(transportOf({ lookup }))).error?.kind).toBe(kind);
  });

  test('refuses a certificate of an unknown authority for every tenant', async () => {
    const untrusting = transportOf({ trust: createTrust() });
    const { status, error } = await post(untrusting);
    expect({ status, kind: error?.kind }).toEqual({ status: null, kind: 'tls' });
    expect(error?.message).not.toMatch(/CERT|UNABLE/);
  });
});
