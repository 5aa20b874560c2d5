import { randomUUID } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import type { Answer } from './api-client.ts';
import { CARDS, type RefundRecord, type TransactionRecord } from './sales.ts';
import type { Api } from './server.ts';
import { pause } from './until.ts';

const PAUSE_MS = 100;

/** A request that was told its outcome: repeated with its key, it gets the same bytes. */
export interface Told {
  readonly key: string;
  readonly path: string;
  readonly body: object;
  readonly status: number;
  readonly text: string;
}

/** A sale as the shop knows it, in cents. */
interface Sold {
  readonly transactionId: string;
  readonly amount: number;
  refunded: number;
}

export interface MixedLoad {
  /** What the shop was told, each key once. */
  readonly told: readonly Told[];
  readonly sold: readonly Sold[];
  /** Every answered request: when it began (`performance.now()`), its duration in milliseconds, status and body. */
  readonly answers: readonly { readonly beganAt: number; readonly ms: number; readonly status: number; readonly text: string }[];
  /** Begins no more, waits until every request was told its outcome, and answers how many were told that it is not known. */
  finish(): Promise<number>;
}

/**
 * Sells and gives back in parts, many at once, each under an Idempotency-Key that is repeated at whichever station answers until its outcome is
 * told: as a till does whose service went away.
 */
export function startMixedLoad(clients: number, anyStation: () => Api | undefined, betweenMs = 0): MixedLoad {
  const told: Told[] = [];
  const sold: Sold[] = [];
  const answers: { beganAt: number; ms: number; status: number; text: string }[] = [];
  let isOver = false;
  let isAbandoned = false;
  // After a failed test the clients stop, so that its servers can stop as well.
  onTestFinished(() => {
    isAbandoned = true;
  });
  let unknown = 0;
  let made = 0;

  /** Asks until the outcome is told. */
  async function insist<Data>(path: string, body: object): Promise<Answer<Data>> {
    for (const key = randomUUID(); ; await pause(PAUSE_MS)) {
      if (isAbandoned) throw new Error('The test has ended.');
      const beganAt = performance.now();
      const answer = await anyStation()
        ?.public.post<Data>(path, body, { 'Idempotency-Key': key })
        .catch(() => undefined);
      if (!answer) continue;
      const { status, text } = answer;
      answers.push({ beganAt, ms: performance.now() - beganAt, status, text });
      if (status === 503 || (status === 409 && answer.headers.has('retry-after'))) continue;
      expect([200, 409, 502], text).toContain(status);
      // One refund at a time of a sale: another station may still be busy with the one before.
      if (status === 409 && !text.includes('operation_in_progress')) throw new Error(text);
      if (status !== 409) told.push({ key, path, body, status, text });
      if (status !== 409) return answer;
    }
  }

  async function sell(): Promise<void> {
    made += 1;
    const amount = 1_000 + made;
    const { status, body } = await insist<TransactionRecord>('/transaction', {
      Amount: (amount / 100).toFixed(2),
      CardNumber: CARDS.visa,
      ExpiryMonth: '12',
      ExpiryYear: '2045',
      CVV: '123',
      BillingCustomerName: `Order ${made}`,
    });
    if (status === 200) sold.push({ transactionId: body.data.transactionId, amount, refunded: 0 });
    else if (body.error.code === 'GATEWAY_TIMEOUT') unknown += 1;
  }

  async function giveBack(of: Sold, amount: number): Promise<void> {
    of.refunded += amount;
    const { status, body } = await insist<RefundRecord>('/refund', { transactionId: of.transactionId, amount: (amount / 100).toFixed(2) });
    if (status !== 200) of.refunded -= amount;
    if (status !== 200 && body.error.code === 'GATEWAY_TIMEOUT') unknown += 1;
  }

  async function client(index: number): Promise<void> {
    for (let turn = index; !isOver; turn += 1) {
      // Each client gives back of its own sales alone, so that it never meets itself at another station.
      const own = sold.filter((_, place) => place % clients === index).find(({ amount, refunded }) => refunded === 0 && amount > 0);
      if (turn % 3 === 0 && own) await giveBack(own, 1 + (turn % own.amount));
      else await sell();
      if (betweenMs > 0) await pause(betweenMs);
    }
  }

  const working = Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  // `finish` rejects with a failure; before that it is not an unhandled rejection.
  working.catch(() => {});
  return {
    told,
    sold,
    answers,
    async finish() {
      isOver = true;
      await working;
      return unknown;
    },
  };
}
