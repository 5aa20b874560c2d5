// The connector with its simulator over HTTP: requests are compared with the processor's schema, responses follow its manual and recordings.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { money, newProcessorRef, parseCurrency } from '#core/kernel';
import type { ChargeRequest, Outcome, ReferencedRequest, SettlementLine } from '#core/processing/gateways';
import { last4Of } from '#core/records/vault';
import { authorizeNet } from '../../../core/processing/gateways/authorizenet/index.ts';
import type { GatewayAccount } from '../../../core/processing/gateways/processor.ts';
import { createHttpClient } from '../../../core/processing/gateways/undici-client.ts';
import { type Peer, startSimulator } from '../../../simulators/index.ts';

const USD = parseCurrency('USD');
const VISA = '4111111111111111';
const ROUTING = '490000018';
const httpClient = createHttpClient();
let simulator: Peer;
let account: GatewayAccount;
/** Difference between the simulator's clock and ours. */
let aheadMs = 0;

beforeAll(async () => {
  simulator = await startSimulator('authorizenet', { now: () => Date.now() + aheadMs });
  account = {
    tenantId: 'ten_a',
    gatewayId: 'gw_a',
    credentials: simulator.credentials,
    mode: 'test',
    origin: simulator.origin,
    currency: USD,
    timezone: 'America/New_York',
  };
});
beforeEach(() => {
  simulator.faults();
  simulator.quirks();
  aheadMs = 0;
});
afterAll(async () => {
  await httpClient.close();
  await simulator.stop();
});

const gateway = () => authorizeNet.open(account, httpClient);
const names = { tenantId: 'ten_a', merchantId: 'mer_a', gatewayId: 'gw_a' };

function cardOrder(minor: number, more: Partial<ChargeRequest> & { number?: string; cvv?: string } = {}): ChargeRequest {
  const { number = VISA, cvv, ...given } = more;
  return {
    processorRef: newProcessorRef(),
    ...names,
    amount: money(minor, USD),
    source: { kind: 'card', number, expiryMonth: '12', expiryYear: '2031', brand: 'visa', cvv },
    channel: 'phone',
    ...given,
  };
}

function bankOrder(minor: number, accountNumber = '24413815', routingNumber = ROUTING): ChargeRequest {
  const source = {
    kind: 'ach',
    accountNumber,
    routingNumber,
    accountType: 'checking',
    accountHolderName: 'Maximiliane von und zu Beispielhausen',
    holder: 'person',
  } as const;
  return { processorRef: newProcessorRef(), ...names, amount: money(minor, USD), source, channel: 'phone', secCode: 'TEL' };
}

function following(order: ChargeRequest, outcome: Outcome, minor = order.amount.minor): ReferencedRequest {
  const { source } = order;
  return {
    processorRef: newProcessorRef(),
    ...names,
    amount: money(minor, USD),
    original: { processorRef: order.processorRef, reference: referenceOf(outcome) },
    paidWith: source.kind === 'ach' ? source : { kind: 'card', last4: last4Of(source) },
  };
}

function referenceOf(outcome: Outcome): string {
  if (outcome.kind !== 'approved' && outcome.kind !== 'pending') throw new Error(`expected a reference, got ${JSON.stringify(outcome)}`);
  return outcome.reference;
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
type Operation = 'sale' | 'auth' | 'refund' | 'credit';
const sentOf = (operation: Operation, { amount }: ChargeRequest | ReferencedRequest, at = minutesAgo(1)) => ({ operation, amount, at });
const inquire = (question: ChargeRequest | ReferencedRequest, operation: Operation, at?: string) =>
  gateway().inquire({ ...names, processorRef: question.processorRef, sent: sentOf(operation, question, at) });

async function all<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}
const reported = (): Promise<SettlementLine[]> => all(gateway().settlementReport(day) as AsyncIterable<SettlementLine[]>);
const day = { tenantId: 'ten_a', from: minutesAgo(60), to: new Date(Date.now() + 7_200_000).toISOString() };

describe('payments', () => {
  test("approves a sale with the processor's details under our reference", async () => {
    const order = cardOrder(1_999, {
      cvv: '900',
      email: `${'x'.repeat(300)}@example.com`,
      billing: {
        firstName: 'A'.repeat(80),
        lastName: 'B',
        address: 'C'.repeat(80),
        city: 'D'.repeat(60),
        state: 'NY',
        zip: '46211',
        country: 'US',
      },
    });
    const outcome = await gateway().purchase(order);
    expect(outcome).toMatchObject({ kind: 'approved', avsResponse: 'Z', cvvResponse: 'M' });
    const [entry] = simulator.ledger.byOurReference(order.processorRef);
    expect(entry).toMatchObject({ operation: 'sale', state: 'captured', movedMinor: 1_999, last4: '1111' });
    expect(outcome).toMatchObject({
      reference: entry?.reference,
      authCode: `A${entry?.reference.slice(-5)}`,
      credentialReference: `NET${entry?.reference}`,
    });
  });

  test.for([
    ['the issuer refuses', cardOrder(1_000, { billing: { zip: '46282' } }), { declineCode: 'card_declined' }],
    ['the security code is wrong', cardOrder(1_001, { cvv: '901' }), { declineCode: 'cvv_failure', cvvResponse: 'N' }],
    ['the address is wrong', cardOrder(1_002, { billing: { zip: '46205' } }), { declineCode: 'avs_failure', avsResponse: 'N' }],
    [
      'the security code and the address are wrong',
      cardOrder(1_004, { cvv: '901', billing: { zip: '46205' } }),
      { declineCode: 'cvv_failure', avsResponse: 'N', cvvResponse: 'N' },
    ],
    ['the number is wrong', cardOrder(1_003, { number: '4111111111111112' }), { declineCode: 'invalid_account' }],
    ['the bank refuses', bankOrder(10_001), { declineCode: 'card_declined' }],
  ] as const)('declines without moving money: %s', async ([, order, expected]) => {
    expect(await gateway().purchase(order)).toMatchObject({ kind: 'declined', ...expected });
    expect(simulator.ledger.byOurReference(order.processorRef).every(({ movedMinor }) => movedMinor === 0)).toBe(true);
  });

  test('declines an expired card as such', async () => {
    const source = { kind: 'card', number: VISA, expiryMonth: '01', expiryYear: '2020', brand: 'visa' } as const;
    expect(await gateway().purchase(cardOrder(1_000, { source }))).toMatchObject({ kind: 'declined', declineCode: 'expired_card' });
  });

  test('accepts bank payments and refuses a wrong routing number', async () => {
    const order = bankOrder(5_000);
    expect(await gateway().purchase(order)).toMatchObject({ kind: 'approved' });
    expect(simulator.ledger.byOurReference(order.processorRef)).toMatchObject([{ method: 'ach', movedMinor: 5_000 }]);
    expect(await gateway().purchase(bankOrder(5_001, '24413815', '490000019'))).toMatchObject({
      kind: 'not-sent',
      code: 'VALIDATION_ERROR',
    });
    expect(await gateway().credit({ ...bankOrder(5_002), secCode: 'PPD' })).toMatchObject({ kind: 'approved' });
  });

  test('pays an unlinked credit if the account allows it', async () => {
    const order = cardOrder(700);
    expect(await gateway().credit(order)).toMatchObject({ kind: 'approved' });
    expect(simulator.ledger.byOurReference(order.processorRef)).toMatchObject([{ operation: 'credit', movedMinor: 700 }]);
    simulator.quirks(['no-free-credits']);
    expect(await gateway().credit(cardOrder(701))).toMatchObject({ kind: 'not-sent', retry: 'error', code: 'NOT_REFUNDABLE' });
  });

  test('stored cards name their first charge; renewals by the merchant are marked as recurring', async () => {
    const first = cardOrder(2_000, {
      channel: 'recurring',
      storedCredential: { use: 'first', initiator: 'customer', purpose: 'recurring' },
    });
    const outcome = await gateway().purchase(first);
    const credentialReference = outcome.kind === 'approved' ? (outcome.credentialReference ?? '') : '';
    const later = {
      use: 'later',
      initiator: 'merchant',
      purpose: 'recurring',
      first: { credentialReference, amount: first.amount },
    } as const;
    expect(await gateway().purchase(cardOrder(2_001, { channel: 'recurring', storedCredential: later }))).toMatchObject({
      kind: 'approved',
    });
    expect(JSON.parse(simulator.lastRequest()?.body ?? '').createTransactionRequest.transactionRequest).toMatchObject({
      transactionSettings: { setting: expect.arrayContaining([{ settingName: 'recurringBilling', settingValue: 'true' }]) },
      processingOptions: { isSubsequentAuth: 'true' },
      subsequentAuthInformation: { originalNetworkTransId: credentialReference, originalAuthAmount: '20.00' },
    });
  });

  test('reads a response with a byte-order mark and codes of other types', async () => {
    simulator.quirks(['bom', 'wobble']);
    expect(await gateway().purchase(cardOrder(1_200))).toMatchObject({ kind: 'approved', reference: expect.stringMatching(/^\d+$/) });
    expect(await gateway().purchase(cardOrder(1_200, { billing: { zip: '46282' } }))).toMatchObject({
      kind: 'declined',
      declineCode: 'card_declined',
    });
  });
});

describe('operations on a payment', () => {
  test('captures a part once, and refuses the rest, another amount or a second capture', async () => {
    const order = cardOrder(3_000);
    const held = await gateway().authorize(order);
    expect(await gateway().capture(following(order, held, 3_001))).toMatchObject({ kind: 'not-sent', code: 'INVALID_AMOUNT' });
    expect(await gateway().capture(following(order, held, 2_500))).toMatchObject({ kind: 'approved', reference: referenceOf(held) });
    expect(simulator.ledger.find(referenceOf(held))).toMatchObject({
      state: 'captured',
      movedMinor: 2_500,
      ourReference: order.processorRef,
    });
    expect(await gateway().capture(following(order, held, 500))).toMatchObject({ kind: 'not-sent', code: 'ALREADY_CAPTURED' });
    expect(await gateway().cancelCapture(following(order, held))).toMatchObject({ kind: 'not-sent', code: 'RESOURCE_CONFLICT' });
  });

  test('voids an unsettled payment once, and refuses it after the batch', async () => {
    const [voided, settled] = [cardOrder(3_100), cardOrder(3_200)];
    const first = await gateway().purchase(voided);
    expect(await gateway().void(following(voided, first))).toMatchObject({ kind: 'approved' });
    expect(await gateway().void(following(voided, first))).toMatchObject({ kind: 'not-sent', code: 'ALREADY_VOIDED' });
    const second = await gateway().purchase(settled);
    simulator.closeBatch();
    expect(await gateway().void(following(settled, second))).toMatchObject({ kind: 'not-sent', code: 'RESOURCE_CONFLICT' });
    const unknown = { ...following(voided, first), original: { processorRef: voided.processorRef, reference: '59' } };
    expect(await gateway().void(unknown)).toMatchObject({ kind: 'not-sent', alert: 'unknown-original' });
  });

  test.for([
    ['card', () => cardOrder(4_000)],
    ['bank', () => bankOrder(4_000)],
  ] as const)('refunds a %s payment only after the batch, and never more than the payment', async ([, ordered]) => {
    const order = ordered();
    const paid = await gateway().purchase(order);
    expect(await gateway().refund(following(order, paid, 1_000))).toMatchObject({
      kind: 'not-sent',
      retry: 'after-batch',
      code: 'NOT_REFUNDABLE',
    });
    simulator.closeBatch();
    const refund = following(order, paid, 1_500);
    expect(await gateway().refund(refund)).toMatchObject({ kind: 'approved' });
    expect(await gateway().refund(following(order, paid, 1_500))).toMatchObject({ kind: 'approved' });
    expect(await gateway().refund(following(order, paid, 1_001))).toMatchObject({ kind: 'not-sent', code: 'INVALID_AMOUNT' });
    expect(simulator.ledger.byOurReference(refund.processorRef)).toMatchObject([
      { operation: 'refund', movedMinor: 1_500, original: referenceOf(paid) },
    ]);
    expect(await inquire(refund, 'refund')).toMatchObject({ kind: 'approved' });
  });

  test('distinguishes a refused refund of a settled payment from one that must wait', async () => {
    const order = cardOrder(4_100);
    const paid = await gateway().purchase(order);
    simulator.closeBatch();
    const other = { ...following(order, paid), paidWith: { kind: 'card', last4: '0000' } as const };
    expect(await gateway().refund(other)).toMatchObject({ kind: 'not-sent', retry: 'error', code: 'NOT_REFUNDABLE' });
    expect(await gateway().refund({ ...other, paidWith: undefined })).toMatchObject({ kind: 'not-sent', retry: 'error' });
  });
});

describe('unconfirmed payments', () => {
  test.for(['drop-answer', 'half-answer', 'duplicate'] as const)(
    'after %s, finds an unknown payment under our reference, charged once',
    async (fault) => {
      const order = cardOrder(5_000);
      simulator.faults([{ do: fault, nth: 1 }]);
      expect(await gateway().purchase(order)).toMatchObject({ kind: 'unknown' });
      const [entry] = simulator.ledger.byOurReference(order.processorRef);
      expect(await inquire(order, 'sale')).toMatchObject({ kind: 'approved', reference: entry?.reference, authCode: expect.any(String) });
      // The processor's own check: the same request again is a duplicate.
      expect(await gateway().purchase(order)).toMatchObject({ kind: 'unknown' });
      expect(simulator.ledger.byOurReference(order.processorRef)).toHaveLength(1);
      simulator.closeBatch();
      expect(await inquire(order, 'sale')).toMatchObject({ kind: 'approved', reference: entry?.reference });
    },
  );

  test.for(['drop-request', 'http-500', 'http-429', 'busy'] as const)(
    'after %s, reports an unknown payment as not found only when it can no longer arrive',
    async (fault) => {
      const order = cardOrder(5_100);
      simulator.faults([{ do: fault, nth: 1 }]);
      expect(await gateway().purchase(order)).toMatchObject({ kind: 'unknown' });
      expect(simulator.ledger.byOurReference(order.processorRef)).toHaveLength(0);
      expect(await inquire(order, 'sale', minutesAgo(14))).toMatchObject({ kind: 'unknown' });
      expect(await inquire(order, 'sale', minutesAgo(16))).toEqual({ kind: 'not-found' });
      expect(await gateway().inquire({ ...names, processorRef: order.processorRef })).toMatchObject({ kind: 'unknown' });
      simulator.faults([{ do: 'drop-answer' }]);
      expect(await inquire(order, 'sale', minutesAgo(16))).toMatchObject({ kind: 'unknown' });
    },
  );

  test('finds a payment as soon as the lists show it', async () => {
    const slow = await startSimulator('authorizenet', {
      now: () => Date.now() + aheadMs,
      visibleAfterMs: 30_000,
      faults: [{ do: 'drop-answer', nth: 1 }],
    });
    try {
      const order = cardOrder(5_200);
      const opened = authorizeNet.open({ ...account, origin: slow.origin }, httpClient);
      const inquiry = { ...names, processorRef: order.processorRef, sent: sentOf('sale', order) };
      await opened.purchase(order);
      expect(await opened.inquire(inquiry)).toMatchObject({ kind: 'unknown' });
      aheadMs = 31_000;
      expect(await opened.inquire(inquiry)).toMatchObject({ kind: 'approved' });
    } finally {
      await slow.stop();
    }
  });

  test('reads the outcome of a lost capture or void from the payment itself', async () => {
    const order = cardOrder(5_300);
    const held = await gateway().authorize(order);
    const capture = following(order, held, 5_000);
    const about = (operation: 'capture' | 'void', minor: number, at: string) =>
      gateway().inquire({
        ...names,
        processorRef: capture.processorRef,
        sent: { operation, amount: money(minor, USD), at, original: capture.original },
      });
    expect(await about('capture', 5_000, minutesAgo(1))).toMatchObject({ kind: 'unknown' });
    expect(await about('capture', 5_000, minutesAgo(3))).toEqual({ kind: 'not-found' });
    simulator.faults([{ do: 'drop-answer', on: ['priorAuthCaptureTransaction', 'voidTransaction'] }]);
    expect(await gateway().capture(capture)).toMatchObject({ kind: 'unknown' });
    expect(await about('capture', 5_000, minutesAgo(1))).toMatchObject({ kind: 'approved', reference: referenceOf(held) });
    expect(await about('capture', 4_999, minutesAgo(1))).toMatchObject({ kind: 'unknown', alert: 'other-amount' });
    expect(await gateway().void(following(order, held))).toMatchObject({ kind: 'unknown' });
    expect(await about('void', 5_300, minutesAgo(1))).toMatchObject({ kind: 'approved' });
  });

  test('leaves two payments under one reference, or another amount, to a person', async () => {
    const order = cardOrder(5_400);
    await gateway().purchase(order);
    expect(await inquire({ ...order, amount: money(5_401, USD) }, 'sale')).toMatchObject({ kind: 'unknown', alert: 'other-amount' });
    await gateway().purchase({ ...order, amount: money(5_402, USD) });
    expect(await inquire(order, 'sale')).toMatchObject({ kind: 'unknown', alert: 'several-found' });
  });

  test('keeps a payment held for review pending until it is released or refused', async () => {
    simulator.faults([{ do: 'code', code: '252', on: ['authCaptureTransaction'] }]);
    const [released, refused] = [cardOrder(5_500), cardOrder(5_600)];
    const outcomes = [await gateway().purchase(released), await gateway().purchase(refused)];
    expect(outcomes).toMatchObject([{ kind: 'pending', reason: 'held_for_review' }, { kind: 'pending' }]);
    expect(await inquire(released, 'sale')).toMatchObject({ kind: 'pending' });
    const [one, other] = outcomes.map(referenceOf);
    simulator.ledger.decideHeld(one ?? '', 'release');
    simulator.ledger.decideHeld(other ?? '', 'refuse');
    expect(await inquire(released, 'sale')).toMatchObject({ kind: 'approved', reference: one });
    expect(await inquire(refused, 'sale')).toMatchObject({ kind: 'declined', declineCode: 'fraud_suspected' });
  });

  test.for(['127', '141', '165'])(
    'names the payment held by a decline of rule %s whose own void failed, until it is voided',
    async (code) => {
      const order = cardOrder(5_700);
      simulator.faults([{ do: 'code', code, nth: 1 }]);
      const outcome = await gateway().purchase(order);
      const [entry] = simulator.ledger.byOurReference(order.processorRef);
      expect(outcome).toMatchObject({ kind: 'declined', referenceToVoid: entry?.reference });
      expect(await inquire(order, 'sale')).toMatchObject({ kind: 'declined', referenceToVoid: entry?.reference });
      const undo = { ...following(order, { kind: 'approved', reference: entry?.reference ?? '' }) };
      expect(await gateway().void(undo)).toMatchObject({ kind: 'approved' });
      expect(await inquire(order, 'sale')).toEqual(expect.not.objectContaining({ referenceToVoid: expect.anything() }));
    },
  );

  test('declines a partial approval and names it for the void', async () => {
    simulator.faults([{ do: 'code', code: '295', nth: 1 }]);
    expect(await gateway().purchase(cardOrder(5_800))).toMatchObject({ kind: 'declined', referenceToVoid: expect.any(String) });
  });

  describe('partial approval', () => {
    const prepaid = (minor: number, more: Partial<ChargeRequest> = {}) =>
      ({ ...cardOrder(minor), billing: { zip: '46225' }, allowsPartialApproval: true, ...more }) satisfies ChargeRequest;

    test('completes the group of the approved part, which then settles', async () => {
      const order = prepaid(5_900);
      const sold = await gateway().purchase(order);
      expect(sold).toMatchObject({ kind: 'approved', charged: { amount: { minor: 123 } } });
      expect(simulator.ledger.byOurReference(order.processorRef)).toMatchObject([{ state: 'captured', amountMinor: 123 }]);
      expect(await gateway().purchase(cardOrder(5_901, { allowsPartialApproval: true }))).not.toHaveProperty('charged');
    });

    test('declines the payment without permission for a part, at the processor', async () => {
      const order = prepaid(5_910, { allowsPartialApproval: false });
      expect(await gateway().purchase(order)).toMatchObject({ kind: 'declined' });
      expect(simulator.ledger.byOurReference(order.processorRef)).toMatchObject([{ state: 'declined' }]);
    });

    test.for(['drop-answer', 'busy'] as const)('names the part for the void if its group is not completed (%s)', async (fault) => {
      const order = prepaid(fault === 'drop-answer' ? 5_920 : 5_921);
      simulator.faults([{ do: fault, on: ['updateSplitTenderGroupRequest'] }]);
      const sold = await gateway().purchase(order);
      const [entry] = simulator.ledger.byOurReference(order.processorRef);
      expect(sold).toMatchObject({ kind: 'declined', referenceToVoid: entry?.reference });
      const voided = await gateway().void(following(order, { kind: 'approved', reference: entry?.reference ?? '' }));
      expect(voided).toMatchObject({ kind: 'approved' });
      expect(entry?.state).toBe('voided');
    });

    test('names a part for the void that an inquiry finds after a lost answer', async () => {
      const order = prepaid(5_930);
      simulator.faults([{ do: 'drop-answer', on: ['authCaptureTransaction'] }]);
      expect(await gateway().purchase(order)).toMatchObject({ kind: 'unknown' });
      expect(await inquire(order, 'sale')).toMatchObject({ kind: 'declined', referenceToVoid: expect.any(String) });
    });
  });

  test('reports an unsent request as certainly without effect', async () => {
    const away = authorizeNet.open({ ...account, origin: 'http://127.0.0.1:9' }, httpClient);
    expect(await away.purchase(cardOrder(100))).toMatchObject({ kind: 'not-sent', retry: 'unavailable' });
  });
});

describe('secrets', () => {
  test.for([
    ['card', cardOrder(6_000, { cvv: '737' }), [VISA, '737']],
    ['bank', bankOrder(6_000, '98765432'), ['98765432']],
  ] as const)('keeps secrets out of an error that repeats a %s request', async ([, order, secrets]) => {
    simulator.faults([{ do: 'echo', nth: 1 }]);
    const outcome = await gateway().purchase(order);
    expect(outcome).toMatchObject({ kind: 'not-sent', retry: 'error', reason: expect.stringContaining('invalid') });
    for (const secret of [...secrets, ...Object.values(simulator.credentials)]) expect(JSON.stringify(outcome)).not.toContain(secret);
  });
});

describe('settlement', () => {
  test('reports every line of the batches once, with our reference and their batch', async () => {
    const [sale, bank] = [cardOrder(7_000), bankOrder(7_100)];
    const [paid] = [await gateway().purchase(sale), await gateway().purchase(bank)];
    const voided = cardOrder(7_200);
    await gateway().void(following(voided, await gateway().purchase(voided)));
    simulator.closeBatch();
    const refund = following(sale, paid as Outcome, 500);
    await gateway().refund(refund);
    const [batch] = simulator.closeBatch();
    simulator.quirks(['no-zone']);
    const report = await reported();
    const mine = [sale, bank, voided, refund].map(({ processorRef }) => report.filter((line) => line.processorRef === processorRef));
    expect(mine).toMatchObject([
      [{ kind: 'capture', amount: { minor: 7_000 } }],
      [{ kind: 'capture', amount: { minor: 7_100 } }],
      [],
      [{ kind: 'refund', amount: { minor: 500 }, batch: batch?.id }],
    ]);
    simulator.quirks(['wrong-statistics']);
    await expect(reported()).rejects.toThrow(/differs from the sum/);
  });

  test('reports a bank payment returned two days later with its code, on the day of the return', async () => {
    const order = bankOrder(8_000);
    const reference = referenceOf(await gateway().purchase(order));
    simulator.closeBatch();
    aheadMs = 2 * 86_400_000;
    expect(simulator.ledger.returnItem(reference, 'R02', 'Account Closed')).toBe(true);
    const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const returnsWithin = (from: number, to: number) =>
      all(gateway().returns?.({ tenantId: 'ten_a', from: later(from), to: later(to) }) ?? (async function* () {})());
    expect(await returnsWithin(0, 24)).toEqual([]);
    expect(await returnsWithin(24, 72)).toMatchObject([
      { reference, processorRef: order.processorRef, returnCode: 'R02', amount: { minor: 8_000 } },
    ]);
    const report = await reported();
    expect(report.filter((line) => line.reference === reference)).toHaveLength(1);
  });
});

describe('setup of an account', () => {
  test('reports the features of the account', async () => {
    const found = await authorizeNet.check(account, httpClient);
    expect(found).toEqual({
      kind: 'ok',
      merchantName: 'Peer Books',
      markets: ['ecommerce', 'moto'],
      currencies: ['USD'],
      timezone: 'America/New_York',
      takesBankAccounts: true,
    });
  });

  test('refuses wrong credentials, test mode in live use, a foreign currency and hidden lists; a busy processor proves nothing', async () => {
    const check = (more: Partial<GatewayAccount>) => authorizeNet.check({ ...account, ...more }, httpClient);
    const wrong = { loginId: simulator.credentials.loginId ?? '', transactionKey: 'wrong' };
    expect(await check({ credentials: wrong })).toMatchObject({ kind: 'refused', field: 'transactionKey' });
    expect(await check({ currency: parseCurrency('EUR') })).toMatchObject({ kind: 'refused', field: 'currency' });
    simulator.quirks(['test-mode']);
    expect(await check({ mode: 'live' })).toMatchObject({ kind: 'refused', field: 'mode' });
    expect(await gateway().purchase(cardOrder(9_000))).toMatchObject({ kind: 'unknown', alert: 'set-up' });
    simulator.quirks(['no-details']);
    expect(await check({})).toMatchObject({ kind: 'refused', reason: expect.stringContaining('Transaction Details') });
    simulator.quirks();
    simulator.faults([{ do: 'busy' }]);
    expect(await check({})).toMatchObject({ kind: 'unreachable' });
    expect(await check({ origin: 'http://127.0.0.1:9' })).toMatchObject({ kind: 'unreachable' });
  });

  test('reports wrong credentials of a payment as a misconfigured account', async () => {
    const other = authorizeNet.open({ ...account, credentials: { loginId: 'nobody', transactionKey: 'nothing' } }, httpClient);
    expect(await other.purchase(cardOrder(9_100))).toMatchObject({ kind: 'not-sent', retry: 'error', alert: 'set-up' });
  });
});
