import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '#core/database';
import { money, newProcessorRef, parseCurrency, systemClock } from '#core/kernel';
import {
  type ChargeRequest,
  createSandboxGateway,
  openSandboxLedger,
  type SandboxGateway,
  type SettlementLine,
} from '#core/processing/gateways';

const USD = parseCurrency('USD');
let folder: string;
let ledger: Database;
let gateway: SandboxGateway;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-sandbox-'));
  ledger = await openSandboxLedger({ file: join(folder, 'ledger.sqlite') });
  gateway = createSandboxGateway({ ledger, clockOf: () => systemClock, timeoutMs: 5 });
});
afterAll(async () => {
  await ledger.close();
  await rm(folder, { recursive: true, force: true });
});

function order(minor: number, number = '4111111111111111', tenantId = 'ten_a'): ChargeRequest {
  return {
    processorRef: newProcessorRef(),
    tenantId,
    merchantId: 'mer_a',
    gatewayId: null,
    amount: money(minor, USD),
    source: { kind: 'card', number, expiryMonth: '12', expiryYear: '2031', brand: 'visa', cvv: '123' },
    channel: 'phone',
  };
}

describe('the sandbox gateway', () => {
  test('charges once and repeats the answer for two requests with one reference', async () => {
    const asked = order(2_000);
    const first = await gateway.purchase(asked);
    expect(await gateway.purchase(asked)).toEqual(first);
    const [booked] = await ledger
      .read('ten_a')
      .all<{ n: number }>('SELECT count(*) AS n FROM sandbox_ledger WHERE tenant_id = :tenantId AND processor_ref = :ref', {
        ref: asked.processorRef,
      });
    expect(booked?.n).toBe(1);
  });

  test('resolves a lost answer by inquiry, unless the card hides it, and does not find a payment that never arrived', async () => {
    const lost = order(2_000, '4000000000006975');
    expect(await gateway.purchase(lost)).toMatchObject({ kind: 'unknown' });
    expect(await gateway.inquire(lost)).toMatchObject({ kind: 'approved' });
    const never = order(2_000, '4000000000006983');
    expect(await gateway.purchase(never)).toMatchObject({ kind: 'unknown' });
    expect(await gateway.inquire(never)).toEqual({ kind: 'not-found' });
    const hidden = order(2_000, '4000000000006967');
    expect(await gateway.purchase(hidden)).toMatchObject({ kind: 'unknown' });
    // Not a fault of the connection, which would open the circuit.
    expect(await gateway.inquire(hidden)).toMatchObject({ kind: 'unknown', isNotYetShown: true });
    expect(await gateway.purchase(order(2_000, '4000000000006991'))).toMatchObject({ kind: 'not-sent', retry: 'error' });
  });

  test('accepts no payment and answers no inquiry while it is down', async () => {
    await gateway.setMode('ten_down', 'down');
    const asked = order(2_000, undefined, 'ten_down');
    expect(await gateway.purchase(asked)).toMatchObject({ kind: 'not-sent', retry: 'unavailable' });
    expect(await gateway.inquire(asked)).toMatchObject({ kind: 'unknown' });
    await gateway.setMode('ten_down', 'normal');
    expect(await gateway.inquire(asked)).toEqual({ kind: 'not-found' });
  });

  test('omits, shortens and duplicates only the intended lines of its settlement report', async () => {
    const tenantId = 'ten_report';
    for (const minor of [1_000, 1_013, 1_014, 1_015]) await gateway.purchase(order(minor, undefined, tenantId));
    const voided = order(3_000, undefined, tenantId);
    await gateway.purchase(voided);
    await gateway.void({ ...voided, processorRef: newProcessorRef(), original: { processorRef: voided.processorRef, reference: 'x' } });
    await gateway.authorize(order(4_000, undefined, tenantId));
    const pages = gateway.settlementReport({ tenantId, from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' });
    const report: SettlementLine[] = [];
    for await (const page of pages) report.push(...page);
    expect(report.map(({ amount }) => amount.minor)).toEqual([1_000, 914, 1_015, 1_015]);
  });
});
