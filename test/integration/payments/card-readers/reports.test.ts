// Faults of card readers that users of other tills have reported, with what Paydesk does in the same place.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReaderBench } from './bench.ts';
import { openNmiBench } from './nmi-bench.ts';
import { openSandboxBench } from './sandbox-bench.ts';

const AMOUNT = 21;
const MINUTE_MS = 60_000;

describe.each([
  ['sandbox', openSandboxBench],
  ['NMI', openNmiBench],
] as const)('reported faults of card readers (%s)', (name, open) => {
  let bench: ReaderBench;
  beforeAll(async () => {
    bench = await open('sqlite');
  });
  afterAll(() => bench.close());

  const sell = (terminalId: string, more: Record<string, unknown> = {}) =>
    bench.core.payments.createPayment(bench.actor, {
      type: 'sale',
      amount: AMOUNT,
      method: { kind: 'terminal', terminalId },
      source: 'terminal',
      ...more,
    });
  const read = (transactionId: string) => bench.core.payments.get(bench.actor, transactionId);
  const stateOf = async (transactionId: string) => (await read(transactionId)).terminal?.state;

  test('"not found" of a reader after its restart is no proof: the payment stays unconfirmed until the records say so', async () => {
    const terminalId = await bench.pair();
    const { transactionId } = await sell(terminalId);
    await bench.act(terminalId, 'unplug');
    await bench.pass(2_000);
    expect(await stateOf(transactionId)).toBe('unconfirmed');
    if (name === 'NMI') {
      // The cloud no longer knows the dialog, and its records may still be behind.
      await bench.act(terminalId, 'connect');
      await bench.pass(MINUTE_MS);
      expect(await stateOf(transactionId)).toBe('unconfirmed');
    }
  });

  test('a cancel at the till is not the result: an authorization that was faster is approved, and can be voided', async () => {
    const terminalId = await bench.pair();
    const { transactionId } = await sell(terminalId);
    await bench.act(terminalId, 'lost_answer');
    await bench.core.payments.cancelAtTerminal(bench.actor, { transactionId }).catch(() => {});
    expect((await read(transactionId)).status).not.toBe('failed');
    await bench.act(terminalId, 'chip').catch(() => {});
    await bench.pass(10_000);
    expect(await stateOf(transactionId)).toBe('approved');
    await bench.core.payments.voidTransaction(bench.actor, { transactionId });
    expect(await bench.charged(await read(transactionId))).toBe(0);
  });

  test('one payment on the reader is one payment: a declined card and a paid one are two, each with its own result', async () => {
    const terminalId = await bench.pair();
    const first = await sell(terminalId);
    await bench.act(terminalId, 'declined');
    await bench.pass(2_000);
    const second = await sell(terminalId);
    await bench.act(terminalId, 'chip');
    await bench.pass(2_000);
    expect([await stateOf(first.transactionId), await stateOf(second.transactionId)]).toEqual(['declined', 'approved']);
    expect(await bench.charged(await read(first.transactionId))).toBe(0);
    expect(await bench.entries(await read(second.transactionId))).toBe(1);
  });

  test('a payment that the clerk left is canceled on the reader, so that the next customer does not meet its amount', async () => {
    const terminalId = await bench.pair();
    const left = await sell(terminalId);
    await bench.core.payments.cancelAtTerminal(bench.actor, { transactionId: left.transactionId });
    await bench.pass(2_000);
    expect(await stateOf(left.transactionId)).toBe('canceled');
    const next = await sell(terminalId, { amount: 5 });
    await bench.act(terminalId, 'chip');
    await bench.pass(2_000);
    expect(await bench.charged(await read(next.transactionId))).toBe(500);
    expect(await bench.charged(await read(left.transactionId))).toBe(0);
  });

  test('a payment whose end was never reported is found by asking every two seconds', async () => {
    const terminalId = await bench.pair();
    const { transactionId } = await sell(terminalId);
    await bench.pass(2_000);
    expect(await stateOf(transactionId)).toBe('waiting_for_card');
    await bench.act(terminalId, 'chip');
    await bench.pass(2_000);
    expect(await stateOf(transactionId)).toBe('approved');
  });

  test('a person concludes a payment that inquiries cannot, with a note in its history', async () => {
    const terminalId = await bench.pair();
    const { transactionId } = await sell(terminalId);
    await bench.act(terminalId, 'other_amount');
    await bench.pass(2_000);
    await bench.pass(10_000);
    const { unconfirmed } = bench.core.payments;
    const { payments } = await unconfirmed.list(bench.actor, {});
    const [open] = payments.filter((each) => each.transactionId === transactionId);
    await unconfirmed.conclude(bench.actor, open?.id ?? '', { outcome: 'failed', note: 'Voided at the processor.' });
    const { status, history } = await read(transactionId);
    expect(status).toBe('failed');
    expect(history.map(({ reason }) => reason)).toContain('Voided at the processor.');
    expect((await bench.core.terminals.get(bench.actor, terminalId)).payment).toBeNull();
  });

  test('an approval belongs to its amount: a changed sale is a new payment, and a new attempt waits for the first', async () => {
    const terminalId = await bench.pair();
    const first = await sell(terminalId);
    await bench.act(terminalId, 'lost_answer');
    await expect(sell(terminalId, { amount: AMOUNT + 1 })).rejects.toMatchObject({ details: { reason: 'terminal_busy' } });
    await bench.act(terminalId, 'chip').catch(() => {});
    await bench.pass(10_000);
    const paid = await read(first.transactionId);
    expect([paid.amount.minor, await bench.charged(paid)]).toEqual([AMOUNT * 100, AMOUNT * 100]);
  });

  test('a new attempt has a reference of its own', async () => {
    const terminalId = await bench.pair();
    const first = await sell(terminalId);
    await bench.act(terminalId, 'cancel');
    await bench.pass(2_000);
    const second = await sell(terminalId);
    expect((await read(first.transactionId)).processorRef).not.toBe((await read(second.transactionId)).processorRef);
    await bench.act(terminalId, 'chip');
    await bench.pass(2_000);
    expect(await stateOf(second.transactionId)).toBe('approved');
  });

  test('asking again is an inquiry: ten questions at once send nothing', async () => {
    const terminalId = await bench.pair();
    const { transactionId } = await sell(terminalId);
    await bench.act(terminalId, 'chip');
    await Promise.all(Array.from({ length: 10 }, () => bench.pass(2_000)));
    expect(await bench.entries(await read(transactionId))).toBe(1);
  });

  test('a reader cannot be removed while a payment runs on it, and a removed one keeps its payments', async () => {
    const { core, actor } = bench;
    const terminalId = await bench.pair();
    const { transactionId } = await sell(terminalId);
    await expect(core.terminals.remove(actor, terminalId)).rejects.toMatchObject({ details: { reason: 'terminal_busy' } });
    await bench.act(terminalId, 'chip');
    await bench.pass(2_000);
    const removals = Array.from({ length: 10 }, () => core.terminals.remove(actor, terminalId).catch(() => {}));
    const sales = Array.from({ length: 10 }, () => sell(terminalId).catch(() => null));
    await Promise.all(removals);
    const started = (await Promise.all(sales)).filter((each) => each !== null);
    expect(started.length).toBeLessThanOrEqual(1);
    expect(await read(transactionId)).toMatchObject({ status: 'approved', terminal: { terminalId } });
  });

  test('a payment ends by its outcome also if the clock of the server jumps back an hour', async () => {
    const terminalId = await bench.pair();
    const { transactionId } = await sell(terminalId);
    await bench.pass(-3_600_000);
    await bench.act(terminalId, 'chip');
    await bench.pass(3_602_000);
    await bench.pass(10_000);
    expect(await stateOf(transactionId)).toBe('approved');
    expect(await bench.entries(await read(transactionId))).toBe(1);
  });
});
