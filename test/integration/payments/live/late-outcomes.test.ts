// Responses that arrive after an attempt was concluded otherwise, and overlapping inquiries.
import { expect, test } from 'vitest';
import { createHttpClient, type HttpClient } from '#core/processing/gateways';
import { cardPayment, openLiveCore } from '../../../support/live-core.ts';
import { until } from '../../../support/until.ts';

const MINUTE = 60_000;

/** An HTTP client that holds responses back until they are released; `held` resolves when that many responses are held. */
function holding(inner: HttpClient): HttpClient & { hold(): void; letGo(): void; held(count: number): Promise<unknown> } {
  let waiting = 0;
  let gate: Promise<void> | null = null;
  let open = () => {};
  return {
    async post(request) {
      const answer = await inner.post(request);
      waiting += 1;
      await gate;
      waiting -= 1;
      return answer;
    },
    get: (request) => inner.get(request),
    close: () => inner.close(),
    held: (count) => until(`${count} answers are kept back`, () => waiting >= count),
    hold() {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    letGo() {
      gate = null;
      open();
    },
  };
}

test('voids a payment that a person concluded as failed and the gateway approves later, and reports it', async () => {
  const wire = holding(createHttpClient());
  const live = await openLiveCore('sqlite', wire);
  try {
    const { core, actor } = live;
    const simulator = await live.addSimulator('nmi');
    simulator.faults([{ do: 'drop-answer', on: ['sale'], nth: 1 }]);
    const error = await core.payments.createPayment(actor, cardPayment(30)).catch((cause) => cause);
    const { transactionId } = error.details;
    simulator.faults([{ do: 'http-500', on: ['query'] }]);
    for (let n = 0; n < 3; n += 1) await live.advance(30 * MINUTE);
    simulator.faults();
    const { payments: unconfirmedPayments } = await core.payments.unconfirmed.list(actor, {});
    const [unconfirmedPayment] = unconfirmedPayments;
    wire.hold();
    const asking = live.advance(60 * MINUTE);
    // Its lease expired without a fault, because the computer was asleep.
    await wire.held(1);
    await live.database.unitOfWork.transaction(actor.tenantId, (work) =>
      work.run('UPDATE attempts SET lease_ms = 0 WHERE tenant_id = :tenantId', {}),
    );
    await core.payments.unconfirmed.conclude(actor, unconfirmedPayment?.id ?? '', { outcome: 'failed', note: 'not on their screens' });
    wire.letGo();
    await asking;
    for (let n = 0; n < 3; n += 1) await live.advance(10 * MINUTE);
    const ended = await core.payments.get(actor, transactionId);
    expect(ended.status).toBe('failed');
    expect(simulator.ledger.byOurReference(ended.processorRef)[0]?.state).toBe('voided');
    const board = await core.payments.unconfirmed.list(actor, {});
    expect(board.payments).toMatchObject([{ transactionId, stage: 'ended', alert: 'late-approval' }]);
  } finally {
    await live.close();
  }
});

test('does not reopen what a parallel check concluded', async () => {
  const wire = holding(createHttpClient());
  const live = await openLiveCore('sqlite', wire);
  try {
    const { core, actor, database } = live;
    const simulator = await live.addSimulator('nmi');
    simulator.faults([{ do: 'drop-answer', on: ['sale'], nth: 1 }]);
    const error = await core.payments.createPayment(actor, cardPayment(31)).catch((cause) => cause);
    wire.hold();
    const first = live.advance(MINUTE);
    await wire.held(1);
    await database.unitOfWork.transaction(actor.tenantId, (work) =>
      work.run('UPDATE attempts SET lease_ms = 0 WHERE tenant_id = :tenantId', {}),
    );
    const second = live.advance(1);
    await wire.held(2);
    wire.letGo();
    await Promise.all([first, second]);
    expect((await core.payments.get(actor, error.details.transactionId)).status).toBe('approved');
    const open = await database.read(actor.tenantId).all('SELECT id FROM attempts WHERE tenant_id = :tenantId AND due_ms IS NOT NULL');
    expect(open).toEqual([]);
  } finally {
    await live.close();
  }
});

test('counts two inquiries in a row as one, and does not fail the payment early', async () => {
  const live = await openLiveCore();
  try {
    const { core, actor } = live;
    const simulator = await live.addSimulator('authorizenet');
    simulator.faults([{ do: 'drop-request', on: ['authCaptureTransaction'], nth: 1 }]);
    const error = await core.payments.createPayment(actor, cardPayment(32)).catch((cause) => cause);
    simulator.faults();
    await live.advance(30 * MINUTE);
    const [unconfirmedPayment] = (await core.payments.unconfirmed.list(actor, {})).payments;
    await core.payments.unconfirmed.inquire(actor, unconfirmedPayment?.id ?? '');
    await core.payments.unconfirmed.inquire(actor, unconfirmedPayment?.id ?? '');
    expect((await core.payments.get(actor, error.details.transactionId)).status).toBe('pending');
    await live.advance(6 * MINUTE);
    await live.advance(6 * MINUTE);
    expect((await core.payments.get(actor, error.details.transactionId)).status).toBe('failed');
  } finally {
    await live.close();
  }
});

test("voids a payment here that was voided on the processor's own screens", async () => {
  const live = await openLiveCore();
  try {
    const { core, actor } = live;
    const simulator = await live.addSimulator('authorizenet');
    const { transactionId, processorRef } = await core.payments.createPayment(actor, cardPayment(33));
    const [entry] = simulator.ledger.byOurReference(processorRef);
    if (entry) entry.state = 'voided';
    expect(await core.payments.voidTransaction(actor, { transactionId })).toMatchObject({ status: 'voided' });
  } finally {
    await live.close();
  }
});
