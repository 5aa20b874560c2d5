// Answers that come after an attempt has ended otherwise, and looks that overlap.
import { expect, test } from 'vitest';
import { createHttpClient, type HttpClient } from '#core/gateways';
import { keyed, openLiveCore } from '../../../support/live-core.ts';
import { until } from '../../../support/until.ts';

const MINUTE = 60_000;

/** A wire that keeps answers back until it is let go; `held` resolves when a number of answers is kept back. */
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
    const { core, by } = live;
    const peer = await live.addPeer('nmi');
    peer.faults([{ do: 'drop-answer', on: ['sale'], nth: 1 }]);
    const error = await core.payments.sell(by, keyed(30)).catch((cause) => cause);
    const { transactionId } = error.details;
    peer.faults([{ do: 'http-500', on: ['query'] }]);
    for (let n = 0; n < 3; n += 1) await live.pass(30 * MINUTE);
    peer.faults();
    const { doubts } = await core.payments.doubts.list(by, {});
    const [doubt] = doubts;
    wire.hold();
    const asking = live.pass(60 * MINUTE);
    // Its lease is lost to nobody's fault: the machine slept.
    await wire.held(1);
    await live.database.unitOfWork.run(by.tenantId, (work) => work.run('UPDATE attempts SET lease_ms = 0 WHERE tenant_id = :tenantId', {}));
    await core.payments.doubts.conclude(by, doubt?.id ?? '', { outcome: 'failed', note: 'not on their screens' });
    wire.letGo();
    await asking;
    for (let n = 0; n < 3; n += 1) await live.pass(10 * MINUTE);
    const ended = await core.payments.get(by, transactionId);
    expect(ended.status).toBe('failed');
    expect(peer.ledger.byOurReference(ended.processorRef)[0]?.state).toBe('voided');
    const board = await core.payments.doubts.list(by, {});
    expect(board.doubts).toMatchObject([{ transactionId, stage: 'ended', alert: 'late-approval' }]);
  } finally {
    await live.close();
  }
});

test('does not reopen what a parallel check concluded', async () => {
  const wire = holding(createHttpClient());
  const live = await openLiveCore('sqlite', wire);
  try {
    const { core, by, database } = live;
    const peer = await live.addPeer('nmi');
    peer.faults([{ do: 'drop-answer', on: ['sale'], nth: 1 }]);
    const error = await core.payments.sell(by, keyed(31)).catch((cause) => cause);
    wire.hold();
    const first = live.pass(MINUTE);
    await wire.held(1);
    await database.unitOfWork.run(by.tenantId, (work) => work.run('UPDATE attempts SET lease_ms = 0 WHERE tenant_id = :tenantId', {}));
    const second = live.pass(1);
    await wire.held(2);
    wire.letGo();
    await Promise.all([first, second]);
    expect((await core.payments.get(by, error.details.transactionId)).status).toBe('approved');
    const open = await database.read(by.tenantId).all('SELECT id FROM attempts WHERE tenant_id = :tenantId AND due_ms IS NOT NULL');
    expect(open).toEqual([]);
  } finally {
    await live.close();
  }
});

test('looking twice in a row is one look: nothing is given up for it', async () => {
  const live = await openLiveCore();
  try {
    const { core, by } = live;
    const peer = await live.addPeer('authorizenet');
    peer.faults([{ do: 'drop-request', on: ['authCaptureTransaction'], nth: 1 }]);
    const error = await core.payments.sell(by, keyed(32)).catch((cause) => cause);
    peer.faults();
    await live.pass(30 * MINUTE);
    const [doubt] = (await core.payments.doubts.list(by, {})).doubts;
    await core.payments.doubts.inquire(by, doubt?.id ?? '');
    await core.payments.doubts.inquire(by, doubt?.id ?? '');
    expect((await core.payments.get(by, error.details.transactionId)).status).toBe('pending');
    await live.pass(6 * MINUTE);
    await live.pass(6 * MINUTE);
    expect((await core.payments.get(by, error.details.transactionId)).status).toBe('failed');
  } finally {
    await live.close();
  }
});

test("voids a payment here that was voided on the processor's own screens", async () => {
  const live = await openLiveCore();
  try {
    const { core, by } = live;
    const peer = await live.addPeer('authorizenet');
    const { transactionId, processorRef } = await core.payments.sell(by, keyed(33));
    const [entry] = peer.ledger.byOurReference(processorRef);
    if (entry) entry.state = 'voided';
    expect(await core.payments.voidTransaction(by, { transactionId })).toMatchObject({ status: 'voided' });
  } finally {
    await live.close();
  }
});
