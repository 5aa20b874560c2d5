// The meaning of response codes, the handling of unknown codes, and the strictness of the simulator.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { money, newProcessorRef, parseCurrency } from '#core/kernel';
import type { ChargeRequest, Outcome } from '#core/processing/gateways';
import { authorizeNet } from '../../../core/processing/gateways/authorizenet/index.ts';
import type { HttpClient } from '../../../core/processing/gateways/http-client.ts';
import type { GatewayAccount } from '../../../core/processing/gateways/processor.ts';
import { type Peer, startSimulator } from '../../../simulators/index.ts';
import { sized } from '../../support/tier.ts';

const USD = parseCurrency('USD');
const account: GatewayAccount = {
  tenantId: 'ten_a',
  gatewayId: 'gw_a',
  credentials: { loginId: 'login', transactionKey: 'key' },
  mode: 'test',
  currency: USD,
  timezone: 'America/New_York',
};

const order = (): ChargeRequest => ({
  processorRef: newProcessorRef(),
  tenantId: 'ten_a',
  merchantId: 'mer_a',
  gatewayId: 'gw_a',
  amount: money(1_000, USD),
  source: { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', brand: 'visa' },
  channel: 'phone',
});

/** Returns the outcome that the connector derives from a response text. */
function read(body: string): Promise<Outcome> {
  const wire: HttpClient = {
    post: () => Promise.resolve({ kind: 'answered', status: 200, contentType: 'application/json', body }),
    get: () => Promise.reject(new Error('This client only posts.')),
    close: () => Promise.resolve(),
  };
  return authorizeNet.open(account, wire).purchase(order());
}

interface Said {
  readonly response: unknown;
  readonly reason?: unknown;
  readonly transId?: unknown;
  readonly avs?: string;
  readonly cvv?: string;
}

function answerOf({ response, reason, transId = '60000000001', avs = '', cvv = '' }: Said): string {
  const isWell = String(response) === '1' || String(response) === '4';
  const why = isWell ? { messages: [{ code: reason, description: 'words' }] } : { errors: [{ errorCode: reason, errorText: 'words' }] };
  return JSON.stringify({
    transactionResponse: { responseCode: response, transId, avsResultCode: avs, cvvResultCode: cvv, ...(reason === undefined ? {} : why) },
    messages: isWell
      ? { resultCode: 'Ok', message: [{ code: 'I00001', text: 'Successful.' }] }
      : { resultCode: 'Error', message: [{ code: 'E00027', text: 'The transaction was unsuccessful.' }] },
  });
}

/** Every known code of the processor's list, and its expected outcome. */
const REASONS: [codes: string, response: number, outcome: object][] = [
  ['1', 1, { kind: 'approved' }],
  ['2 191 202 224', 2, { kind: 'declined', declineCode: 'card_declined' }],
  ['3', 2, { kind: 'declined', declineCode: 'call_issuer' }],
  ['4', 2, { kind: 'declined', declineCode: 'lost_stolen' }],
  ['6 37 200 315', 3, { kind: 'declined', declineCode: 'invalid_account' }],
  ['7 201 316', 3, { kind: 'declined', declineCode: 'invalid_expiry' }],
  ['8 317', 3, { kind: 'declined', declineCode: 'expired_card' }],
  ['27', 2, { kind: 'declined', declineCode: 'avs_failure' }],
  ['44 45 65', 2, { kind: 'declined', declineCode: 'cvv_failure' }],
  ['41 250 251 254', 2, { kind: 'declined', declineCode: 'fraud_suspected' }],
  ['17 28', 3, { kind: 'declined', declineCode: 'restricted_card' }],
  ['128', 2, { kind: 'declined', declineCode: 'restricted_card' }],
  ['49', 3, { kind: 'declined', declineCode: 'exceeds_limit' }],
  ['127 141 145 165', 2, { kind: 'declined', referenceToVoid: '60000000001' }],
  ['152 181', 3, { kind: 'declined', referenceToVoid: '60000000001' }],
  ['9 10 71 101', 3, { kind: 'not-sent', code: 'VALIDATION_ERROR' }],
  ['5 47 51 55', 3, { kind: 'not-sent', code: 'INVALID_AMOUNT' }],
  ['39', 3, { kind: 'not-sent', code: 'INVALID_CURRENCY' }],
  ['78 378', 3, { kind: 'not-sent', code: 'INVALID_CVV' }],
  ['50 54', 3, { kind: 'not-sent', code: 'NOT_REFUNDABLE' }],
  ['310', 3, { kind: 'not-sent', code: 'ALREADY_VOIDED' }],
  ['311', 3, { kind: 'not-sent', code: 'ALREADY_CAPTURED' }],
  ['15 16 319', 3, { kind: 'not-sent', alert: 'unknown-original' }],
  ['13 24 29 30 31 34 35 38 43 53 56 66 70 87 123 130 260 289', 3, { kind: 'not-sent', alert: 'set-up' }],
  ['11 318 36', 3, { kind: 'unknown' }],
  ['19 20 21 22 23 25 26 57 63 120 121 122 170 173 180 192 261 901', 3, { kind: 'unknown' }],
  ['193 252 253', 4, { kind: 'pending', reason: 'held_for_review' }],
  ['295', 4, { kind: 'declined', referenceToVoid: '60000000001' }],
  ['999 4711', 3, { kind: 'unknown' }],
];

const MESSAGES: [codes: string, outcome: object][] = [
  ['E00005 E00006 E00007 E00008 E00009 E00010 E00011 E00044', { kind: 'not-sent', alert: 'set-up' }],
  ['E00003 E00013 E00016 E00073 E00077', { kind: 'not-sent', retry: 'error' }],
  ['E00040', { kind: 'not-sent', alert: 'unknown-original' }],
  ['E00001 E00053 E00104 E00027 E00099', { kind: 'unknown' }],
];

describe('response codes', () => {
  test.each(REASONS)('maps the reasons %s with response %i', async (codes, response, outcome) => {
    for (const reason of codes.split(' ')) {
      expect(await read(answerOf({ response: String(response), reason })), `reason ${reason}`).toMatchObject(outcome);
      expect(await read(answerOf({ response, reason: Number(reason) })), `reason ${reason} as a number`).toMatchObject(outcome);
    }
  });

  test.each(MESSAGES)('maps the messages %s without a transaction', async (codes, outcome) => {
    for (const code of codes.split(' '))
      expect(await read(JSON.stringify({ messages: { resultCode: 'Error', message: [{ code, text: 'words' }] } })), code).toMatchObject(
        outcome,
      );
  });

  test('maps the letters of address and code checks', async () => {
    const letters = async (avs: string, cvv: string) => {
      const { avsResponse, cvvResponse } = (await read(answerOf({ response: '1', reason: '1', avs, cvv }))) as Record<string, unknown>;
      return [avsResponse, cvvResponse];
    };
    const seen = await Promise.all([...'XYAZWNBEGPRSU'].map((avs) => letters(avs, 'M')));
    expect(seen.map(([avs]) => avs).join('')).toBe('YYAZZNBEGPRSU');
    const codes = await Promise.all([...'MNPUS'].map((cvv) => letters('Y', cvv)));
    expect(codes.map(([, cvv]) => cvv).join('')).toBe('MNPUU');
    expect(await letters('4111111111111111', '4111111111111111')).toEqual([undefined, undefined]);
  });

  test('treats an approval that contradicts itself, or has no ID, as an unknown outcome', async () => {
    expect(await read(answerOf({ response: '1', reason: '1', transId: '0' }))).toMatchObject({ kind: 'unknown', alert: 'set-up' });
    expect(await read(answerOf({ response: '1', reason: '2' }))).toMatchObject({ kind: 'unknown' });
    expect(await read(answerOf({ response: '1', reason: '1' }).replace('"Ok"', '"Error"'))).toMatchObject({ kind: 'unknown' });
    expect(await read(answerOf({ response: '2', reason: '11' }))).toMatchObject({ kind: 'unknown' });
    expect(await read(answerOf({ response: '2', reason: '4711' }))).toMatchObject({ kind: 'declined', declineCode: 'card_declined' });
    for (const body of ['', 'null', '[]', '"1"', '{"transactionResponse":', '<xml/>'])
      expect(await read(body)).toMatchObject({ kind: 'unknown' });
  });

  test('never turns an unrecognized response into an approval or a decline', async () => {
    const declining = new Set(
      REASONS.filter(([, , outcome]) => 'kind' in outcome && outcome.kind === 'declined').flatMap(([codes]) => codes.split(' ')),
    );
    const spans = (code: string) => Number(code) >= 202 && Number(code) <= 224;
    const some = fc.oneof(fc.constantFrom(...REASONS.flatMap(([codes]) => codes.split(' '))), fc.nat(400), fc.string(), fc.anything());
    const answer = fc.oneof(
      fc.anything(),
      fc.record(
        {
          transactionResponse: fc.oneof(
            fc.anything(),
            fc.record(
              {
                responseCode: fc.oneof(fc.constantFrom('1', '2', '3', '4', 1, 2, 3, 4, '5', ' 1', '01', true), fc.anything()),
                transId: fc.oneof(fc.constantFrom('0', 0, '60000000001', ''), fc.anything()),
                messages: fc.oneof(fc.anything(), fc.array(fc.record({ code: some }), { maxLength: 2 })),
                errors: fc.oneof(fc.anything(), fc.array(fc.record({ errorCode: some }), { maxLength: 2 })),
              },
              { requiredKeys: [] },
            ),
          ),
          messages: fc.oneof(
            fc.anything(),
            fc.record({
              resultCode: fc.constantFrom('Ok', 'Error', 'ok'),
              message: fc.array(fc.record({ code: fc.constantFrom('I00001', 'E00027', 'E00007') })),
            }),
          ),
        },
        { requiredKeys: [] },
      ),
    );
    await fc.assert(
      fc.asyncProperty(answer, async (given) => {
        const body = JSON.stringify(given) ?? '';
        const outcome = await read(body);
        const said = body === '' ? null : (JSON.parse(body)?.transactionResponse ?? null);
        const response = isCode(said?.responseCode) ? String(said.responseCode).trim() : '';
        const reason = String(firstCode(said?.errors, 'errorCode') ?? firstCode(said?.messages, 'code') ?? '').trim();
        if (outcome.kind === 'approved')
          expect([response, ['', '1'].includes(reason), String(outcome.reference)]).toEqual(['1', true, expect.not.stringMatching(/^0?$/)]);
        if (outcome.kind === 'declined') expect(response === '2' || declining.has(reason) || spans(reason)).toBe(true);
        if (outcome.kind === 'pending') expect(response).toBe('4');
      }),
      { numRuns: sized(300, 3_000) },
    );
  });
});

function firstCode(list: unknown, name: string): unknown {
  const found = Array.isArray(list) ? list.find((item) => typeof item === 'object' && item !== null && !Array.isArray(item)) : undefined;
  const code = found?.[name];
  return isCode(code) ? code : undefined;
}

/** A code may be text or a number; anything else, such as an object with a text form, is not a code. */
const isCode = (value: unknown): value is string | number =>
  (typeof value === 'string' && value.trim() !== '') || (typeof value === 'number' && Number.isFinite(value));

describe('the simulator', () => {
  let simulator: Peer;

  beforeAll(async () => {
    simulator = await startSimulator('authorizenet');
  });
  afterAll(() => simulator.stop());

  const ask = async (body: string, contentType = 'application/json') => {
    const answer = await fetch(`${simulator.origin}/xml/v1/request.api`, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
    });
    const { messages } = (await answer.json()) as { messages: { message: { code: string; text: string }[] } };
    return messages.message[0];
  };
  const merchantAuthentication = () => ({ name: simulator.credentials.loginId, transactionKey: simulator.credentials.transactionKey });
  const transaction = (transactionRequest: object) =>
    ask(JSON.stringify({ createTransactionRequest: { merchantAuthentication: merchantAuthentication(), transactionRequest } }));
  const retail = { marketType: '1', deviceType: '10' };
  const creditCard = { cardNumber: '4111111111111111', expirationDate: '2031-12' };

  test('refuses invalid requests like the processor: type, operation, key, order, length, unknown members, dates too far apart', async () => {
    expect(await ask('{}', 'text/plain')).toMatchObject({ code: 'E00002' });
    expect(await ask('{"x":1')).toMatchObject({ code: 'E00003' });
    expect(await ask(JSON.stringify({ createTransaction: {} }))).toMatchObject({ code: 'E00004' });
    expect(await ask(JSON.stringify({ authenticateTestRequest: {} }))).toMatchObject({ code: 'E00003' });
    const wrong = { merchantAuthentication: { name: 'peer-login', transactionKey: 'no' } };
    expect(await ask(JSON.stringify({ authenticateTestRequest: wrong }))).toMatchObject({ code: 'E00007' });
    const sale = { transactionType: 'authCaptureTransaction', amount: '1.00', payment: { creditCard }, retail };
    expect(await transaction(sale)).toMatchObject({ code: 'I00001' });
    const { amount, ...behind } = sale;
    expect(await transaction({ ...behind, amount })).toMatchObject({
      code: 'E00003',
      text: expect.stringContaining("child element 'amount'"),
    });
    expect(await transaction({ ...sale, retail: undefined, order: { invoiceNumber: 'x'.repeat(21) } })).toMatchObject({
      code: 'E00003',
      text: expect.stringContaining('MaxLength'),
    });
    expect(await transaction({ ...sale, idempotencyKey: 'x' })).toMatchObject({ code: 'E00003' });
    expect(await transaction({ ...sale, amount: 'a lot' })).toMatchObject({ code: 'E00003' });
    const dates = { firstSettlementDate: '2026-01-01T00:00:00Z', lastSettlementDate: '2026-02-02T00:00:00Z' };
    const batches = { getSettledBatchListRequest: { merchantAuthentication: merchantAuthentication(), ...dates } };
    expect(await ask(JSON.stringify(batches))).toMatchObject({ code: 'E00003' });
  });

  test('the simulator has its own path to read its ledger and to control it', async () => {
    const control = async (path: string, body?: object) => {
      const answer = await fetch(`${simulator.origin}/__peer/${path}`, body && { method: 'POST', body: JSON.stringify(body) });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    await transaction({ transactionType: 'authCaptureTransaction', amount: '19.99', payment: { creditCard }, retail });
    const before = await control('ledger');
    expect(before.body).toMatchObject({
      totals: { charged: 2_099 },
      entries: [{ state: 'captured' }, { amountMinor: 1_999, last4: '1111' }],
    });
    expect((await control('close-batch', {})).body).toMatchObject([
      { method: 'card', references: [expect.any(String), expect.any(String)] },
    ]);
    expect((await control('ledger')).body).toMatchObject({ entries: [{ state: 'settled' }, { state: 'settled' }] });
    expect((await control('release', { reference: '1' })).status).toBe(404);
    expect(JSON.stringify(before.body)).not.toContain('4111111111111111');
  });
});
