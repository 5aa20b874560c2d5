// Mixed operations through the service over a connection that loses one response in twenty. PAYDESK_MIX=10000 runs the long version.
import { expect, test } from 'vitest';
import { ServiceError } from '#core/kernel';
import { createHttpClient, type HttpClient } from '#core/processing/gateways';
import { checkBalances } from '#core/records/ledger';
import { bankPayment, cardPayment, type LiveCore, openLiveCore } from '../../../support/live-core.ts';
import { FULL } from '../../../support/tier.ts';

const OPERATIONS = Number(process.env.PAYDESK_MIX ?? 300);
const SEED = Number(process.env.PAYDESK_MIX_SEED ?? 11);
const TIMEOUT_MS = 250;
const AT_ONCE = 8;
/** Approximate number of batches in a run: some days of them. */
const BATCHES = 5;

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

/** Abandons every request after a time limit; a later response is lost. */
const impatient = (wire: HttpClient): HttpClient => ({ ...wire, post: (request) => wire.post({ ...request, timeoutMs: TIMEOUT_MS }) });

/** A refusal with an error code is a valid result; any other error is a fault. */
const refusable = async <Result>(operation: Promise<Result>): Promise<Result | null> => {
  try {
    return await operation;
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'INTERNAL_ERROR') return null;
    throw error;
  }
};

async function run(live: LiveCore, closeBatch: () => unknown): Promise<void> {
  const random = seeded(SEED);
  const { core, actor } = live;
  const payments: string[] = [];
  const below = (most: number) => (1 + Math.floor(random() * most * 100)) / 100;
  let left = OPERATIONS;

  async function pay(): Promise<void> {
    const type = random() < 0.35 ? 'auth' : 'sale';
    const amount = 1 + below(80);
    const billing = random() < 0.05 ? { zip: '46282' } : undefined;
    const sale = random() < 0.25 ? bankPayment(amount) : cardPayment(amount, { type, billing });
    const made = await refusable(core.payments.createPayment(actor, sale));
    if (made?.status === 'approved') payments.push(made.transactionId);
  }

  async function change(transactionId: string): Promise<void> {
    const { captured, capturedAmount, amount } = await core.payments.get(actor, transactionId);
    const dice = random();
    if (!captured) {
      const part = Math.max(0.01, Math.round(amount.minor * random()) / 100);
      await refusable(
        dice < 0.75
          ? core.payments.capture(actor, { transactionId, amount: part })
          : core.payments.voidTransaction(actor, { transactionId, reason: 'mix' }),
      );
    } else if (dice < 0.15) await refusable(core.payments.cancelCapture(actor, { transactionId }));
    else if (dice < 0.3) await refusable(core.payments.voidTransaction(actor, { transactionId }));
    else if (dice < 0.5) await refusable(core.payments.refund(actor, { transactionId }));
    else if (dice < 0.9) await refusable(core.payments.refund(actor, { transactionId, amount: below(capturedAmount.minor / 200) }));
    else await refusable(core.payments.createUnlinkedCredit(actor, { transactionId, amount: 1 + below(10) }));
  }

  async function work(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const dice = random();
      if (dice < BATCHES / OPERATIONS) {
        await live.advance(11 * 3_600_000);
        closeBatch();
        await live.advance(13 * 3_600_000);
      } else if (dice < 0.05) await live.advance(20_000);
      const known = payments[Math.floor(random() * payments.length)];
      await (random() < 0.5 && known !== undefined ? change(known) : pay());
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

const TITLE = "%s: our records and the processor's are equal to the cent, and nothing is charged twice";
const TIME_LIMIT_MS = 120_000 + OPERATIONS * 400;

/** Runs mixed operations at a simulator of the processor, and compares its records with ours. */
async function checkRecords(type: string): Promise<void> {
  const wire = impatient(createHttpClient());
  const live = await openLiveCore('sqlite', wire);
  try {
    const simulator = await live.addSimulator(type, { seed: SEED });
    simulator.faults([
      { do: 'drop-answer', share: 0.05 },
      { do: 'drop-request', share: 0.02 },
      { do: 'delay', ms: TIMEOUT_MS * 2, share: 0.01 },
      { do: 'delay', ms: 5, share: 0.1 },
      { do: 'busy', share: 0.01 },
    ]);
    // A payment that the merchant's rules decline after its batch has closed needs a person.
    await live.core.merchants.changeSection(live.actor, live.merchantId, 'fraud-settings', { declineOnAvs: [], declineOnCvv: [] });
    await run(live, simulator.closeBatch);
    const read = live.database.read(live.actor.tenantId);
    const open = () =>
      read.all<{ operation: string }>(
        `SELECT a.operation, a.state, a.alert, a.missed, a.inquiries, t.status, t.captured_minor, t.refunded_minor, t.capture_held_until, t.returned_at
         FROM attempts a JOIN transactions t ON t.tenant_id = a.tenant_id AND t.id = a.transaction_id WHERE a.tenant_id = :tenantId AND a.due_ms IS NOT NULL`,
      );
    for (let n = 0; n < 200 && (await open()).length > 0; n += 1) {
      if (n % 8 === 0) simulator.closeBatch();
      // Three consecutive lost responses count as an outage, and its probe waits for real time: a person requests the check.
      await live.core.merchants.gateways.check(live.actor, live.merchantId, simulator.gatewayId);
      await live.advance(3 * 3_600_000);
    }
    expect(await open(), JSON.stringify(live.reported.slice(-3))).toEqual([]);

    const [sums] = await read.all<{ charged: number; paid_out: number; voided: number }>(
      `SELECT (SELECT coalesce(sum(captured_minor), 0) FROM transactions WHERE tenant_id = :tenantId AND status = 'approved' AND type <> 'credit') AS charged,
              (SELECT coalesce(sum(amount_minor), 0) FROM transactions WHERE tenant_id = :tenantId AND status = 'approved' AND type = 'credit')
              + (SELECT coalesce(sum(amount_minor), 0) FROM refunds WHERE tenant_id = :tenantId AND status = 'approved' AND sent_as IS NULL) AS paid_out,
              (SELECT coalesce(sum(amount_minor), 0) FROM refunds WHERE tenant_id = :tenantId AND status = 'approved' AND sent_as = 'void') AS voided`,
    );
    const books = simulator.ledger.totals();
    expect({ charged: Number(sums?.charged) - Number(sums?.voided), paidOut: Number(sums?.paid_out) }).toEqual({
      charged: books.charged,
      paidOut: books.paidOut,
    });
    const references = await read.all<{ processor_ref: string }>('SELECT processor_ref FROM attempts WHERE tenant_id = :tenantId');
    for (const { processor_ref } of references) expect(simulator.ledger.byOurReference(processor_ref).length).toBeLessThanOrEqual(1);
    expect(books.charged).toBeGreaterThan(0);
    expect(await checkBalances(live.database)).toEqual([]);
  } finally {
    await live.close();
  }
}

test.each(['nmi'])(TITLE, { timeout: TIME_LIMIT_MS }, checkRecords);

test.each(['authorizenet'])(TITLE, { ...FULL, timeout: TIME_LIMIT_MS }, checkRecords);
