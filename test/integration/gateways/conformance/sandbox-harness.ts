// The harness of the sandbox gateway, which is reached without a network: its cards and accounts determine the outcome.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#core/kernel';
import { createSandboxGateway, openSandboxLedger } from '#core/processing/gateways';
import { SANDBOX_CARDS } from '../../../../core/processing/gateways/sandbox/cards.ts';
import { type CellName, CONDITIONS, DECLINES, type Decline } from './cells.ts';
import { ADDRESS, BANK, CARD, type CellSetup, type ConnectorHarness, OPERATIONS, OWNER_IDS } from './harness.ts';

const NO_NETWORK = { notOffered: 'it is reached without a network' };
const NO_KEY = { notOffered: 'it has no credentials' };
const REFUSED_BEFORE = { notOffered: 'the service refuses it before it calls the gateway' };
const NO_REVIEW = { notOffered: 'it holds nothing for review' };
const NO_STORED_CREDENTIALS = { notOffered: 'it stores no network transaction IDs' };

const paidBy = (number: string): CellSetup => ({ order: { source: { ...CARD, number } } });

const cardOf = (decline: Decline) => Object.entries(SANDBOX_CARDS).find(([, outcome]) => outcome === decline)?.[0] ?? '';

export async function sandboxHarness(): Promise<ConnectorHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-kit-'));
  const ledger = await openSandboxLedger({ file: join(folder, 'ledger.sqlite') });
  const connector = createSandboxGateway({ ledger, clockOf: () => systemClock, timeoutMs: 5 });
  const { tenantId } = OWNER_IDS;
  const setups: Record<string, CellSetup> = { ...SPECIAL_CASES };
  for (const operation of OPERATIONS) {
    const isNew = operation === 'sale' || operation === 'auth' || operation === 'credit';
    for (const condition of CONDITIONS) setups[`${operation}: ${condition}`] = NO_NETWORK;
    setups[`${operation}: approved`] = {};
    setups[`${operation}: maintenance`] = { before: () => connector.setMode(tenantId, 'down') };
    setups[`${operation}: wrong credentials`] = NO_KEY;
    if (!isNew) continue;
    setups[`${operation}: response lost, then found`] = paidBy('4000000000006975');
    setups[`${operation}: request lost, then not found`] = paidBy('4000000000006983');
  }
  for (const decline of DECLINES) setups[`sale: declined, ${decline}`] = paidBy(cardOf(decline));
  return {
    name: 'Sandbox',
    connector,
    setups,
    secrets: [CARD.number, BANK.accountNumber],
    async countPayments(ref) {
      const sql = 'SELECT count(*) AS n FROM sandbox_ledger WHERE tenant_id = :tenantId AND processor_ref = :ref AND approved = 1';
      const [row] = await ledger.read(tenantId).all<{ n: number }>(sql, { ref });
      return row?.n ?? 0;
    },
    closeBatch() {},
    reset: () => connector.setMode(tenantId, 'normal'),
    async close() {
      await ledger.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const SPECIAL_CASES: Readonly<Partial<Record<CellName, CellSetup>>> = {
  'sale: address and code checks': { order: { billing: ADDRESS } },
  'sale: held for review': NO_REVIEW,
  'sale: released after review': NO_REVIEW,
  'sale: refused after review': NO_REVIEW,
  'sale: partially approved': { notOffered: 'it approves all or nothing' },
  'sale: declined, void by the processor failed': { notOffered: 'it never voids a payment itself' },
  'sale: advice on retries': { notOffered: 'it gives none' },
  'sale: duplicate of an existing payment': {},
  'sale: identical to another payment': { notOffered: 'it compares references only' },
  'sale: found with another amount': { notOffered: 'its ledger contains the sent amount' },
  'sale: several payments found': { notOffered: 'its ledger has one entry per reference' },
  'capture: partial': {},
  'capture: repeated': REFUSED_BEFORE,
  'capture: above the authorization': REFUSED_BEFORE,
  'cancel capture: approved': {},
  'cancel capture: refused': { notOffered: 'it cancels every capture' },
  'void: too late': REFUSED_BEFORE,
  'void: repeated': REFUSED_BEFORE,
  'void: unknown payment': REFUSED_BEFORE,
  'refund: partial, before settlement': {},
  'refund: partial, waits for the batch': { notOffered: 'it has no batches' },
  'refund: partial, after settlement': {},
  'refund: above the payment': REFUSED_BEFORE,
  'refund: declined': paidBy('4000000000005126'),
  'credit: not allowed': { notOffered: 'it always allows credits' },
  'ACH: sale': {},
  'ACH: void': {},
  'ACH: refund': {},
  'ACH: credit': {},
  'ACH: declined': { order: { source: { ...BANK, accountNumber: '24410001' } } },
  'ACH: bad routing number': REFUSED_BEFORE,
  'ACH: returned later': { notOffered: 'an approved payment is never returned' },
  'stored card: first': NO_STORED_CREDENTIALS,
  'stored card: later, by the customer': NO_STORED_CREDENTIALS,
  'stored card: later, by the merchant': NO_STORED_CREDENTIALS,
  'settlement: lines match the ledger': {},
  'settlement: no report without a response': NO_NETWORK,
  'account check: valid': NO_KEY,
  'account check: wrong credentials': NO_KEY,
  'account check: other environment': NO_KEY,
  'account check: no response': NO_KEY,
};
