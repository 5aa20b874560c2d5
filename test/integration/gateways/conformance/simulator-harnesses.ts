// The harnesses of the processors that are reached over the network, each with its simulator.
import { authorizeNet } from '../../../../core/processing/gateways/authorizenet/index.ts';
import type { HttpClient } from '../../../../core/processing/gateways/http-client.ts';
import { nmi } from '../../../../core/processing/gateways/nmi/index.ts';
import type { GatewayAccount, Processor } from '../../../../core/processing/gateways/processor.ts';
import { createHttpClient } from '../../../../core/processing/gateways/undici-client.ts';
import { type Fault, type Peer, startSimulator } from '../../../../simulators/index.ts';
import { type CellName, CONDITIONS, type Condition, DECLINES, type Decline } from './cells.ts';
import { ADDRESS, BANK, CARD, type CellSetup, type ConnectorHarness, OPERATIONS, type Operation, OWNER_IDS, USD } from './harness.ts';

type SpecialCase = Exclude<CellName, `${Operation}: ${Condition}` | `sale: declined, ${Decline}`>;

/** The processor-specific part of a harness. */
interface SimulatorSpec {
  readonly processor: Processor;
  /** The simulator's names of the operations. */
  readonly operations: Readonly<Record<Operation, string>>;
  readonly reports: readonly string[];
  /** The processor's code of each decline; null if it has none. */
  readonly declines: Readonly<Record<Decline, string | null>>;
  readonly noDecline: string;
  specialCases(simulator: Peer): Readonly<Record<SpecialCase, CellSetup>>;
}

const invalidResponses: HttpClient = {
  post: async () => ({ kind: 'answered', status: 200, contentType: 'text/html', body: '<html><body>Back soon</body></html>' }),
  get: () => Promise.reject(new Error('This client only posts.')),
  close: async () => {},
};

const FAULTS: Readonly<Record<Condition, Fault['do'] | null>> = {
  approved: null,
  'response lost, then found': 'drop-answer',
  'request lost, then not found': 'drop-request',
  'partial response, then found': 'half-answer',
  'rate limited': 'busy',
  maintenance: 'http-500',
  'wrong credentials': null,
  'unreadable response': null,
  'secrets repeated': 'echo',
};

async function simulatorHarness({
  processor,
  operations,
  reports,
  declines,
  noDecline,
  specialCases,
}: SimulatorSpec): Promise<ConnectorHarness> {
  const simulator = await startSimulator(processor.type);
  const wire = createHttpClient();
  const { tenantId } = OWNER_IDS;
  const account: GatewayAccount = {
    tenantId,
    gatewayId: 'gtw_kit',
    credentials: simulator.credentials,
    mode: 'live',
    origin: simulator.origin,
    currency: USD,
    timezone: 'America/Chicago',
  };
  const wrongCredentials = {
    ...account,
    credentials: Object.fromEntries(Object.keys(simulator.credentials).map((name) => [name, 'wrong'])),
  };
  const referenceOf = (processorRef: string) => simulator.ledger.byOurReference(processorRef)[0]?.reference ?? '';
  const setups: Record<string, CellSetup> = { ...specialCases(simulator) };
  for (const operation of OPERATIONS)
    for (const condition of CONDITIONS) {
      const fault = FAULTS[condition];
      setups[`${operation}: ${condition}`] = fault ? { before: () => simulator.faults([{ do: fault, on: [operations[operation]] }]) } : {};
    }
  for (const decline of DECLINES) {
    const code = declines[decline];
    setups[`sale: declined, ${decline}`] = code ? { before: () => simulator.faults([{ do: 'code', code }]) } : { notOffered: noDecline };
  }
  setups['settlement: no report without a response'] = { before: () => simulator.faults([{ do: 'drop-answer', on: reports }]) };
  setups['account check: no response'] = { before: () => simulator.faults([{ do: 'drop-answer' }]) };
  return {
    name: processor.label,
    connector: processor.open(account, wire),
    brokenConnectors: {
      wrongCredentials: processor.open(wrongCredentials, wire),
      invalidResponses: processor.open(account, invalidResponses),
    },
    setups,
    secrets: [...Object.values(simulator.credentials), CARD.number, BANK.accountNumber],
    countPayments: async (ref) =>
      simulator.ledger.byOurReference(ref).filter(({ state }) => state !== 'declined' && state !== 'failed').length,
    closeBatch: () => simulator.closeBatch(),
    decide: (ref, decision) => simulator.ledger.decideHeld(referenceOf(ref), decision),
    returnPayment: (ref) => simulator.ledger.returnItem(referenceOf(ref), 'R01', 'Insufficient Funds'),
    check: (which) => processor.check(which === 'keyless' ? wrongCredentials : account, wire),
    reset() {
      simulator.faults();
      simulator.quirks();
    },
    async close() {
      await wire.close();
      await simulator.stop();
    },
  };
}

const RETURNS_CHECKS = { order: { billing: ADDRESS } };

export const authorizeNetHarness = () =>
  simulatorHarness({
    processor: authorizeNet,
    operations: {
      sale: 'authCaptureTransaction',
      auth: 'authOnlyTransaction',
      credit: 'refundTransaction',
      capture: 'priorAuthCaptureTransaction',
      void: 'voidTransaction',
      refund: 'refundTransaction',
    },
    reports: ['getSettledBatchListRequest'],
    declines: {
      insufficient_funds: null,
      card_declined: '2',
      invalid_account: '6',
      invalid_expiry: '7',
      cvv_failure: '44',
      avs_failure: '27',
      fraud_suspected: '41',
      lost_stolen: '4',
      expired_card: '8',
      restricted_card: '128',
      exceeds_limit: '49',
      do_not_honor: null,
      call_issuer: '3',
    },
    noDecline: 'its reason codes do not tell it from card_declined',
    specialCases: (simulator) => ({
      'sale: address and code checks': { order: { billing: { zip: '46201' }, source: { ...CARD, cvv: '900' } } },
      'sale: held for review': { before: () => simulator.faults([{ do: 'code', code: '252', on: ['authCaptureTransaction'] }]) },
      'sale: released after review': { before: () => simulator.faults([{ do: 'code', code: '252', on: ['authCaptureTransaction'] }]) },
      'sale: refused after review': { before: () => simulator.faults([{ do: 'code', code: '252', on: ['authCaptureTransaction'] }]) },
      'sale: partially approved': { before: () => simulator.faults([{ do: 'code', code: '295' }]) },
      'sale: declined, void by the processor failed': { before: () => simulator.faults([{ do: 'code', code: '141' }]) },
      'sale: advice on retries': { notOffered: 'it gives none' },
      'sale: duplicate of an existing payment': { before: () => simulator.faults([{ do: 'duplicate' }]) },
      'sale: identical to another payment': { notOffered: 'it also compares our reference' },
      'sale: found with another amount': {},
      'sale: several payments found': {},
      'capture: partial': {},
      'capture: repeated': {},
      'capture: above the authorization': {},
      'cancel capture: approved': { notOffered: 'held by Paydesk until shortly before the cutoff' },
      'cancel capture: refused': {},
      'void: too late': {},
      'void: repeated': {},
      'void: unknown payment': {},
      'refund: partial, before settlement': { notOffered: 'it refunds settled payments only' },
      'refund: partial, waits for the batch': {},
      'refund: partial, after settlement': {},
      'refund: above the payment': {},
      'refund: declined': { before: () => simulator.faults([{ do: 'code', code: '2' }]) },
      'credit: not allowed': { before: () => simulator.quirks(['no-free-credits']) },
      'ACH: sale': {},
      'ACH: void': {},
      'ACH: refund': {},
      'ACH: credit': {},
      'ACH: declined': { before: () => simulator.faults([{ do: 'code', code: '2' }]) },
      'ACH: bad routing number': {},
      'ACH: returned later': {},
      'stored card: first': {},
      'stored card: later, by the customer': {},
      'stored card: later, by the merchant': {},
      'settlement: lines match the ledger': {},
      'settlement: no report without a response': {},
      'account check: valid': {},
      'account check: wrong credentials': {},
      'account check: other environment': { before: () => simulator.quirks(['test-mode']) },
      'account check: no response': {},
    }),
  });

export const nmiHarness = () =>
  simulatorHarness({
    processor: nmi,
    operations: { sale: 'sale', auth: 'auth', credit: 'credit', capture: 'capture', void: 'void', refund: 'refund' },
    reports: ['query'],
    declines: {
      insufficient_funds: '202',
      card_declined: '200',
      invalid_account: '220',
      invalid_expiry: '224',
      cvv_failure: '225',
      avs_failure: null,
      fraud_suspected: '253',
      lost_stolen: '251',
      expired_card: '223',
      restricted_card: '204',
      exceeds_limit: '203',
      do_not_honor: '201',
      call_issuer: '240',
    },
    noDecline: 'it tells the letter and declines for none',
    specialCases: (simulator) => ({
      'sale: address and code checks': RETURNS_CHECKS,
      'sale: held for review': { notOffered: 'its fraud tools decline' },
      'sale: released after review': { notOffered: 'its fraud tools decline' },
      'sale: refused after review': { notOffered: 'its fraud tools decline' },
      'sale: partially approved': { before: () => simulator.quirks(['partial']) },
      'sale: declined, void by the processor failed': { notOffered: 'it has no such code' },
      'sale: advice on retries': { before: () => simulator.faults([{ do: 'code', code: '261' }]) },
      'sale: duplicate of an existing payment': { before: () => simulator.faults([{ do: 'duplicate' }]) },
      'sale: identical to another payment': {
        before: () => simulator.quirks(['duplicate-check']),
        order: { source: { ...CARD, number: '5431111111111111' } },
      },
      'sale: found with another amount': {},
      'sale: several payments found': {},
      'capture: partial': {},
      'capture: repeated': {},
      'capture: above the authorization': {},
      'cancel capture: approved': { notOffered: 'held by Paydesk until shortly before the cutoff' },
      'cancel capture: refused': {},
      'void: too late': {},
      'void: repeated': {},
      'void: unknown payment': {},
      'refund: partial, before settlement': {},
      'refund: partial, waits for the batch': { notOffered: 'it refunds unsettled payments too' },
      'refund: partial, after settlement': {},
      'refund: above the payment': {},
      'refund: declined': { before: () => simulator.faults([{ do: 'code', code: '200' }]) },
      'credit: not allowed': { before: () => simulator.quirks(['no-credits']) },
      'ACH: sale': {},
      'ACH: void': {},
      'ACH: refund': {},
      'ACH: credit': {},
      'ACH: declined': { before: () => simulator.faults([{ do: 'code', code: '200' }]) },
      'ACH: bad routing number': {},
      'ACH: returned later': {},
      'stored card: first': {},
      'stored card: later, by the customer': {},
      'stored card: later, by the merchant': {},
      'settlement: lines match the ledger': {},
      'settlement: no report without a response': {},
      'account check: valid': {},
      'account check: wrong credentials': {},
      'account check: other environment': { before: () => simulator.quirks(['test-mode']) },
      'account check: no response': {},
    }),
  });
