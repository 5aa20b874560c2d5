// Outcomes that belong to one operation alone.
import assert from 'node:assert/strict';
import { money } from '#core/kernel';
import type { ReturnedItem, SettlementLine } from '../../../../core/gateways/connector.ts';
import { begin, sold } from './begin.ts';
import { BANK, type Bench, followUp, type How, inquiryOf, orderOf, USD, WHOSE } from './bench.ts';

type Play = (bench: Bench, how: How) => Promise<void>;

const LETTERS = { avs: ['Y', 'A', 'Z', 'N'], cvv: ['M', 'N', 'P', 'U'] };
const ELSEWHERE = { processorRef: 'NOBODYS', reference: '9' };

const before = async (how: How) => ('not' in how ? undefined : how.before?.());
const refused = (outcome: unknown, code: string) => assert.partialDeepStrictEqual(outcome, { kind: 'not-sent', code });

async function sell(bench: Bench, how: How) {
  await before(how);
  return sold(bench, how);
}

export const MATTERS = {
  'sale: address and code told': async (bench, how) => {
    const { outcome } = await sell(bench, how);
    assert.ok(outcome.kind === 'approved');
    assert.ok(LETTERS.avs.includes(outcome.avsResponse ?? '') && LETTERS.cvv.includes(outcome.cvvResponse ?? ''), JSON.stringify(outcome));
  },
  'sale: held for review': async (bench, how) => {
    const { order, outcome } = await sell(bench, how);
    assert.equal(outcome.kind, 'pending');
    assert.equal((await bench.connector.inquire(inquiryOf(order, 'sale'))).kind, 'pending');
  },
  'sale: released after review': async (bench, how) => {
    const { order } = await sell(bench, how);
    await bench.decide?.(order.processorRef, 'release');
    assert.equal((await bench.connector.inquire(inquiryOf(order, 'sale'))).kind, 'approved');
  },
  'sale: refused after review': async (bench, how) => {
    const { order } = await sell(bench, how);
    await bench.decide?.(order.processorRef, 'refuse');
    assert.equal((await bench.connector.inquire(inquiryOf(order, 'sale'))).kind, 'declined');
  },
  'sale: a part approved': async (bench, how) => {
    const { outcome } = await sell(bench, how);
    assert.ok(outcome.kind === 'declined' && outcome.heldUnder !== undefined, JSON.stringify(outcome));
  },
  'sale: declined, its own void failed': async (bench, how) => {
    const { outcome } = await sell(bench, how);
    assert.ok(outcome.kind === 'declined' && outcome.heldUnder !== undefined, JSON.stringify(outcome));
  },
  'sale: advice on trying again': async (bench, how) => {
    const { outcome } = await sell(bench, how);
    assert.ok(outcome.kind === 'declined' && outcome.advice !== undefined, JSON.stringify(outcome));
  },
  'sale: duplicate that had landed': async (bench, how) => {
    const { order, outcome } = await sell(bench, how);
    assert.ok(outcome.kind === 'approved' || outcome.kind === 'unknown', JSON.stringify(outcome));
    await bench.reset();
    assert.equal((await bench.connector.inquire(inquiryOf(order, 'sale'))).kind, 'approved');
    assert.equal(await bench.landed(order.processorRef), 1);
  },
  'sale: equal to another payment': async (bench, how) => {
    const { order } = await sell(bench, how);
    refused(await bench.connector.sell({ ...order, processorRef: orderOf({}).processorRef }), 'DUPLICATE_TRANSACTION');
  },
  'sale: found with another amount': async (bench, how) => {
    const { order } = await sell(bench, how);
    const other = { ...order, amount: money(order.amount.minor + 1, USD) };
    assert.partialDeepStrictEqual(await bench.connector.inquire(inquiryOf(other, 'sale')), { kind: 'unknown', alert: 'other-amount' });
  },
  'sale: found several times': async (bench, how) => {
    const { order } = await sell(bench, how);
    await bench.connector.sell({ ...order, amount: money(order.amount.minor + 100, USD) });
    assert.partialDeepStrictEqual(await bench.connector.inquire(inquiryOf(order, 'sale')), { kind: 'unknown', alert: 'several-found' });
  },
  'capture: in part': async (bench, how) => {
    const order = orderOf(how);
    const part = followUp(order, await bench.connector.authorize(order), 1_000);
    assert.equal((await bench.connector.capture(part)).kind, 'approved');
    assert.equal((await bench.connector.inquire(inquiryOf(part, 'capture'))).kind, 'approved');
  },
  'capture: a second time': async (bench, how) => {
    const order = orderOf(how);
    const held = await bench.connector.authorize(order);
    await bench.connector.capture(followUp(order, held, 1_000));
    refused(await bench.connector.capture(followUp(order, held, 1_000)), 'ALREADY_CAPTURED');
  },
  'capture: above the hold': async (bench, how) => {
    const order = orderOf(how);
    const held = await bench.connector.authorize(order);
    refused(await bench.connector.capture(followUp(order, held, order.amount.minor + 1)), 'INVALID_AMOUNT');
  },
  'cancel capture: approved': async (bench, how) => {
    const order = orderOf(how);
    const held = await bench.connector.authorize(order);
    await bench.connector.capture(followUp(order, held));
    assert.equal((await bench.connector.cancelCapture(followUp(order, held))).kind, 'approved');
  },
  'cancel capture: refused': async (bench, how) => {
    const order = orderOf(how);
    const held = await bench.connector.authorize(order);
    await bench.connector.capture(followUp(order, held));
    refused(await bench.connector.cancelCapture(followUp(order, held)), 'RESOURCE_CONFLICT');
  },
  'void: too late': async (bench, how) => {
    const { order, outcome } = await sell(bench, how);
    await bench.settle();
    refused(await bench.connector.void(followUp(order, outcome)), 'RESOURCE_CONFLICT');
  },
  'void: a second time': async (bench, how) => {
    const { order, outcome } = await sell(bench, how);
    assert.equal((await bench.connector.void(followUp(order, outcome))).kind, 'approved');
    refused(await bench.connector.void(followUp(order, outcome)), 'ALREADY_VOIDED');
  },
  'void: of a payment it does not know': async (bench, how) => {
    const { order, outcome } = await sell(bench, how);
    const question = { ...followUp(order, outcome), original: ELSEWHERE };
    assert.partialDeepStrictEqual(await bench.connector.void(question), { kind: 'not-sent', alert: 'unknown-original' });
  },
  'refund: in part, before settlement': async (bench, how) => {
    const { order, outcome } = await sell(bench, how);
    assert.equal((await bench.connector.refund(followUp(order, outcome, 500))).kind, 'approved');
  },
  'refund: in part, waits for the batch': async (bench, how) => {
    const { order, outcome } = await sell(bench, how);
    const early = followUp(order, outcome, 500);
    assert.partialDeepStrictEqual(await bench.connector.refund(early), { kind: 'not-sent', retry: 'after-batch' });
    await bench.settle();
    const late = followUp(order, outcome, 500);
    assert.equal((await bench.connector.refund(late)).kind, 'approved');
  },
  'refund: in part, after settlement': async (bench, how) => {
    const { order, outcome } = await sell(bench, how);
    await bench.settle();
    assert.equal((await bench.connector.refund(followUp(order, outcome, 500))).kind, 'approved');
  },
  'refund: above the payment': async (bench, how) => {
    const { order, outcome } = await sell(bench, how);
    await bench.settle();
    refused(await bench.connector.refund(followUp(order, outcome, order.amount.minor + 1)), 'INVALID_AMOUNT');
  },
  'refund: declined': async (bench, how) => {
    const start = await begin(bench, 'refund', how);
    await before(how);
    assert.equal((await start.ask(bench.connector)).kind, 'declined');
  },
  'credit: switched off': async (bench, how) => {
    await before(how);
    refused(await bench.connector.credit(orderOf(how)), 'NOT_REFUNDABLE');
  },
  'ACH: sale': async (bench, how) => {
    const { order, outcome } = await sold(bench, how, { source: BANK });
    assert.equal(outcome.kind, 'approved');
    assert.equal((await bench.connector.inquire(inquiryOf(order, 'sale'))).kind, 'approved');
  },
  'ACH: void': async (bench, how) => {
    const { order, outcome } = await sold(bench, how, { source: BANK });
    assert.equal((await bench.connector.void(followUp(order, outcome))).kind, 'approved');
  },
  'ACH: refund': async (bench, how) => {
    const start = await begin(bench, 'refund', how, { source: BANK });
    assert.equal((await start.ask(bench.connector)).kind, 'approved');
  },
  'ACH: credit': async (bench, how) => {
    assert.equal((await bench.connector.credit(orderOf(how, { source: BANK }))).kind, 'approved');
  },
  'ACH: declined': async (bench, how) => {
    await before(how);
    assert.equal((await sold(bench, how, { source: BANK })).outcome.kind, 'declined');
  },
  'ACH: bad routing number': async (bench, how) => {
    const { outcome } = await sold(bench, how, { source: { ...BANK, routingNumber: '123456789' } });
    refused(outcome, 'VALIDATION_ERROR');
  },
  'ACH: returned later': async (bench, how) => {
    const { order } = await sold(bench, how, { source: BANK });
    await bench.settle();
    await bench.giveBack?.(order.processorRef);
    const items: ReturnedItem[] = [];
    for await (const page of bench.connector.returns?.(period()) ?? []) items.push(...page);
    const [item] = items.filter(({ processorRef }) => processorRef === order.processorRef);
    assert.partialDeepStrictEqual(item, { returnCode: 'R01', amount: order.amount });
  },
  'stored card: first': async (bench, how) => {
    const { outcome } = await sold(bench, how, { storedCredential: { use: 'first', by: 'customer', purpose: 'recurring' } });
    assert.ok(outcome.kind === 'approved' && outcome.chainReference !== undefined, JSON.stringify(outcome));
  },
  'stored card: later, by the customer': (bench, how) => chargedLater(bench, how, 'customer'),
  'stored card: later, by the merchant': (bench, how) => chargedLater(bench, how, 'merchant'),
  'settlement: the lines are the books': async (bench, how) => {
    const { order, outcome } = await sold(bench, how);
    await bench.settle();
    const refund = followUp(order, outcome, 500);
    await bench.connector.refund(refund);
    await bench.settle();
    const lines = (await reported(bench)).filter(({ processorRef }) => [order.processorRef, refund.processorRef].includes(processorRef));
    assert.deepEqual(lines.map(({ kind, amount }) => `${kind} ${amount.minor}`).sort(), [`capture ${order.amount.minor}`, 'refund 500']);
  },
  'settlement: no answer is no report': async (bench, how) => {
    await before(how);
    await assert.rejects(reported(bench));
  },
  'set-up check: sound': async (bench) => {
    assert.equal((await bench.check?.())?.kind, 'ok');
  },
  'set-up check: wrong credentials': async (bench) => {
    assert.equal((await bench.check?.('keyless'))?.kind, 'refused');
  },
  'set-up check: the other world': async (bench, how) => {
    await before(how);
    assert.equal((await bench.check?.('other-world'))?.kind, 'refused');
  },
  'set-up check: no answer': async (bench, how) => {
    await before(how);
    assert.equal((await bench.check?.())?.kind, 'unreachable');
  },
} satisfies Record<string, Play>;

async function chargedLater(bench: Bench, how: How, by: 'customer' | 'merchant'): Promise<void> {
  const { order, outcome } = await sold(bench, how, { storedCredential: { use: 'first', by: 'customer', purpose: 'unscheduled' } });
  assert.ok(outcome.kind === 'approved' && outcome.chainReference !== undefined && order.source.kind === 'card');
  const { cvv: _, ...source } = order.source;
  const first = { chainReference: outcome.chainReference, amount: order.amount };
  const later = await sold(bench, how, { source, storedCredential: { use: 'later', by, purpose: 'unscheduled', first } });
  assert.equal(later.outcome.kind, 'approved', JSON.stringify(later.outcome));
}

const DAY_MS = 86_400_000;
const period = () => ({
  tenantId: WHOSE.tenantId,
  from: new Date(Date.now() - DAY_MS).toISOString(),
  to: new Date(Date.now() + DAY_MS).toISOString(),
});

async function reported(bench: Bench): Promise<SettlementLine[]> {
  const lines: SettlementLine[] = [];
  const report = bench.connector.settlementReport(period());
  for await (const page of report instanceof Promise ? [await report] : report) lines.push(...page);
  return lines;
}
