// Chargebacks and reversals that processors report.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { money } from '../../../../core/kernel/money.ts';
import type { ReportedDispute } from '../../../../core/processing/gateways/connector.ts';
import { bankPayment, cardPayment, type LiveCore, openLiveCore } from '../../../support/live-core.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PAGE = { page: 1, limit: 20 };

describe.each([
  ['authorizenet', 'sqlite'],
  ['authorizenet', 'postgres'],
  ['nmi', 'sqlite'],
  ['nmi', 'postgres'],
] as const)('disputes at %s (%s)', (type, kind) => {
  let live: LiveCore;
  let simulator: Awaited<ReturnType<LiveCore['addSimulator']>>;
  beforeAll(async () => {
    live = await openLiveCore(kind);
    simulator = await live.addSimulator(type, {}, { cutoffTime: '23:00', timezone: 'America/New_York' });
    await live.core.disputes.cleanUp(live.actor.tenantId);
  });
  afterAll(() => live.close());

  const reference = (processorRef: string) => simulator.ledger.byOurReference(processorRef)[0]?.reference ?? '';
  /** Reads the reports of the next half day. */
  async function read(): Promise<void> {
    await live.advance(13 * HOUR);
    await live.core.disputes.readReports(live.actor.tenantId);
  }
  async function settledSale(amount: number) {
    const sale = await live.core.payments.createPayment(live.actor, cardPayment(amount));
    simulator.closeBatch();
    await live.advance(DAY);
    return { ...sale, reference: reference(sale.processorRef) };
  }
  const disputesOf = async (transactionId: string) => (await live.core.disputes.page(live.actor, { transactionId }, PAGE)).items;
  const eventsOf = async (transactionId: string) =>
    (
      await live.database
        .read(live.actor.tenantId)
        .all<{ type: string }>(
          "SELECT type FROM events WHERE tenant_id = :tenantId AND type LIKE 'chargeback.%' AND resource_id = :transactionId ORDER BY id",
          { transactionId },
        )
    ).map((event) => event.type);

  test('open a dispute by a chargeback, and win it by a reversal, with movements and events', async () => {
    const sale = await settledSale(80);
    simulator.ledger.chargeBack(sale.reference, { code: '13.1', reason: 'Merchandise not received' });
    await read();
    const [opened] = await disputesOf(sale.transactionId);
    expect(opened).toMatchObject({ status: 'open', origin: 'processor', amount: { minor: 8_000 }, withheldAmount: { minor: 8_000 } });
    expect(opened?.reasonCode).toBe(type === 'nmi' ? '13.1' : null);
    expect(await eventsOf(sale.transactionId)).toEqual(['chargeback.received']);
    await read();
    await read();
    expect(await disputesOf(sale.transactionId)).toHaveLength(1);
    simulator.ledger.reverseChargeback(sale.reference);
    await read();
    const won = await live.core.disputes.get(live.actor, opened?.disputeId ?? '');
    expect(won).toMatchObject({ status: 'won', withheldAmount: { minor: 0 }, returnedAmount: { minor: 8_000 } });
    expect(won.reports.map((report) => [report.kind, report.result])).toEqual([
      ['chargeback', 'opened'],
      ['reversal', 'advanced'],
    ]);
    expect(won.movements.map((movement) => movement.amount.minor)).toEqual([-8_000, 8_000]);
    expect(await eventsOf(sale.transactionId)).toEqual(['chargeback.received', 'chargeback.won']);
    // The payer's bank rejects the evidence.
    simulator.ledger.chargeBack(sale.reference);
    await read();
    expect(await disputesOf(sale.transactionId)).toMatchObject([{ status: 'prearbitration', withheldAmount: { minor: 8_000 } }]);
  });

  test('open and win a dispute whose chargeback was reversed before it was read', async () => {
    const sale = await settledSale(81);
    simulator.ledger.chargeBack(sale.reference);
    simulator.ledger.reverseChargeback(sale.reference);
    await read();
    expect(await disputesOf(sale.transactionId)).toMatchObject([{ status: 'won', withheldAmount: { minor: 0 } }]);
    expect(await eventsOf(sale.transactionId)).toEqual(['chargeback.received', 'chargeback.won']);
    await read();
    expect(await disputesOf(sale.transactionId)).toHaveLength(1);
  });

  test('open one dispute for ten parallel reports', async () => {
    const sale = await settledSale(82);
    const report: ReportedDispute = {
      kind: 'chargeback',
      reference: sale.reference,
      processorRef: sale.processorRef,
      amount: money(5_000, sale.currency),
      at: new Date().toISOString(),
    };
    const { tenantId } = live.actor;
    const received = { tenantId, gatewayId: simulator.gatewayId, processor: type, report };
    const results = await Promise.all(Array.from({ length: 10 }, () => live.core.disputes.recordReport(received)));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await disputesOf(sale.transactionId)).toMatchObject([{ amount: { minor: 5_000 } }]);
    expect(await eventsOf(sale.transactionId)).toHaveLength(1);
    const reversed: ReportedDispute = {
      ...report,
      kind: 'reversal',
      amount: money(2_000, sale.currency),
      at: new Date(Date.now() + 1).toISOString(),
    };
    await Promise.all(Array.from({ length: 10 }, () => live.core.disputes.recordReport({ ...received, report: reversed })));
    expect(await disputesOf(sale.transactionId)).toMatchObject([
      { status: 'won', withheldAmount: { minor: 3_000 }, returnedAmount: { minor: 2_000 } },
    ]);
    expect(await live.core.payments.get(live.actor, sale.transactionId)).toMatchObject({ disputedAmount: { minor: 3_000 } });
  });

  test('keep a dispute that a person recorded before the report, and leave a contradiction to a person', async () => {
    const sale = await settledSale(83);
    const { disputeId } = await live.core.disputes.open(live.actor, { transactionId: sale.transactionId, reasonCode: '10.4' });
    await live.core.disputes.accept(live.actor, disputeId);
    simulator.ledger.chargeBack(sale.reference);
    await read();
    simulator.ledger.reverseChargeback(sale.reference);
    await read();
    const kept = await live.core.disputes.get(live.actor, disputeId);
    expect(kept).toMatchObject({ status: 'accepted', withheldAmount: { minor: 8_300 } });
    expect(kept.reports.at(-1)).toMatchObject({ kind: 'reversal', result: 'conflict' });
    expect(await disputesOf(sale.transactionId)).toHaveLength(1);
  });

  test('leave a chargeback to a person that would withhold more than was captured', async () => {
    const { core, actor } = live;
    const sale = await settledSale(86);
    const { transactionId } = sale;
    const won = async () => {
      const { disputeId } = await core.disputes.open(actor, { transactionId });
      await core.disputes.conclude(actor, disputeId, { outcome: 'won' });
      return disputeId;
    };
    const first = await won();
    const second = await won();
    await core.disputes.conclude(actor, first, { outcome: 'prearbitration' });
    await core.disputes.conclude(actor, first, { outcome: 'lost' });
    const report = {
      kind: 'chargeback',
      reference: sale.reference,
      processorRef: sale.processorRef,
      amount: money(8_600, sale.currency),
      at: new Date(Date.now() + HOUR).toISOString(),
    } as const;
    await core.disputes.recordReport({ tenantId: actor.tenantId, gatewayId: simulator.gatewayId, processor: type, report });
    const kept = await core.disputes.get(actor, second);
    expect(kept).toMatchObject({ status: 'won', withheldAmount: { minor: 0 } });
    expect(kept.reports.at(-1)).toMatchObject({ kind: 'chargeback', result: 'conflict' });
    expect(await core.payments.get(actor, transactionId)).toMatchObject({ disputedAmount: { minor: 8_600 } });
  });

  // NMI refunds a payment before its batch is settled.
  if (type === 'authorizenet')
    test('end a refund that waits for the batch, with an event and an audit entry', async () => {
      const { core, actor } = live;
      const { transactionId } = await core.payments.createPayment(actor, cardPayment(87));
      const { refundId, status } = await core.payments.refund(actor, { transactionId, amount: 30 });
      expect(status).toBe('pending');
      await core.disputes.open(actor, { transactionId, amount: 87 });
      expect(await core.payments.getRefund(actor, refundId)).toMatchObject({
        status: 'failed',
        declineReason: 'The payment was charged back.',
      });
      const events = await live.database
        .read(actor.tenantId)
        .all<{ type: string }>(
          "SELECT type FROM events WHERE tenant_id = :tenantId AND type = 'refund.declined' AND resource_id = :transactionId",
          {
            transactionId,
          },
        );
      expect(events).toHaveLength(1);
      const audited = await live.database
        .read(actor.tenantId)
        .all<{ action: string; actor: string }>(
          'SELECT action, actor FROM audit_entries WHERE tenant_id = :tenantId AND resource = :resource',
          {
            resource: `refunds/${refundId}`,
          },
        );
      expect(audited).toMatchObject([{ action: 'transaction.refund', actor: 'service' }]);
    });

  test('list the chargeback of an unknown payment as a difference of reconciliation', async () => {
    const { core, actor, merchantId } = live;
    await core.settlement.settle(actor, merchantId);
    simulator.ledger.add({ ourReference: '', operation: 'sale', state: 'captured', amountMinor: 999, method: 'card', last4: '4242' });
    const sale = await settledSale(84);
    const unknown = simulator.ledger.all().find(({ amountMinor }) => amountMinor === 999);
    simulator.ledger.chargeBack(unknown?.reference ?? '');
    await read();
    expect(live.reported.map(({ message }) => message)).toContain('A chargeback of a processor requires a person');
    const [settled] = await core.settlement.settle(actor, merchantId);
    const run = await core.reconciliation.run(actor, { date: settled?.settlementDate ?? '' });
    const lines = await core.reconciliation.items(actor, run.runId ?? '', 'discrepancies', { page: 1, limit: 50 });
    const chargebacks = lines.items.filter((line) => line.kind === 'chargeback');
    expect(chargebacks.map((line) => [line.type, line.transactionId, line.settledAmount?.minor])).toEqual(
      expect.arrayContaining([['missing_in_transactions', null, -999]]),
    );
    expect(sale.transactionId).toBeDefined();
  });

  test('treat a returned bank payment as a return, not as a dispute', async () => {
    const sale = await live.core.payments.createPayment(live.actor, bankPayment(85));
    simulator.closeBatch();
    await live.advance(DAY);
    simulator.ledger.returnItem(reference(sale.processorRef), 'R10', 'Not Authorized');
    await read();
    await live.core.payments.readReturns(live.actor.tenantId);
    expect(await live.core.payments.get(live.actor, sale.transactionId)).toMatchObject({ returnCode: 'R10' });
    expect(await disputesOf(sale.transactionId)).toEqual([]);
  });
});
