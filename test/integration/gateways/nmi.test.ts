import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { money, newProcessorRef, parseCurrency } from '#core/kernel';
import { type BankSource, type CardSource, last4Of } from '#core/records/vault';
import type { ChargeRequest, ReferencedRequest, StatusInquiry } from '../../../core/processing/gateways/connector.ts';
import type { HttpClient, HttpResponse } from '../../../core/processing/gateways/http-client.ts';
import { nmi } from '../../../core/processing/gateways/nmi/index.ts';
import type { Outcome } from '../../../core/processing/gateways/outcome.ts';
import type { GatewayAccount } from '../../../core/processing/gateways/processor.ts';
import { createHttpClient } from '../../../core/processing/gateways/undici-client.ts';
import { nmiSimulator } from '../../../simulators/nmi/index.ts';
import { type Simulator, serveSimulator } from '../../../simulators/simulator-server.ts';
import { sized } from '../../support/tier.ts';

const USD = parseCurrency('USD');
const CARD: CardSource = { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', brand: 'visa', cvv: '999' };
const BANK: BankSource = {
  kind: 'ach',
  accountNumber: '24413815',
  routingNumber: '490000018',
  accountType: 'checking',
  accountHolderName: 'Ann Other',
  holder: 'person',
};
const OWNER_IDS = { tenantId: 'ten_a', merchantId: 'mer_a', gatewayId: 'gtw_a' };
const HOUR_MS = 3_600_000;

const httpClient = createHttpClient();
let simulator: Simulator;
let account: GatewayAccount;
let gateway: ReturnType<typeof nmi.open>;

beforeAll(async () => {
  simulator = await serveSimulator(nmiSimulator);
  account = {
    tenantId: 'ten_a',
    gatewayId: 'gtw_a',
    credentials: simulator.credentials,
    mode: 'live',
    origin: simulator.origin,
    currency: USD,
    timezone: 'America/Chicago',
  };
  gateway = nmi.open(account, httpClient);
});
afterEach(() => {
  simulator.faults();
  simulator.quirks();
});
afterAll(async () => {
  await httpClient.close();
  await simulator.stop();
});

/** Each has its own amount, so that none is a duplicate of another. */
let cents = 10_000;
function order(more: Partial<ChargeRequest> = {}): ChargeRequest {
  cents += 1;
  return { ...OWNER_IDS, processorRef: newProcessorRef(), amount: money(cents, USD), source: CARD, channel: 'phone', ...more };
}
function about(asked: ChargeRequest, outcome: Outcome, minor = asked.amount.minor): ReferencedRequest {
  if (outcome.kind !== 'approved') throw new Error(`not approved: ${JSON.stringify(outcome)}`);
  return {
    ...OWNER_IDS,
    processorRef: newProcessorRef(),
    amount: money(minor, USD),
    original: { processorRef: asked.processorRef, reference: outcome.reference },
    paidWith: asked.source.kind === 'ach' ? asked.source : { kind: 'card', last4: last4Of(asked.source) },
  };
}
type Sent = NonNullable<StatusInquiry['sent']>;
function inquiry(asked: ChargeRequest | ReferencedRequest, operation: Sent['operation'], ageMs = 0): StatusInquiry {
  const at = new Date(Date.now() - ageMs).toISOString();
  const original = 'original' in asked ? asked.original : undefined;
  return { ...OWNER_IDS, processorRef: asked.processorRef, sent: { operation, amount: asked.amount, at, original } };
}
/** Returns a gateway that gets one response to every request. */
function answering(body: string, status = 200) {
  const answered: HttpResponse = { kind: 'answered', status, contentType: 'text/html', body };
  const deaf: HttpClient = { post: async () => answered, get: async () => answered, close: async () => {} };
  return nmi.open(account, deaf);
}
const encode = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

describe('payments', () => {
  test('sends a sale as a form in the body only, and reads the approval with the AVS and CVV results', async () => {
    const billing = { firstName: 'Ann', lastName: 'Other+Son', address: '888', zip: '77777', state: 'IL', country: 'US' };
    const asked = order({ billing, email: 'ann@example.com' });
    const sold = await gateway.purchase(asked);
    expect(sold).toMatchObject({ kind: 'approved', authCode: '123456', avsResponse: 'Y', cvvResponse: 'M' });
    const heard = simulator.lastRequest();
    expect(heard).toMatchObject({ path: '/api/transact.php', contentType: 'application/x-www-form-urlencoded' });
    expect(Object.fromEntries(new URLSearchParams(heard?.body))).toEqual({
      security_key: simulator.credentials.securityKey,
      type: 'sale',
      industry: 'moto',
      amount: `${Math.trunc(asked.amount.minor / 100)}.${String(asked.amount.minor % 100).padStart(2, '0')}`,
      currency: 'USD',
      orderid: asked.processorRef,
      ccnumber: CARD.number,
      ccexp: '1231',
      cvv: '999',
      first_name: 'Ann',
      last_name: 'Other+Son',
      address1: '888',
      state: 'IL',
      zip: '77777',
      country: 'US',
      email: 'ann@example.com',
      customer_receipt: 'false',
    });
  });

  test('captures an authorization once, partially, and not above its amount', async () => {
    const asked = order();
    const held = await gateway.authorize(asked);
    expect(await gateway.capture(about(asked, held, asked.amount.minor + 1))).toMatchObject({ kind: 'not-sent', code: 'INVALID_AMOUNT' });
    const part = about(asked, held, 4_000);
    expect(await gateway.capture(part)).toMatchObject({ kind: 'approved' });
    expect(await gateway.capture(about(asked, held, 1_000))).toMatchObject({ kind: 'not-sent', code: 'ALREADY_CAPTURED' });
    expect(simulator.ledger.byOurReference(asked.processorRef)).toMatchObject([{ movedMinor: 4_000 }]);
    expect(await gateway.inquire(inquiry(part, 'capture'))).toMatchObject({ kind: 'approved' });
    expect(await gateway.inquire(inquiry({ ...part, amount: money(3_999, USD) }, 'capture'))).toMatchObject({ alert: 'other-amount' });
    const other = order();
    const never = about(other, await gateway.authorize(other));
    expect(await gateway.inquire(inquiry(never, 'capture'))).toMatchObject({ kind: 'unknown' });
    expect(await gateway.inquire(inquiry(never, 'capture', HOUR_MS))).toEqual({ kind: 'not-found' });
  });

  test('refunds before and after the batch, each with its own reference, up to the payment', async () => {
    const asked = order();
    const sold = await gateway.purchase(asked);
    const early = about(asked, sold, 1_000);
    expect(await gateway.refund(early)).toMatchObject({ kind: 'approved' });
    simulator.closeBatch();
    expect(await gateway.refund(about(asked, sold, asked.amount.minor - 999))).toMatchObject({ kind: 'not-sent', code: 'INVALID_AMOUNT' });
    expect(await gateway.refund(about(asked, sold, asked.amount.minor - 1_000))).toMatchObject({ kind: 'approved' });
    expect(await gateway.inquire(inquiry(early, 'refund'))).toMatchObject({ kind: 'approved' });
  });

  test('distinguishes a late void from a second one', async () => {
    const [first, second] = [order(), order()];
    const [sold, sooner] = [await gateway.purchase(first), await gateway.purchase(second)];
    const undo = about(second, sooner);
    expect(await gateway.void(undo)).toMatchObject({ kind: 'approved' });
    expect(await gateway.void(undo)).toMatchObject({ kind: 'not-sent', code: 'ALREADY_VOIDED' });
    expect(await gateway.inquire(inquiry(undo, 'void'))).toMatchObject({ kind: 'approved' });
    simulator.closeBatch();
    expect(await gateway.void(about(first, sold))).toMatchObject({ kind: 'not-sent', code: 'RESOURCE_CONFLICT' });
    const stranger = { ...undo, original: { processorRef: 'x', reference: '1' } };
    expect(await gateway.void(stranger)).toMatchObject({ kind: 'not-sent', alert: 'unknown-original' });
  });

  test('charges, voids and refunds a bank payment as one, and pays unlinked credits only if the account allows it', async () => {
    const [first, second] = [order({ source: BANK, secCode: 'TEL' }), order({ source: BANK, secCode: 'TEL' })];
    expect(await gateway.void(about(first, await gateway.purchase(first)))).toMatchObject({ kind: 'approved' });
    const sold = await gateway.purchase(second);
    simulator.closeBatch();
    expect(await gateway.refund(about(second, sold, 500))).toMatchObject({ kind: 'approved' });
    expect(await gateway.credit(order({ source: BANK, secCode: 'PPD' }))).toMatchObject({ kind: 'approved' });
    simulator.quirks(['no-credits']);
    expect(await gateway.credit(order())).toMatchObject({ kind: 'not-sent', code: 'NOT_REFUNDABLE' });
    expect(await gateway.purchase(order({ source: { ...BANK, routingNumber: '123456789' }, secCode: 'TEL' }))).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  test('names the first payment of a stored card in all later ones', async () => {
    const { cvv: _, ...stored } = CARD;
    const asked = order({ channel: 'recurring', storedCredential: { use: 'first', initiator: 'customer', purpose: 'recurring' } });
    const sold = await gateway.purchase(asked);
    const credentialReference = sold.kind === 'approved' ? (sold.credentialReference ?? '') : '';
    const later = {
      use: 'later',
      initiator: 'merchant',
      purpose: 'recurring',
      first: { credentialReference, amount: asked.amount },
    } as const;
    expect(await gateway.purchase(order({ source: stored, channel: 'recurring', storedCredential: later }))).toMatchObject({
      kind: 'approved',
      credentialReference,
    });
    const other = await gateway.purchase(
      order({ source: stored, channel: 'unscheduled', storedCredential: { ...later, purpose: 'unscheduled' } }),
    );
    expect(other).toMatchObject({ kind: 'not-sent', retry: 'error' });
  });

  test('declines a partial approval and names it for the void', async () => {
    simulator.quirks(['partial']);
    const asked = order();
    const sold = await gateway.purchase(asked);
    expect(sold).toMatchObject({ kind: 'declined', referenceToVoid: simulator.ledger.byOurReference(asked.processorRef)[0]?.reference });
  });

  test('charges the approved part of a payment that allows it, and finds it after a lost answer', async () => {
    const prepaid = { source: { ...CARD, number: '5105105105105100' } };
    const [shown, lost] = [order({ ...prepaid, allowsPartialApproval: true }), order({ ...prepaid, allowsPartialApproval: true })];
    const part = { kind: 'approved', charged: { amount: { minor: Math.trunc(shown.amount.minor / 2) } } };
    expect(await gateway.purchase(shown)).toMatchObject(part);
    simulator.faults([{ do: 'drop-answer', on: ['sale'] }]);
    expect(await gateway.purchase(lost)).toMatchObject({ kind: 'unknown' });
    simulator.faults();
    const { processorRef, amount } = lost;
    const sent = { operation: 'sale', amount, at: new Date().toISOString(), allowsPartialApproval: true } as const;
    expect(await gateway.inquire({ tenantId: lost.tenantId, gatewayId: lost.gatewayId, processorRef, sent })).toMatchObject(part);
    const whole = await gateway.purchase(order(prepaid));
    expect(whole).toMatchObject({ kind: 'approved' });
    expect(whole).not.toHaveProperty('charged');
  });
});

describe('response codes', () => {
  test('returns both checks with a decline for a wrong security code and address', async () => {
    const body = encode({
      response: '2',
      response_code: '225',
      responsetext: 'CVV mismatch',
      type: 'sale',
      avsresponse: 'N',
      cvvresponse: 'N',
    });
    const expected = { kind: 'declined', declineCode: 'cvv_failure', avsResponse: 'N', cvvResponse: 'N' };
    expect(await answering(body).purchase(order())).toMatchObject(expected);
  });

  const declined = (code: string, declineCode: string, advice?: object) => ({ code, outcome: { kind: 'declined', declineCode, advice } });
  test.each([
    declined('200', 'card_declined'),
    declined('201', 'do_not_honor'),
    declined('202', 'insufficient_funds'),
    declined('203', 'exceeds_limit'),
    declined('204', 'restricted_card'),
    declined('220', 'invalid_account'),
    declined('223', 'expired_card'),
    declined('224', 'invalid_expiry'),
    declined('225', 'cvv_failure'),
    declined('240', 'call_issuer'),
    declined('252', 'lost_stolen'),
    declined('253', 'fraud_suspected'),
    declined('261', 'card_declined', { kind: 'stop-card' }),
    declined('262', 'card_declined', { kind: 'stop-plan' }),
    declined('263', 'card_declined', { kind: 'update-card' }),
    declined('264', 'card_declined', { kind: 'wait', days: 3 }),
    { code: '301', outcome: { kind: 'not-sent', retry: 'unavailable' } },
    { code: '410', outcome: { kind: 'not-sent', alert: 'set-up' } },
    { code: '400', outcome: { kind: 'unknown' } },
    { code: '420', outcome: { kind: 'unknown' } },
    { code: '441', outcome: { kind: 'unknown' } },
    { code: '430', outcome: { kind: 'unknown' } },
    { code: '460', outcome: { kind: 'declined', declineCode: 'restricted_card' } },
    { code: '777', outcome: { kind: 'unknown' } },
  ])('maps the response code $code', async ({ code, outcome }) => {
    simulator.faults([{ do: 'code', code, on: ['sale'] }]);
    expect(await gateway.purchase(order())).toMatchObject(JSON.parse(JSON.stringify(outcome)));
  });

  test("uses the network's own advice for the wait", async () => {
    const answer = encode({ response: '2', responsetext: 'DECLINE', type: 'sale', response_code: '264', merchant_advice_code: '29' });
    expect(await answering(answer).purchase(order())).toMatchObject({ advice: { kind: 'wait', days: 8 } });
  });

  test('never turns an unrecognized response into an approval or a decline', async () => {
    const word = fc.oneof(
      fc.constantFrom('', '1', '2', '3', '100', '200', '777', '300', 'sale', '12345678901'),
      fc.string({ maxLength: 12 }),
    );
    const names = ['response', 'responsetext', 'transactionid', 'type', 'orderid', 'response_code', 'amount_authorized'];
    const fields = fc.dictionary(fc.constantFrom(...names), word);
    await fc.assert(
      fc.asyncProperty(fields, fc.nat(200), async (answer, cut) => {
        const body = encode(answer).slice(0, cut);
        const sentFields = Object.fromEntries(new URLSearchParams(body));
        const { kind } = await answering(body).purchase(order());
        const code = sentFields.response_code ?? '';
        if (kind === 'approved') expect([sentFields.response, code]).toEqual(['1', '100']);
        if (kind === 'declined') expect(`${sentFields.response} ${code}`).toMatch(/^([23] [24]\d\d|1 100)$/);
        if (kind === 'not-sent') expect(sentFields.response).toBe('3');
      }),
      { numRuns: sized(80, 400) },
    );
    const whole = {
      response: '1',
      responsetext: 'SUCCESS',
      authcode: '1',
      transactionid: '60000000001',
      type: 'sale',
      response_code: '100',
    };
    expect(await answering(encode(whole)).purchase(order())).toMatchObject({ kind: 'approved' });
    for (const wrong of [
      encode({ ...whole, type: 'auth' }),
      encode({ ...whole, orderid: 'SOMEBODYELSES' }),
      encode({ ...whole, transactionid: '' }),
      `${encode(whole)}&response=1`,
      encode(whole).slice(0, -1),
      '<html>maintenance</html>',
      '',
    ])
      expect(await answering(wrong).purchase(order())).toMatchObject({ kind: 'unknown' });
    expect(await answering(encode(whole), 502).purchase(order())).toMatchObject({ kind: 'unknown' });
  });
});

describe('unconfirmed payments', () => {
  test('finds a lost answer by our reference, and reports a missing one once that is certain', async () => {
    simulator.faults([{ do: 'drop-answer', on: ['sale'], nth: 1 }]);
    const [taken, never] = [order(), order()];
    expect(await gateway.purchase(taken)).toMatchObject({ kind: 'unknown' });
    expect(await gateway.inquire(inquiry(taken, 'sale'))).toMatchObject({ kind: 'approved', authCode: '123456', cvvResponse: 'M' });
    expect(await gateway.inquire(inquiry({ ...taken, amount: money(1, USD) }, 'sale'))).toMatchObject({ alert: 'other-amount' });
    simulator.faults([{ do: 'drop-request', on: ['sale'] }]);
    expect(await gateway.purchase(never)).toMatchObject({ kind: 'unknown' });
    expect(await gateway.inquire(inquiry(never, 'sale'))).toMatchObject({ kind: 'unknown' });
    expect(await gateway.inquire(inquiry(never, 'sale', HOUR_MS))).toEqual({ kind: 'not-found' });
    expect(await gateway.inquire({ ...OWNER_IDS, processorRef: never.processorRef })).toMatchObject({ kind: 'unknown' });
    const declined = order({ amount: money(99, USD) });
    simulator.faults([{ do: 'drop-answer', on: ['sale'] }]);
    await gateway.purchase(declined);
    expect(await gateway.inquire(inquiry(declined, 'sale'))).toMatchObject({ kind: 'declined', declineCode: 'card_declined' });
  });

  test('leaves several payments under one reference to a person', async () => {
    const asked = order();
    await gateway.purchase(asked);
    await gateway.purchase({ ...asked, amount: money(asked.amount.minor + 50_000, USD) });
    expect(await gateway.inquire(inquiry(asked, 'sale'))).toMatchObject({ kind: 'unknown', alert: 'several-found' });
    const nameless = {
      ...inquiry(asked, 'void'),
      sent: { ...inquiry(asked, 'void').sent, original: { processorRef: 'x', reference: '' } },
    };
    expect(await gateway.inquire(nameless as StatusInquiry)).toMatchObject({ kind: 'unknown', alert: 'unknown-original' });
    expect(new URLSearchParams(simulator.lastRequest()?.body).get('order_id')).toBe(asked.processorRef);
  });

  test('treats a duplicate as this attempt, as another payment, or as unknown, by what the processor shows', async () => {
    simulator.faults([{ do: 'duplicate', on: ['sale'] }]);
    expect(await gateway.purchase(order())).toMatchObject({ kind: 'approved' });
    simulator.faults([
      { do: 'duplicate', on: ['sale'] },
      { do: 'drop-answer', on: ['query'], nth: 1 },
    ]);
    expect(await gateway.purchase(order())).toMatchObject({ kind: 'unknown' });
    simulator.faults();
    simulator.quirks(['duplicate-check']);
    for (const more of [{ source: CARD }, { source: BANK, secCode: 'TEL' as const }]) {
      const asked = order(more);
      await gateway.purchase(asked);
      expect(await gateway.purchase({ ...asked, processorRef: newProcessorRef() })).toMatchObject({ code: 'DUPLICATE_TRANSACTION' });
    }
    expect(
      await answering(encode({ response: '3', responsetext: 'Duplicate transaction REFID:1', response_code: '300' })).purchase(order()),
    ).toMatchObject({
      kind: 'unknown',
    });
  });

  test.each([
    ['in_progress', '1', { kind: 'pending' }],
    ['abandoned', '0', { kind: 'not-sent', retry: 'error' }],
    ['canceled', '1', { kind: 'declined' }],
    ['failed', '0', { kind: 'declined', declineCode: 'insufficient_funds' }],
    ['complete', '1', { kind: 'approved' }],
    ['complete', '0', { kind: 'unknown', alert: 'processor-at-a-loss' }],
    ['unknown', '1', { kind: 'unknown', alert: 'processor-at-a-loss' }],
    ['somethingnew', '1', { kind: 'unknown', alert: 'processor-at-a-loss' }],
  ])('maps the condition %s with success %s', async (condition, success, outcome) => {
    const asked = order();
    const action = `<action><amount>${cents / 100}</amount><action_type>sale</action_type><success>${success}</success><response_code>202</response_code></action>`;
    const xml = `<nm_response><transaction><transaction_id>1</transaction_id><condition>${condition}</condition><order_id>${asked.processorRef}</order_id>${action}</transaction></nm_response>`;
    expect(await answering(xml).inquire(inquiry(asked, 'sale'))).toMatchObject(outcome);
    expect(await answering(xml.slice(0, -1)).inquire(inquiry(asked, 'sale'))).toMatchObject({ kind: 'unknown' });
    const bomb = `<!DOCTYPE x [<!ENTITY a "aa">]>${xml}`;
    expect(await answering(bomb).inquire(inquiry(asked, 'sale'))).toMatchObject({ kind: 'unknown' });
  });
});

describe('settlement', () => {
  test('reports every settle action of the period with its batch, and returns with their code', async () => {
    const from = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString();
    const [card, bank, open] = [order(), order({ source: BANK, secCode: 'TEL' }), order()];
    const [sold, paid] = [await gateway.purchase(card), await gateway.purchase(bank)];
    const refund = about(card, sold, 700);
    await gateway.refund(refund);
    simulator.closeBatch();
    await gateway.purchase(open);
    const [{ reference } = { reference: '' }] = simulator.ledger.byOurReference(bank.processorRef);
    simulator.ledger.returnItem(reference, 'R03', 'No account was found');
    const period = { tenantId: 'ten_a', from, to: new Date(Date.now() + 5_000).toISOString() };
    const lines = [];
    for await (const page of gateway.settlementReport(period) as AsyncIterable<readonly { processorRef: string }[]>) lines.push(...page);
    const mine = new Map(lines.map((line) => [line.processorRef, line]));
    const batch = simulator.ledger.find(reference)?.batch;
    expect(mine.get(bank.processorRef)).toMatchObject({ kind: 'capture', amount: bank.amount, batch, reference });
    expect(mine.get(card.processorRef)).toMatchObject({ kind: 'capture', amount: card.amount });
    expect(mine.get(refund.processorRef)).toMatchObject({ kind: 'refund', amount: money(700, USD) });
    expect(mine.has(open.processorRef)).toBe(false);
    const items = [];
    for await (const page of gateway.returns?.(period) ?? []) items.push(...page);
    expect(items).toMatchObject([{ reference, processorRef: bank.processorRef, returnCode: 'R03', amount: bank.amount }]);
    expect(await gateway.inquire(inquiry(bank, 'sale'))).toMatchObject({ kind: 'approved' });
    expect(paid.kind).toBe('approved');
  });

  test('refuses an incomplete report', async () => {
    simulator.faults([{ do: 'half-answer', on: ['query'] }]);
    const report = gateway.settlementReport({ tenantId: 'ten_a', from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' });
    await expect(async () => {
      for await (const _ of report as AsyncIterable<unknown>);
    }).rejects.toThrow('connection');
  });
});

describe('the account', () => {
  test('checks an account through its profile, without a payment', async () => {
    const before = simulator.ledger.totals().entries;
    expect(await nmi.check(account, httpClient)).toEqual({
      kind: 'ok',
      merchantName: 'Corner Shop & Sons',
      currencies: ['USD'],
      timezone: 'America/Chicago',
      takesBankAccounts: true,
    });
    expect(await nmi.check({ ...account, credentials: { securityKey: 'wrong' } }, httpClient)).toMatchObject({
      kind: 'refused',
      field: 'securityKey',
    });
    expect(await nmi.check({ ...account, currency: parseCurrency('EUR') }, httpClient)).toMatchObject({
      kind: 'refused',
      field: 'currency',
    });
    const other = { ...account, credentials: { ...account.credentials, processorId: 'nobody' } };
    expect(await nmi.check(other, httpClient)).toMatchObject({ kind: 'refused', field: 'processorId' });
    simulator.quirks(['test-mode']);
    expect(await nmi.check(account, httpClient)).toMatchObject({ kind: 'refused', field: 'mode' });
    simulator.faults([{ do: 'busy', on: ['profile'] }]);
    expect(await nmi.check(account, httpClient)).toMatchObject({ kind: 'unreachable' });
    expect(simulator.ledger.totals().entries).toBe(before);
  });

  test("accepts the processor's and resellers' hosts, and refuses a test account for live payments", async () => {
    const profile = '<nm_response><merchant/><account_details><test_mode_enabled>false</test_mode_enabled></account_details></nm_response>';
    const asked: string[] = [];
    const listening: HttpClient = {
      async post({ url }) {
        asked.push(url);
        return { kind: 'answered', status: 200, contentType: 'text/xml', body: profile };
      },
      get: () => Promise.reject(new Error('This client only posts.')),
      close: async () => {},
    };
    const brand = 'https://brand.transactiongateway.com';
    const checkWith = (mode: 'test' | 'live', origin?: string) => nmi.check({ ...account, mode, origin }, listening);
    expect(await checkWith('test')).toMatchObject({ kind: 'ok' });
    expect(await checkWith('live')).toMatchObject({ kind: 'ok' });
    expect(await checkWith('live', brand)).toMatchObject({ kind: 'ok' });
    expect(await checkWith('test', brand)).toMatchObject({ kind: 'refused', field: 'mode' });
    const path = '/api/query.php';
    expect(asked).toEqual([`https://sandbox.nmi.com${path}`, `https://secure.nmi.com${path}`, `${brand}${path}`, `${brand}${path}`]);
  });

  test('keeps secrets out of echoed responses', async () => {
    simulator.faults([{ do: 'echo' }]);
    const outcomes = [
      await gateway.purchase(order()),
      await gateway.purchase(order({ source: BANK, secCode: 'TEL' })),
      await gateway.inquire(inquiry(order(), 'sale')),
      await nmi.check(account, httpClient),
    ];
    const words = JSON.stringify(outcomes);
    expect(words).toContain('[redacted]');
    for (const secret of [simulator.credentials.securityKey ?? '', CARD.number, BANK.accountNumber, BANK.routingNumber, '999'])
      expect(words).not.toContain(secret);
  });

  test('handles a byte-order mark and too many requests', async () => {
    simulator.quirks(['bom']);
    const asked = order();
    expect(await gateway.purchase(asked)).toMatchObject({ kind: 'approved' });
    expect(await gateway.inquire(inquiry(asked, 'sale'))).toMatchObject({ kind: 'approved' });
    simulator.faults([{ do: 'http-429', on: ['sale'] }]);
    expect(await gateway.purchase(order())).toMatchObject({ kind: 'not-sent', retry: 'unavailable' });
  });
});
