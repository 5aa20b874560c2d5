// The bench of the sandbox gateway, which is reached without a wire: its cards and accounts decide (decisions 5).
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandboxGateway, openSandboxLedger } from '#core/gateways';
import { systemClock } from '#core/kernel';
import { SANDBOX_CARDS } from '../../../../core/gateways/sandbox/cards.ts';
import { ADDRESS, BANK, type Bench, CARD, type How, OPERATIONS, WHOSE } from './bench.ts';
import { type CellName, DECLINES, type Decline, TROUBLES } from './cells.ts';

const NO_WIRE = { not: 'it is reached without a wire' };
const NO_KEY = { not: 'it has no credentials' };
const REFUSED_BEFORE = { not: 'the service refuses it before the gateway is asked' };
const NO_REVIEW = { not: 'it holds nothing for review' };
const NO_CHAIN = { not: 'it keeps no chains of stored cards' };

const paidBy = (number: string): How => ({ order: { source: { ...CARD, number } } });

const cardOf = (decline: Decline) => Object.entries(SANDBOX_CARDS).find(([, outcome]) => outcome === decline)?.[0] ?? '';

export async function sandboxBench(): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-kit-'));
  const ledger = await openSandboxLedger({ file: join(folder, 'ledger.sqlite') });
  const connector = createSandboxGateway({ ledger, clockOf: () => systemClock, timeoutMs: 5 });
  const { tenantId } = WHOSE;
  const how: Record<string, How> = { ...MATTERS };
  for (const operation of OPERATIONS) {
    const isNew = operation === 'sale' || operation === 'auth' || operation === 'credit';
    for (const trouble of TROUBLES) how[`${operation}: ${trouble}`] = NO_WIRE;
    how[`${operation}: approved`] = {};
    how[`${operation}: maintenance`] = { before: () => connector.setMode(tenantId, 'down') };
    how[`${operation}: wrong credentials`] = NO_KEY;
    if (!isNew) continue;
    how[`${operation}: answer lost, then found`] = paidBy('4000000000006975');
    how[`${operation}: never came, then not found`] = paidBy('4000000000006983');
  }
  for (const decline of DECLINES) how[`sale: declined, ${decline}`] = paidBy(cardOf(decline));
  return {
    name: 'Sandbox',
    connector,
    how,
    secrets: [CARD.number, BANK.accountNumber],
    async landed(ref) {
      const sql = 'SELECT count(*) AS n FROM sandbox_ledger WHERE tenant_id = :tenantId AND processor_ref = :ref AND approved = 1';
      const [row] = await ledger.read(tenantId).all<{ n: number }>(sql, { ref });
      return row?.n ?? 0;
    },
    settle() {},
    reset: () => connector.setMode(tenantId, 'normal'),
    async close() {
      await ledger.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const MATTERS: Readonly<Partial<Record<CellName, How>>> = {
  'sale: address and code told': { order: { billing: ADDRESS } },
  'sale: held for review': NO_REVIEW,
  'sale: released after review': NO_REVIEW,
  'sale: refused after review': NO_REVIEW,
  'sale: a part approved': { not: 'it approves the whole or nothing' },
  'sale: declined, its own void failed': { not: 'it voids nothing by itself' },
  'sale: advice on trying again': { not: 'it gives none' },
  'sale: duplicate that had landed': {},
  'sale: equal to another payment': { not: 'it compares references alone' },
  'sale: found with another amount': { not: 'its books have what was sent' },
  'sale: found several times': { not: 'its books have one entry for a reference' },
  'capture: in part': {},
  'capture: a second time': REFUSED_BEFORE,
  'capture: above the hold': REFUSED_BEFORE,
  'cancel capture: approved': {},
  'cancel capture: refused': { not: 'it takes captures back' },
  'void: too late': REFUSED_BEFORE,
  'void: a second time': REFUSED_BEFORE,
  'void: of a payment it does not know': REFUSED_BEFORE,
  'refund: in part, before settlement': {},
  'refund: in part, waits for the batch': { not: 'it has no batches' },
  'refund: in part, after settlement': {},
  'refund: above the payment': REFUSED_BEFORE,
  'refund: declined': paidBy('4000000000005126'),
  'credit: switched off': { not: 'it always pays out' },
  'ACH: sale': {},
  'ACH: void': {},
  'ACH: refund': {},
  'ACH: credit': {},
  'ACH: declined': { order: { source: { ...BANK, accountNumber: '24410001' } } },
  'ACH: bad routing number': REFUSED_BEFORE,
  'ACH: returned later': { not: 'nothing comes back after it was approved' },
  'stored card: first': NO_CHAIN,
  'stored card: later, by the customer': NO_CHAIN,
  'stored card: later, by the merchant': NO_CHAIN,
  'settlement: the lines are the books': {},
  'settlement: no answer is no report': NO_WIRE,
  'set-up check: sound': NO_KEY,
  'set-up check: wrong credentials': NO_KEY,
  'set-up check: the other world': NO_KEY,
  'set-up check: no answer': NO_KEY,
};
