import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Core } from '#core';
import type { Actor } from '#core/kernel';
import { openTestCore, type TestCore } from '../../support/core.ts';

const ANSWERS_WITHIN_MS = 300_000;
const HOUR_MS = 3_600_000;

let opened: TestCore;
let core: Core;
let actor: Actor;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-18T17:00:00.000Z') });
  opened = await openTestCore(undefined, 'sqlite', { sandboxTimeoutMs: 1 });
  ({ core, actor } = opened);
});
afterAll(async () => {
  await opened.close();
  vi.useRealTimers();
});

const sell = (terminalId: string) =>
  core.payments.createPayment(actor, { type: 'sale', amount: 10, method: { kind: 'terminal', terminalId }, source: 'terminal' });
const stateOf = async (transactionId: string) => (await core.payments.get(actor, transactionId)).terminal?.state;
const inquire = () => core.payments.resolveUnconfirmed(actor.tenantId, HOUR_MS);

test('a reader ends the payment after two minutes without a card', async () => {
  const { terminalId } = await core.terminals.pair(actor, { code: 'SIM123', name: 'Reader' });
  const { transactionId } = await sell(terminalId);
  vi.setSystemTime(Date.now() + 119_000);
  await inquire();
  expect(await stateOf(transactionId)).toBe('waiting_for_card');
  vi.setSystemTime(Date.now() + 2_000);
  await inquire();
  expect((await core.payments.get(actor, transactionId)).terminal).toMatchObject({ state: 'canceled', canceledBy: 'timeout' });
});

test('a reader that never answers is free after five minutes, and its payment stays unconfirmed until an inquiry finds the outcome', async () => {
  const { terminalId } = await core.terminals.pair(actor, { code: 'SIM123', name: 'Reader' });
  const first = await sell(terminalId);
  await core.sandbox.setGatewayMode(actor, 'silent');
  vi.setSystemTime(Date.now() + 2_000);
  await inquire();
  expect(await stateOf(first.transactionId)).toBe('unconfirmed');
  await expect(sell(terminalId)).rejects.toMatchObject({ code: 'RESOURCE_CONFLICT', details: { reason: 'terminal_busy' } });
  vi.setSystemTime(Date.now() + ANSWERS_WITHIN_MS + 1_000);
  expect(await core.terminals.get(actor, terminalId)).toMatchObject({ payment: null });
  await core.sandbox.setGatewayMode(actor, 'normal');
  const second = await sell(terminalId);
  expect(await stateOf(second.transactionId)).toBe('waiting_for_card');
  await inquire();
  expect(await core.payments.get(actor, first.transactionId)).toMatchObject({ status: 'failed', terminal: { canceledBy: 'timeout' } });
  // The late outcome of the first payment does not free the reader of the second one.
  expect(await core.terminals.get(actor, terminalId)).toMatchObject({ payment: { transactionId: second.transactionId } });
  await core.sandbox.presentToReader(actor, terminalId, { action: 'chip' });
  expect(await core.payments.get(actor, second.transactionId)).toMatchObject({ status: 'approved' });
});
