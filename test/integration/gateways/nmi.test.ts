import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { money, newProcessorRef, parseCurrency } from '#core/kernel';
import type { BankSource, CardSource } from '#core/vault';
import type { ChargeRequest, Outcome, ReferencedRequest, StatusInquiry } from '../../../core/gateways/connector.ts';
import type { HttpClient, HttpResponse } from '../../../core/gateways/http-client.ts';
import { nmi } from '../../../core/gateways/nmi/index.ts';
import type { GatewayAccount } from '../../../core/gateways/processor.ts';
import { createHttpClient } from '../../../core/gateways/undici-client.ts';
import { nmiPeer } from '../../peers/nmi/index.ts';
import { type Peer, servePeer } from '../../peers/peer-server.ts';
import { sized } from '../../support/tier.ts';

const USD = parseCurrency('USD');
const CARD: CardSource = { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', brand: 'visa', cvv: '999' };
const BANK: BankSource = {
  kind: 'ach',
  accountNumber: '24413815',
  routingNumber: '490000018',
  accountType: 'checking',
  accountHolderName: 'Ann Other',
};
const WHOSE = { tenantId: 'ten_a', merchantId: 'mer_a', gatewayId: 'gtw_a' };
const HOUR_MS = 3_600_000;

const wire = createHttpClient();
let peer: Peer;
let account: GatewayAccount;
let gateway: ReturnType<typeof nmi.open>;

beforeAll(async () => {
  peer = await servePeer(nmiPeer);
  account = {
    tenantId: 'ten_a',
    gatewayId: 'gtw_a',
    credentials: peer.credentials,
    mode: 'live',
    origin: peer.origin,
    currency: USD,
    timezone: 'America/Chicago',
  };
  gateway = nmi.open(account, wire);
});
afterEach(() => {
  peer.faults();
  peer.quirks();
});
afterAll(async () => {
  await wire.close();
  await peer.stop();
});

/** Each with an amount of its own, so that none is another's twin. */
let cents = 10_000;
function order(more: Partial<ChargeRequest> = {}): ChargeRequest {
  cents += 1;
  return { ...WHOSE, processorRef: newProcessorRef(), amount: money(cents, USD), source: CARD, ...more };
}
function about(asked: ChargeRequest, outcome: Outcome, minor = asked.amount.minor): ReferencedRequest {
  if (outcome.kind !== 'approved') throw new Error(`not approved: ${JSON.stringify(outcome)}`);
  return {
    ...WHOSE,
    processorRef: newProcessorRef(),
    amount: money(minor, USD),
    original: { processorRef: asked.processorRef, reference: outcome.reference },
    paidWith: asked.source.kind === 'ach' ? asked.source : { kind: 'card', last4: asked.source.number.slice(-4) },
  };
}
type Sent = NonNullable<StatusInquiry['sent']>;
function inquiry(asked: ChargeRequest | ReferencedRequest, operation: Sent['operation'], ageMs = 0): StatusInquiry {
  const at = new Date(Date.now() - ageMs).toISOString();
  const original = 'original' in asked ? asked.original : undefined;
  return { ...WHOSE, processorRef: asked.processorRef, sent: { operation, amount: asked.amount, at, original } };
}
/** A gateway that hears one answer, whatever it asks. */
function hearing(body: string, status = 200) {
  const answered: HttpResponse = { kind: 'answered', status, contentType: 'text/html', body };
  const deaf: HttpClient = { post: async () => answered, close: async () => {} };
  return nmi.open(account, deaf);
}
const said = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

describe('payments', () => {
  test('sends a sale as a form in the body only, and reads the approval with its checks', async () => {
    const billing = { firstName: 'Ann', lastName: 'Other+Son', address: '888', zip: '77777', state: 'IL', country: 'US' };
    const asked = order({ billing, email: 'ann@example.com' });
    const sold = await gateway.sell(asked);
    expect(sold).toMatchObject({ kind: 'approved', authCode: '123456', avsResponse: 'Y', cvvResponse: 'M' });
    const heard = peer.last();
    expect(heard).toMatchObject({ path: '/api/transact.php', contentType: 'application/x-www-form-urlencoded' });
    expect(Object.fromEntries(new URLSearchParams(heard?.body))).toEqual({
      security_key: peer.credentials.securityKey,
      type: 'sale',
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
    expect(peer.ledger.byOurReference(asked.processorRef)).toMatchObject([{ movedMinor: 4_000 }]);
    expect(await gateway.inquire(inquiry(part, 'capture'))).toMatchObject({ kind: 'approved' });
    expect(await gateway.inquire(inquiry({ ...part, amount: money(3_999, USD) }, 'capture'))).toMatchObject({ alert: 'other-amount' });
    const other = order();
    const never = about(other, await gateway.authorize(other));
    expect(await gateway.inquire(inquiry(never, 'capture'))).toMatchObject({ kind: 'unknown' });
    expect(await gateway.inquire(inquiry(never, 'capture', HOUR_MS))).toEqual({ kind: 'not-found' });
  });

  test('refunds go before and after the batch, each with its own reference, and not beyond the payment', async () => {
    const asked = order();
    const sold = await gateway.sell(asked);
    const early = about(asked, sold, 1_000);
    expect(await gateway.refund(early)).toMatchObject({ kind: 'approved' });
    peer.closeBatch();
    expect(await gateway.refund(about(asked, sold, asked.amount.minor - 999))).toMatchObject({ kind: 'not-sent', code: 'INVALID_AMOUNT' });
    expect(await gateway.refund(about(asked, sold, asked.amount.minor - 1_000))).toMatchObject({ kind: 'approved' });
    expect(await gateway.inquire(inquiry(early, 'refund'))).toMatchObject({ kind: 'approved' });
  });

  test('distinguishes a late void from a second one', async () => {
    const [first, second] = [order(), order()];
    const [sold, sooner] = [await gateway.sell(first), await gateway.sell(second)];
    const undo = about(second, sooner);
    expect(await gateway.void(undo)).toMatchObject({ kind: 'approved' });
    expect(await gateway.void(undo)).toMatchObject({ kind: 'not-sent', code: 'ALREADY_VOIDED' });
    expect(await gateway.inquire(inquiry(undo, 'void'))).toMatchObject({ kind: 'approved' });
    peer.closeBatch();
    expect(await gateway.void(about(first, sold))).toMatchObject({ kind: 'not-sent', code: 'RESOURCE_CONFLICT' });
    const stranger = { ...undo, original: { processorRef: 'x', reference: '1' } };
    expect(await gateway.void(stranger)).toMatchObject({ kind: 'not-sent', alert: 'unknown-original' });
  });

  test('charges, voids and refunds a bank payment as one, and pays unlinked credits only if the account allows it', async () => {
    const [first, second] = [order({ source: BANK }), order({ source: BANK })];
    expect(await gateway.void(about(first, await gateway.sell(first)))).toMatchObject({ kind: 'approved' });
    const sold = await gateway.sell(second);
    peer.closeBatch();
    expect(await gateway.refund(about(second, sold, 500))).toMatchObject({ kind: 'approved' });
    expect(await gateway.credit(order({ source: BANK }))).toMatchObject({ kind: 'approved' });
    peer.quirks(['no-credits']);
    expect(await gateway.credit(order())).toMatchObject({ kind: 'not-sent', code: 'NOT_REFUNDABLE' });
    expect(await gateway.sell(order({ source: { ...BANK, routingNumber: '123456789' } }))).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test('names the first payment of a stored card in all later ones', async () => {
    const { cvv: _, ...stored } = CARD;
    const asked = order({ storedCredential: { use: 'first', by: 'customer', purpose: 'recurring' } });
    const sold = await gateway.sell(asked);
    const chainReference = sold.kind === 'approved' ? (sold.chainReference ?? '') : '';
    const later = { use: 'later', by: 'merchant', purpose: 'recurring', first: { chainReference, amount: asked.amount } } as const;
    expect(await gateway.sell(order({ source: stored, storedCredential: later }))).toMatchObject({ kind: 'approved', chainReference });
    const other = await gateway.sell(order({ source: stored, storedCredential: { ...later, purpose: 'unscheduled' } }));
    expect(other).toMatchObject({ kind: 'not-sent', retry: 'error' });
  });

  test('declines a partial approval and names it for the void', async () => {
    peer.quirks(['partial']);
    const asked = order();
    const sold = await gateway.sell(asked);
    expect(sold).toMatchObject({ kind: 'declined', heldUnder: peer.ledger.byOurReference(asked.processorRef)[0]?.reference });
  });
});

describe('what the codes mean', () => {
  test('returns both checks with a decline for a wrong security code and address', async () => {
    const body = said({
      response: '2',
      response_code: '225',
      responsetext: 'CVV mismatch',
      type: 'sale',
      avsresponse: 'N',
      cvvresponse: 'N',
    });
    const expected = { kind: 'declined', declineCode: 'cvv_failure', avsResponse: 'N', cvvResponse: 'N' };
    expect(await hearing(body).sell(order())).toMatchObject(expected);
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
  ])('$code', async ({ code, outcome }) => {
    peer.faults([{ do: 'code', code, on: ['sale'] }]);
    expect(await gateway.sell(order())).toMatchObject(JSON.parse(JSON.stringify(outcome)));
  });

  test("uses the network's own advice for the wait", async () => {
    const answer = said({ response: '2', responsetext: 'DECLINE', type: 'sale', response_code: '264', merchant_advice_code: '29' });
    expect(await hearing(answer).sell(order())).toMatchObject({ advice: { kind: 'wait', days: 8 } });
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
        const body = said(answer).slice(0, cut);
        const heard = Object.fromEntries(new URLSearchParams(body));
        const { kind } = await hearing(body).sell(order());
        const code = heard.response_code ?? '';
        if (kind === 'approved') expect([heard.response, code]).toEqual(['1', '100']);
        if (kind === 'declined') expect(`${heard.response} ${code}`).toMatch(/^([23] [24]\d\d|1 100)$/);
        if (kind === 'not-sent') expect(heard.response).toBe('3');
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
    expect(await hearing(said(whole)).sell(order())).toMatchObject({ kind: 'approved' });
    for (const wrong of [
      said({ ...whole, type: 'auth' }),
      said({ ...whole, orderid: 'SOMEBODYELSES' }),
      said({ ...whole, transactionid: '' }),
      `${said(whole)}&response=1`,
      said(whole).slice(0, -1),
      '<html>maintenance</html>',
      '',
    ])
      expect(await hearing(wrong).sell(order())).toMatchObject({ kind: 'unknown' });
    expect(await hearing(said(whole), 502).sell(order())).toMatchObject({ kind: 'unknown' });
  });
});

describe('doubt', () => {
  test('finds a lost answer by our reference, and reports a missing one once that is certain', async () => {
    peer.faults([{ do: 'drop-answer', on: ['sale'], nth: 1 }]);
    const [taken, never] = [order(), order()];
    expect(await gateway.sell(taken)).toMatchObject({ kind: 'unknown' });
    expect(await gateway.inquire(inquiry(taken, 'sale'))).toMatchObject({ kind: 'approved', authCode: '123456', cvvResponse: 'M' });
    expect(await gateway.inquire(inquiry({ ...taken, amount: money(1, USD) }, 'sale'))).toMatchObject({ alert: 'other-amount' });
    peer.faults([{ do: 'drop-request', on: ['sale'] }]);
    expect(await gateway.sell(never)).toMatchObject({ kind: 'unknown' });
    expect(await gateway.inquire(inquiry(never, 'sale'))).toMatchObject({ kind: 'unknown' });
    expect(await gateway.inquire(inquiry(never, 'sale', HOUR_MS))).toEqual({ kind: 'not-found' });
    expect(await gateway.inquire({ ...WHOSE, processorRef: never.processorRef })).toMatchObject({ kind: 'unknown' });
    const declined = order({ amount: money(99, USD) });
    peer.faults([{ do: 'drop-answer', on: ['sale'] }]);
    await gateway.sell(declined);
    expect(await gateway.inquire(inquiry(declined, 'sale'))).toMatchObject({ kind: 'declined', declineCode: 'card_declined' });
  });

  test('several under one reference are for a person', async () => {
    const asked = order();
    await gateway.sell(asked);
    await gateway.sell({ ...asked, amount: money(asked.amount.minor + 50_000, USD) });
    expect(await gateway.inquire(inquiry(asked, 'sale'))).toMatchObject({ kind: 'unknown', alert: 'several-found' });
    const nameless = {
      ...inquiry(asked, 'void'),
      sent: { ...inquiry(asked, 'void').sent, original: { processorRef: 'x', reference: '' } },
    };
    expect(await gateway.inquire(nameless as StatusInquiry)).toMatchObject({ kind: 'unknown', alert: 'unknown-original' });
    expect(new URLSearchParams(peer.last()?.body).get('order_id')).toBe(asked.processorRef);
  });

  test('treats a duplicate as this attempt, as another payment, or as unknown, by what the processor shows', async () => {
    peer.faults([{ do: 'duplicate', on: ['sale'] }]);
    expect(await gateway.sell(order())).toMatchObject({ kind: 'approved' });
    peer.faults([
      { do: 'duplicate', on: ['sale'] },
      { do: 'drop-answer', on: ['query'], nth: 1 },
    ]);
    expect(await gateway.sell(order())).toMatchObject({ kind: 'unknown' });
    peer.faults();
    peer.quirks(['duplicate-check']);
    for (const source of [CARD, BANK]) {
      const asked = order({ source });
      await gateway.sell(asked);
      expect(await gateway.sell({ ...asked, processorRef: newProcessorRef() })).toMatchObject({ code: 'DUPLICATE_TRANSACTION' });
    }
    expect(
      await hearing(said({ response: '3', responsetext: 'Duplicate transaction REFID:1', response_code: '300' })).sell(order()),
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
  ])('a payment that is %s (success %s)', async (condition, success, outcome) => {
    const asked = order();
    const action = `<action><amount>${cents / 100}</amount><action_type>sale</action_type><success>${success}</success><response_code>202</response_code></action>`;
    const xml = `<nm_response><transaction><transaction_id>1</transaction_id><condition>${condition}</condition><order_id>${asked.processorRef}</order_id>${action}</transaction></nm_response>`;
    expect(await hearing(xml).inquire(inquiry(asked, 'sale'))).toMatchObject(outcome);
    expect(await hearing(xml.slice(0, -1)).inquire(inquiry(asked, 'sale'))).toMatchObject({ kind: 'unknown' });
    const bomb = `<!DOCTYPE x [<!ENTITY a "aa">]>${xml}`;
    expect(await hearing(bomb).inquire(inquiry(asked, 'sale'))).toMatchObject({ kind: 'unknown' });
  });
});

describe('money that settles', () => {
  test('reports every settle action of the period with its batch, and returns with their code', async () => {
    const from = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString();
    const [card, bank, open] = [order(), order({ source: BANK }), order()];
    const [sold, paid] = [await gateway.sell(card), await gateway.sell(bank)];
    const refund = about(card, sold, 700);
    await gateway.refund(refund);
    peer.closeBatch();
    await gateway.sell(open);
    const [{ reference } = { reference: '' }] = peer.ledger.byOurReference(bank.processorRef);
    peer.ledger.returnItem(reference, 'R03', 'No account was found');
    const period = { tenantId: 'ten_a', from, to: new Date(Date.now() + 5_000).toISOString() };
    const lines = [];
    for await (const page of gateway.settlementReport(period) as AsyncIterable<readonly { processorRef: string }[]>) lines.push(...page);
    const mine = new Map(lines.map((line) => [line.processorRef, line]));
    const batch = peer.ledger.of(reference)?.batch;
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

  test('half a report is none', async () => {
    peer.faults([{ do: 'half-answer', on: ['query'] }]);
    const report = gateway.settlementReport({ tenantId: 'ten_a', from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' });
    await expect(async () => {
      for await (const _ of report as AsyncIterable<unknown>);
    }).rejects.toThrow('connection');
  });
});

describe('the account', () => {
  test('is checked by its profile, without a payment', async () => {
    const before = peer.ledger.totals().entries;
    expect(await nmi.check(account, wire)).toEqual({
      kind: 'ok',
      merchantName: 'Corner Shop & Sons',
      currencies: ['USD'],
      timezone: 'America/Chicago',
      takesBankAccounts: true,
    });
    expect(await nmi.check({ ...account, credentials: { securityKey: 'wrong' } }, wire)).toMatchObject({
      kind: 'refused',
      field: 'securityKey',
    });
    expect(await nmi.check({ ...account, currency: parseCurrency('EUR') }, wire)).toMatchObject({ kind: 'refused', field: 'currency' });
    const other = { ...account, credentials: { ...account.credentials, processorId: 'nobody' } };
    expect(await nmi.check(other, wire)).toMatchObject({ kind: 'refused', field: 'processorId' });
    peer.quirks(['test-mode']);
    expect(await nmi.check(account, wire)).toMatchObject({ kind: 'refused', field: 'mode' });
    peer.faults([{ do: 'busy', on: ['profile'] }]);
    expect(await nmi.check(account, wire)).toMatchObject({ kind: 'unreachable' });
    expect(peer.ledger.totals().entries).toBe(before);
  });

  test('lives at the processor’s own hosts or a reseller’s, and is no test where payments would be real', async () => {
    const profile = '<nm_response><merchant/><account_details><test_mode_enabled>false</test_mode_enabled></account_details></nm_response>';
    const asked: string[] = [];
    const listening: HttpClient = {
      async post({ url }) {
        asked.push(url);
        return { kind: 'answered', status: 200, contentType: 'text/xml', body: profile };
      },
      close: async () => {},
    };
    const brand = 'https://brand.transactiongateway.com';
    const of = (mode: 'test' | 'live', origin?: string) => nmi.check({ ...account, mode, origin }, listening);
    expect(await of('test')).toMatchObject({ kind: 'ok' });
    expect(await of('live')).toMatchObject({ kind: 'ok' });
    expect(await of('live', brand)).toMatchObject({ kind: 'ok' });
    expect(await of('test', brand)).toMatchObject({ kind: 'refused', field: 'mode' });
    const path = '/api/query.php';
    expect(asked).toEqual([`https://sandbox.nmi.com${path}`, `https://secure.nmi.com${path}`, `${brand}${path}`, `${brand}${path}`]);
  });

  test('keeps secrets out of echoed responses', async () => {
    peer.faults([{ do: 'echo' }]);
    const outcomes = [
      await gateway.sell(order()),
      await gateway.sell(order({ source: BANK })),
      await gateway.inquire(inquiry(order(), 'sale')),
      await nmi.check(account, wire),
    ];
    const words = JSON.stringify(outcomes);
    expect(words).toContain('[redacted]');
    for (const secret of [peer.credentials.securityKey ?? '', CARD.number, BANK.accountNumber, BANK.routingNumber, '999'])
      expect(words).not.toContain(secret);
  });

  test('handles a byte-order mark and too many requests', async () => {
    peer.quirks(['bom']);
    const asked = order();
    expect(await gateway.sell(asked)).toMatchObject({ kind: 'approved' });
    expect(await gateway.inquire(inquiry(asked, 'sale'))).toMatchObject({ kind: 'approved' });
    peer.faults([{ do: 'http-429', on: ['sale'] }]);
    expect(await gateway.sell(order())).toMatchObject({ kind: 'not-sent', retry: 'unavailable' });
  });
});
