import { randomUUID } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import type { Answer } from './api-client.ts';
import { CARDS, type RefundRecord, type TransactionRecord } from './sales.ts';
import type { Api } from './server.ts';
import { pause } from './until.ts';

const PAUSE_MS = 100;

/** A request whose response arrived: repeated with its key, it gets the same bytes. */
interface AnsweredRequest {
  readonly key: string;
  readonly path: string;
  readonly body: object;
  readonly status: number;
  readonly text: string;
}

/** A sale from the shop's view, in cents. */
interface SaleRecord {
  readonly transactionId: string;
  readonly amount: number;
  refunded: number;
}

interface MixedLoad {
  /** The requests that were answered, each key once. */
  readonly answered: readonly AnsweredRequest[];
  readonly sales: readonly SaleRecord[];
  /** Every answered request: when it began (`performance.now()`), its duration in milliseconds, status and body. */
  readonly answers: readonly { readonly beganAt: number; readonly ms: number; readonly status: number; readonly text: string }[];
  /** Starts no further requests, waits until every request is answered, and returns the number of unknown outcomes. */
  finish(): Promise<number>;
}

/**
 * Makes sales and partial refunds concurrently, each under an Idempotency-Key that is repeated at any available workstation until it is
 * answered, like a cash register whose service is unavailable.
 */
export function startMixedLoad(clients: number, anyWorkstation: () => Api | undefined, pauseBetweenMs = 0): MixedLoad {
  const answered: AnsweredRequest[] = [];
  const sales: SaleRecord[] = [];
  const answers: { beganAt: number; ms: number; status: number; text: string }[] = [];
  let isOver = false;
  let isAbandoned = false;
  // After a failed test the clients stop, so that its servers can stop as well.
  onTestFinished(() => {
    isAbandoned = true;
  });
  let unknownOutcomes = 0;
  let salesCreated = 0;

  /** Repeats a request until it is answered. */
  async function sendUntilAnswered<Data>(path: string, body: object): Promise<Answer<Data>> {
    for (const key = randomUUID(); ; await pause(PAUSE_MS)) {
      if (isAbandoned) throw new Error('The test has ended.');
      const beganAt = performance.now();
      const answer = await anyWorkstation()
        ?.public.post<Data>(path, body, { 'Idempotency-Key': key })
        .catch(() => undefined);
      if (!answer) continue;
      const { status, text } = answer;
      answers.push({ beganAt, ms: performance.now() - beganAt, status, text });
      if (status === 503 || (status === 409 && answer.headers.has('retry-after'))) continue;
      expect([200, 409, 502], text).toContain(status);
      // A sale has one refund at a time: another workstation may still process the previous one.
      if (status === 409 && !text.includes('operation_in_progress')) throw new Error(text);
      if (status !== 409) answered.push({ key, path, body, status, text });
      if (status !== 409) return answer;
    }
  }

  async function sell(): Promise<void> {
    salesCreated += 1;
    const amount = 1_000 + salesCreated;
    const { status, body } = await sendUntilAnswered<TransactionRecord>('/transaction', {
      Amount: (amount / 100).toFixed(2),
      CardNumber: CARDS.visa,
      ExpiryMonth: '12',
      ExpiryYear: '2045',
      CVV: '123',
      BillingCustomerName: `Order ${salesCreated}`,
    });
    if (status === 200) sales.push({ transactionId: body.data.transactionId, amount, refunded: 0 });
    else if (body.error.code === 'GATEWAY_TIMEOUT') unknownOutcomes += 1;
  }

  async function refund(sale: SaleRecord, amount: number): Promise<void> {
    sale.refunded += amount;
    const { status, body } = await sendUntilAnswered<RefundRecord>('/refund', {
      transactionId: sale.transactionId,
      amount: (amount / 100).toFixed(2),
    });
    if (status !== 200) sale.refunded -= amount;
    if (status !== 200 && body.error.code === 'GATEWAY_TIMEOUT') unknownOutcomes += 1;
  }

  async function client(index: number): Promise<void> {
    for (let turn = index; !isOver; turn += 1) {
      // Each client refunds only its own sales, so that it never competes with itself at another workstation.
      const refundable = sales
        .filter((_, position) => position % clients === index)
        .find(({ amount, refunded }) => refunded === 0 && amount > 0);
      if (turn % 3 === 0 && refundable) await refund(refundable, 1 + (turn % refundable.amount));
      else await sell();
      if (pauseBetweenMs > 0) await pause(pauseBetweenMs);
    }
  }

  const running = Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  // `finish` rejects with a failure; before that it is not an unhandled rejection.
  running.catch(() => {});
  return {
    answered,
    sales,
    answers,
    async finish() {
      isOver = true;
      await running;
      return unknownOutcomes;
    },
  };
}
