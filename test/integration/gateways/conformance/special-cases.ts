// Outcomes of single operations.
import assert from 'node:assert/strict';
import { money } from '#core/kernel';
import type { ReturnedItem, SettlementLine } from '../../../../core/processing/gateways/connector.ts';
import {
  BANK,
  type CellSetup,
  type ConnectorHarness,
  newChargeRequest,
  newStatusInquiry,
  OWNER_IDS,
  referencedRequest,
  USD,
} from './harness.ts';
import { sellWith, startOperation } from './start-operation.ts';

type CaseRun = (harness: ConnectorHarness, setup: CellSetup) => Promise<void>;

const CHECK_LETTERS = { avs: ['Y', 'A', 'Z', 'N'], cvv: ['M', 'N', 'P', 'U'] };
const UNKNOWN_PAYMENT = { processorRef: 'NOBODYS', reference: '9' };

const applySetup = async (setup: CellSetup) => ('notOffered' in setup ? undefined : setup.before?.());
const refused = (outcome: unknown, code: string) => assert.partialDeepStrictEqual(outcome, { kind: 'not-sent', code });

async function sell(harness: ConnectorHarness, setup: CellSetup) {
  await applySetup(setup);
  return sellWith(harness, setup);
}

export const SPECIAL_CASES = {
  'sale: address and code checks': async (harness, setup) => {
    const { outcome } = await sell(harness, setup);
    assert.ok(outcome.kind === 'approved');
    assert.ok(
      CHECK_LETTERS.avs.includes(outcome.avsResponse ?? '') && CHECK_LETTERS.cvv.includes(outcome.cvvResponse ?? ''),
      JSON.stringify(outcome),
    );
  },
  'sale: held for review': async (harness, setup) => {
    const { order, outcome } = await sell(harness, setup);
    assert.equal(outcome.kind, 'pending');
    assert.equal((await harness.connector.inquire(newStatusInquiry(order, 'sale'))).kind, 'pending');
  },
  'sale: released after review': async (harness, setup) => {
    const { order } = await sell(harness, setup);
    await harness.decide?.(order.processorRef, 'release');
    assert.equal((await harness.connector.inquire(newStatusInquiry(order, 'sale'))).kind, 'approved');
  },
  'sale: refused after review': async (harness, setup) => {
    const { order } = await sell(harness, setup);
    await harness.decide?.(order.processorRef, 'refuse');
    assert.equal((await harness.connector.inquire(newStatusInquiry(order, 'sale'))).kind, 'declined');
  },
  'sale: partially approved': async (harness, setup) => {
    const { outcome } = await sell(harness, setup);
    assert.ok(outcome.kind === 'declined' && outcome.referenceToVoid !== undefined, JSON.stringify(outcome));
  },
  'sale: declined, void by the processor failed': async (harness, setup) => {
    const { outcome } = await sell(harness, setup);
    assert.ok(outcome.kind === 'declined' && outcome.referenceToVoid !== undefined, JSON.stringify(outcome));
  },
  'sale: advice on retries': async (harness, setup) => {
    const { outcome } = await sell(harness, setup);
    assert.ok(outcome.kind === 'declined' && outcome.advice !== undefined, JSON.stringify(outcome));
  },
  'sale: duplicate of an existing payment': async (harness, setup) => {
    const { order, outcome } = await sell(harness, setup);
    assert.ok(outcome.kind === 'approved' || outcome.kind === 'unknown', JSON.stringify(outcome));
    await harness.reset();
    assert.equal((await harness.connector.inquire(newStatusInquiry(order, 'sale'))).kind, 'approved');
    assert.equal(await harness.countPayments(order.processorRef), 1);
  },
  'sale: identical to another payment': async (harness, setup) => {
    const { order } = await sell(harness, setup);
    refused(await harness.connector.purchase({ ...order, processorRef: newChargeRequest({}).processorRef }), 'DUPLICATE_TRANSACTION');
  },
  'sale: found with another amount': async (harness, setup) => {
    const { order } = await sell(harness, setup);
    const other = { ...order, amount: money(order.amount.minor + 1, USD) };
    assert.partialDeepStrictEqual(await harness.connector.inquire(newStatusInquiry(other, 'sale')), {
      kind: 'unknown',
      alert: 'other-amount',
    });
  },
  'sale: several payments found': async (harness, setup) => {
    const { order } = await sell(harness, setup);
    await harness.connector.purchase({ ...order, amount: money(order.amount.minor + 100, USD) });
    assert.partialDeepStrictEqual(await harness.connector.inquire(newStatusInquiry(order, 'sale')), {
      kind: 'unknown',
      alert: 'several-found',
    });
  },
  'capture: partial': async (harness, setup) => {
    const order = newChargeRequest(setup);
    const part = referencedRequest(order, await harness.connector.authorize(order), 1_000);
    assert.equal((await harness.connector.capture(part)).kind, 'approved');
    assert.equal((await harness.connector.inquire(newStatusInquiry(part, 'capture'))).kind, 'approved');
  },
  'capture: repeated': async (harness, setup) => {
    const order = newChargeRequest(setup);
    const held = await harness.connector.authorize(order);
    await harness.connector.capture(referencedRequest(order, held, 1_000));
    refused(await harness.connector.capture(referencedRequest(order, held, 1_000)), 'ALREADY_CAPTURED');
  },
  'capture: above the authorization': async (harness, setup) => {
    const order = newChargeRequest(setup);
    const held = await harness.connector.authorize(order);
    refused(await harness.connector.capture(referencedRequest(order, held, order.amount.minor + 1)), 'INVALID_AMOUNT');
  },
  'cancel capture: approved': async (harness, setup) => {
    const order = newChargeRequest(setup);
    const held = await harness.connector.authorize(order);
    await harness.connector.capture(referencedRequest(order, held));
    assert.equal((await harness.connector.cancelCapture(referencedRequest(order, held))).kind, 'approved');
  },
  'cancel capture: refused': async (harness, setup) => {
    const order = newChargeRequest(setup);
    const held = await harness.connector.authorize(order);
    await harness.connector.capture(referencedRequest(order, held));
    refused(await harness.connector.cancelCapture(referencedRequest(order, held)), 'RESOURCE_CONFLICT');
  },
  'void: too late': async (harness, setup) => {
    const { order, outcome } = await sell(harness, setup);
    await harness.closeBatch();
    refused(await harness.connector.void(referencedRequest(order, outcome)), 'RESOURCE_CONFLICT');
  },
  'void: repeated': async (harness, setup) => {
    const { order, outcome } = await sell(harness, setup);
    assert.equal((await harness.connector.void(referencedRequest(order, outcome))).kind, 'approved');
    refused(await harness.connector.void(referencedRequest(order, outcome)), 'ALREADY_VOIDED');
  },
  'void: unknown payment': async (harness, setup) => {
    const { order, outcome } = await sell(harness, setup);
    const question = { ...referencedRequest(order, outcome), original: UNKNOWN_PAYMENT };
    assert.partialDeepStrictEqual(await harness.connector.void(question), { kind: 'not-sent', alert: 'unknown-original' });
  },
  'refund: partial, before settlement': async (harness, setup) => {
    const { order, outcome } = await sell(harness, setup);
    assert.equal((await harness.connector.refund(referencedRequest(order, outcome, 500))).kind, 'approved');
  },
  'refund: partial, waits for the batch': async (harness, setup) => {
    const { order, outcome } = await sell(harness, setup);
    const early = referencedRequest(order, outcome, 500);
    assert.partialDeepStrictEqual(await harness.connector.refund(early), { kind: 'not-sent', retry: 'after-batch' });
    await harness.closeBatch();
    const late = referencedRequest(order, outcome, 500);
    assert.equal((await harness.connector.refund(late)).kind, 'approved');
  },
  'refund: partial, after settlement': async (harness, setup) => {
    const { order, outcome } = await sell(harness, setup);
    await harness.closeBatch();
    assert.equal((await harness.connector.refund(referencedRequest(order, outcome, 500))).kind, 'approved');
  },
  'refund: above the payment': async (harness, setup) => {
    const { order, outcome } = await sell(harness, setup);
    await harness.closeBatch();
    refused(await harness.connector.refund(referencedRequest(order, outcome, order.amount.minor + 1)), 'INVALID_AMOUNT');
  },
  'refund: declined': async (harness, setup) => {
    const start = await startOperation(harness, 'refund', setup);
    await applySetup(setup);
    assert.equal((await start.send(harness.connector)).kind, 'declined');
  },
  'credit: not allowed': async (harness, setup) => {
    await applySetup(setup);
    refused(await harness.connector.credit(newChargeRequest(setup)), 'NOT_REFUNDABLE');
  },
  'ACH: sale': async (harness, setup) => {
    const { order, outcome } = await sellWith(harness, setup, { source: BANK });
    assert.equal(outcome.kind, 'approved');
    assert.equal((await harness.connector.inquire(newStatusInquiry(order, 'sale'))).kind, 'approved');
  },
  'ACH: void': async (harness, setup) => {
    const { order, outcome } = await sellWith(harness, setup, { source: BANK });
    assert.equal((await harness.connector.void(referencedRequest(order, outcome))).kind, 'approved');
  },
  'ACH: refund': async (harness, setup) => {
    const start = await startOperation(harness, 'refund', setup, { source: BANK });
    assert.equal((await start.send(harness.connector)).kind, 'approved');
  },
  'ACH: credit': async (harness, setup) => {
    assert.equal((await harness.connector.credit(newChargeRequest(setup, { source: BANK, secCode: 'PPD' }))).kind, 'approved');
  },
  'ACH: declined': async (harness, setup) => {
    await applySetup(setup);
    assert.equal((await sellWith(harness, setup, { source: BANK })).outcome.kind, 'declined');
  },
  'ACH: bad routing number': async (harness, setup) => {
    const { outcome } = await sellWith(harness, setup, { source: { ...BANK, routingNumber: '123456789' } });
    refused(outcome, 'VALIDATION_ERROR');
  },
  'ACH: returned later': async (harness, setup) => {
    const { order } = await sellWith(harness, setup, { source: BANK });
    await harness.closeBatch();
    await harness.returnPayment?.(order.processorRef);
    const items: ReturnedItem[] = [];
    for await (const page of harness.connector.returns?.(period()) ?? []) items.push(...page);
    const [item] = items.filter(({ processorRef }) => processorRef === order.processorRef);
    assert.partialDeepStrictEqual(item, { returnCode: 'R01', amount: order.amount });
  },
  'stored card: first': async (harness, setup) => {
    const { outcome } = await sellWith(harness, setup, {
      channel: 'recurring',
      storedCredential: { use: 'first', initiator: 'customer', purpose: 'recurring' },
    });
    assert.ok(outcome.kind === 'approved' && outcome.credentialReference !== undefined, JSON.stringify(outcome));
  },
  'stored card: later, by the customer': (harness, setup) => chargedLater(harness, setup, 'customer'),
  'stored card: later, by the merchant': (harness, setup) => chargedLater(harness, setup, 'merchant'),
  'settlement: lines match the ledger': async (harness, setup) => {
    const { order, outcome } = await sellWith(harness, setup);
    await harness.closeBatch();
    const refund = referencedRequest(order, outcome, 500);
    await harness.connector.refund(refund);
    await harness.closeBatch();
    const lines = (await reported(harness)).filter(({ processorRef }) => [order.processorRef, refund.processorRef].includes(processorRef));
    assert.deepEqual(lines.map(({ kind, amount }) => `${kind} ${amount.minor}`).sort(), [`capture ${order.amount.minor}`, 'refund 500']);
  },
  'settlement: no report without a response': async (harness, setup) => {
    await applySetup(setup);
    await assert.rejects(reported(harness));
  },
  'account check: valid': async (harness) => {
    assert.equal((await harness.check?.())?.kind, 'ok');
  },
  'account check: wrong credentials': async (harness) => {
    assert.equal((await harness.check?.('keyless'))?.kind, 'refused');
  },
  'account check: other environment': async (harness, setup) => {
    await applySetup(setup);
    assert.equal((await harness.check?.('other-world'))?.kind, 'refused');
  },
  'account check: no response': async (harness, setup) => {
    await applySetup(setup);
    assert.equal((await harness.check?.())?.kind, 'unreachable');
  },
} satisfies Record<string, CaseRun>;

async function chargedLater(harness: ConnectorHarness, setup: CellSetup, initiator: 'customer' | 'merchant'): Promise<void> {
  const { order, outcome } = await sellWith(harness, setup, {
    storedCredential: { use: 'first', initiator: 'customer', purpose: 'unscheduled' },
  });
  assert.ok(outcome.kind === 'approved' && outcome.credentialReference !== undefined && order.source.kind === 'card');
  const { cvv: _, ...source } = order.source;
  const first = { credentialReference: outcome.credentialReference, amount: order.amount };
  const later = await sellWith(harness, setup, {
    source,
    channel: initiator === 'merchant' ? 'unscheduled' : 'phone',
    storedCredential: { use: 'later', initiator: initiator, purpose: 'unscheduled', first },
  });
  assert.equal(later.outcome.kind, 'approved', JSON.stringify(later.outcome));
}

const DAY_MS = 86_400_000;
const period = () => ({
  tenantId: OWNER_IDS.tenantId,
  from: new Date(Date.now() - DAY_MS).toISOString(),
  to: new Date(Date.now() + DAY_MS).toISOString(),
});

async function reported(harness: ConnectorHarness): Promise<SettlementLine[]> {
  const lines: SettlementLine[] = [];
  const report = harness.connector.settlementReport(period());
  for await (const page of report instanceof Promise ? [await report] : report) lines.push(...page);
  return lines;
}
