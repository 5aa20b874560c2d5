// The benches of the processors that are reached over the wire, each before its peer.
import { authorizeNet } from '../../../../core/gateways/authorizenet/index.ts';
import type { HttpClient } from '../../../../core/gateways/http-client.ts';
import { nmi } from '../../../../core/gateways/nmi/index.ts';
import type { GatewayAccount, Processor } from '../../../../core/gateways/processor.ts';
import { createHttpClient } from '../../../../core/gateways/undici-client.ts';
import { type Fault, type Peer, startPeer } from '../../../peers/index.ts';
import { ADDRESS, BANK, type Bench, CARD, type How, OPERATIONS, type Operation, USD, WHOSE } from './bench.ts';
import { type CellName, DECLINES, type Decline, TROUBLES, type Trouble } from './cells.ts';

type Matter = Exclude<CellName, `${Operation}: ${Trouble}` | `sale: declined, ${Decline}`>;

/** What the kit must be told of a processor. */
interface Spoken {
  readonly processor: Processor;
  /** The peer's names of the operations. */
  readonly operations: Readonly<Record<Operation, string>>;
  readonly reports: readonly string[];
  /** The processor's code of each decline, where it has one. */
  readonly declines: Readonly<Record<Decline, string | null>>;
  readonly noDecline: string;
  matters(peer: Peer): Readonly<Record<Matter, How>>;
}

const garbled: HttpClient = {
  post: async () => ({ kind: 'answered', status: 200, contentType: 'text/html', body: '<html><body>Back soon</body></html>' }),
  close: async () => {},
};

const FAULTS: Readonly<Record<Trouble, Fault['do'] | null>> = {
  approved: null,
  'answer lost, then found': 'drop-answer',
  'never came, then not found': 'drop-request',
  'half an answer, then found': 'half-answer',
  'rate limited': 'busy',
  maintenance: 'http-500',
  'wrong credentials': null,
  garbage: null,
  'echo of secrets': 'echo',
};

async function peerBench({ processor, operations, reports, declines, noDecline, matters }: Spoken): Promise<Bench> {
  const peer = await startPeer(processor.type);
  const wire = createHttpClient();
  const { tenantId } = WHOSE;
  const account: GatewayAccount = {
    tenantId,
    gatewayId: 'gtw_kit',
    credentials: peer.credentials,
    mode: 'live',
    origin: peer.origin,
    currency: USD,
    timezone: 'America/Chicago',
  };
  const keyless = { ...account, credentials: Object.fromEntries(Object.keys(peer.credentials).map((name) => [name, 'wrong'])) };
  const referenceOf = (processorRef: string) => peer.ledger.byOurReference(processorRef)[0]?.reference ?? '';
  const how: Record<string, How> = { ...matters(peer) };
  for (const operation of OPERATIONS)
    for (const trouble of TROUBLES) {
      const fault = FAULTS[trouble];
      how[`${operation}: ${trouble}`] = fault ? { before: () => peer.faults([{ do: fault, on: [operations[operation]] }]) } : {};
    }
  for (const decline of DECLINES) {
    const code = declines[decline];
    how[`sale: declined, ${decline}`] = code ? { before: () => peer.faults([{ do: 'code', code }]) } : { not: noDecline };
  }
  how['settlement: no answer is no report'] = { before: () => peer.faults([{ do: 'drop-answer', on: reports }]) };
  how['set-up check: no answer'] = { before: () => peer.faults([{ do: 'drop-answer' }]) };
  return {
    name: processor.label,
    connector: processor.open(account, wire),
    strangers: { keyless: processor.open(keyless, wire), garbled: processor.open(account, garbled) },
    how,
    secrets: [...Object.values(peer.credentials), CARD.number, BANK.accountNumber],
    landed: async (ref) => peer.ledger.byOurReference(ref).filter(({ state }) => state !== 'declined' && state !== 'failed').length,
    settle: () => peer.closeBatch(),
    decide: (ref, decision) => peer.ledger.decideHeld(referenceOf(ref), decision),
    giveBack: (ref) => peer.ledger.returnItem(referenceOf(ref), 'R01', 'Insufficient Funds'),
    check: (which) => processor.check(which === 'keyless' ? keyless : account, wire),
    reset() {
      peer.faults();
      peer.quirks();
    },
    async close() {
      await wire.close();
      await peer.stop();
    },
  };
}

const TELLS = { order: { billing: ADDRESS } };

export const authorizeNetBench = () =>
  peerBench({
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
    matters: (peer) => ({
      'sale: address and code told': { order: { billing: { zip: '46201' }, source: { ...CARD, cvv: '900' } } },
      'sale: held for review': { before: () => peer.faults([{ do: 'code', code: '252', on: ['authCaptureTransaction'] }]) },
      'sale: released after review': { before: () => peer.faults([{ do: 'code', code: '252', on: ['authCaptureTransaction'] }]) },
      'sale: refused after review': { before: () => peer.faults([{ do: 'code', code: '252', on: ['authCaptureTransaction'] }]) },
      'sale: a part approved': { before: () => peer.faults([{ do: 'code', code: '295' }]) },
      'sale: declined, its own void failed': { before: () => peer.faults([{ do: 'code', code: '141' }]) },
      'sale: advice on trying again': { not: 'it gives none' },
      'sale: duplicate that had landed': { before: () => peer.faults([{ do: 'duplicate' }]) },
      'sale: equal to another payment': { not: 'our reference is part of what it compares' },
      'sale: found with another amount': {},
      'sale: found several times': {},
      'capture: in part': {},
      'capture: a second time': {},
      'capture: above the hold': {},
      'cancel capture: approved': { not: 'held here until shortly before the cut-off' },
      'cancel capture: refused': {},
      'void: too late': {},
      'void: a second time': {},
      'void: of a payment it does not know': {},
      'refund: in part, before settlement': { not: 'it refunds settled payments only' },
      'refund: in part, waits for the batch': {},
      'refund: in part, after settlement': {},
      'refund: above the payment': {},
      'refund: declined': { before: () => peer.faults([{ do: 'code', code: '2' }]) },
      'credit: switched off': { before: () => peer.quirks(['no-free-credits']) },
      'ACH: sale': {},
      'ACH: void': {},
      'ACH: refund': {},
      'ACH: credit': {},
      'ACH: declined': { before: () => peer.faults([{ do: 'code', code: '2' }]) },
      'ACH: bad routing number': {},
      'ACH: returned later': {},
      'stored card: first': {},
      'stored card: later, by the customer': {},
      'stored card: later, by the merchant': {},
      'settlement: the lines are the books': {},
      'settlement: no answer is no report': {},
      'set-up check: sound': {},
      'set-up check: wrong credentials': {},
      'set-up check: the other world': { before: () => peer.quirks(['test-mode']) },
      'set-up check: no answer': {},
    }),
  });

export const nmiBench = () =>
  peerBench({
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
    matters: (peer) => ({
      'sale: address and code told': TELLS,
      'sale: held for review': { not: 'its fraud tools decline' },
      'sale: released after review': { not: 'its fraud tools decline' },
      'sale: refused after review': { not: 'its fraud tools decline' },
      'sale: a part approved': { before: () => peer.quirks(['partial']) },
      'sale: declined, its own void failed': { not: 'it has no such code' },
      'sale: advice on trying again': { before: () => peer.faults([{ do: 'code', code: '261' }]) },
      'sale: duplicate that had landed': { before: () => peer.faults([{ do: 'duplicate' }]) },
      'sale: equal to another payment': {
        before: () => peer.quirks(['duplicate-check']),
        order: { source: { ...CARD, number: '5431111111111111' } },
      },
      'sale: found with another amount': {},
      'sale: found several times': {},
      'capture: in part': {},
      'capture: a second time': {},
      'capture: above the hold': {},
      'cancel capture: approved': { not: 'held here until shortly before the cut-off' },
      'cancel capture: refused': {},
      'void: too late': {},
      'void: a second time': {},
      'void: of a payment it does not know': {},
      'refund: in part, before settlement': {},
      'refund: in part, waits for the batch': { not: 'it refunds unsettled payments too' },
      'refund: in part, after settlement': {},
      'refund: above the payment': {},
      'refund: declined': { before: () => peer.faults([{ do: 'code', code: '200' }]) },
      'credit: switched off': { before: () => peer.quirks(['no-credits']) },
      'ACH: sale': {},
      'ACH: void': {},
      'ACH: refund': {},
      'ACH: credit': {},
      'ACH: declined': { before: () => peer.faults([{ do: 'code', code: '200' }]) },
      'ACH: bad routing number': {},
      'ACH: returned later': {},
      'stored card: first': {},
      'stored card: later, by the customer': {},
      'stored card: later, by the merchant': {},
      'settlement: the lines are the books': {},
      'settlement: no answer is no report': {},
      'set-up check: sound': {},
      'set-up check: wrong credentials': {},
      'set-up check: the other world': { before: () => peer.quirks(['test-mode']) },
      'set-up check: no answer': {},
    }),
  });
