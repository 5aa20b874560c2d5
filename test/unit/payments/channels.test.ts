// Each way into the product leads to one channel, and to fields that both processors accept for it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { money, newProcessorRef, parseCurrency } from '#core/kernel';
import { type ChargeRequest, type Market, type StoredCredential, secCodeOf } from '#core/processing/gateways';
import { CHANNELS, type Channel, DESK_CHANNELS, isStanding, REQUEST_CHANNELS } from '#shared/channels';
import { channelObstacle } from '../../../core/processing/gateways/authorizenet/channels.ts';
import { paymentRequest } from '../../../core/processing/gateways/authorizenet/requests.ts';
import { paymentForm } from '../../../core/processing/gateways/nmi/requests.ts';
import { authorizationColumns } from '../../../core/sales/payments/sale/bank-authorization.ts';
import { type ChannelFacts, channelOf } from '../../../core/sales/payments/sale/channel.ts';
import { echeckFault, marketFault } from '../../../simulators/authorizenet/channels.ts';
import type { TransactionRequest } from '../../../simulators/authorizenet/request.ts';
import { channelFault } from '../../../simulators/nmi/channels.ts';
import type { SimulatorContext } from '../../../simulators/simulator-server.ts';

const DESK: ChannelFacts = {
  source: 'keyed',
  isPerson: true,
  isStored: false,
  isEnteredOnPage: false,
  hasCode: false,
  isInstallment: false,
  deskChannel: 'phone',
};
const KEY = { isPerson: false };
const SAVED = { source: 'saved', isStored: true } as const;

describe('the channel of a payment', () => {
  test.each<[string, Partial<ChannelFacts>, Channel]>([
    ['Sell screen', {}, 'phone'],
    ['Sell screen of a merchant that sells at the counter', { deskChannel: 'counter' }, 'counter'],
    ['Sell screen, by mail', { named: 'mail' }, 'mail'],
    ['Sell screen, swiped card', { source: 'swiped' }, 'counter'],
    ['Sell screen, saved card', SAVED, 'phone'],
    ['Sell screen, saved card without the customer', { ...SAVED, named: 'unscheduled' }, 'unscheduled'],
    ['Admin API, card', KEY, 'phone'],
    ['Admin API, card of a shop', { ...KEY, named: 'internet' }, 'internet'],
    ['Admin API, saved card', { ...KEY, ...SAVED }, 'unscheduled'],
    ['Admin API, saved card with its code', { ...KEY, ...SAVED, hasCode: true }, 'phone'],
    ['Admin API, card entered in hosted fields', { ...KEY, ...SAVED, isEnteredOnPage: true }, 'internet'],
    ['Public API and SDK', { ...KEY, source: 'api' }, 'internet'],
    ['Public API, stored card', { ...KEY, source: 'api', isStored: true }, 'internet'],
    ['Public API, stored card on the schedule of the shop', { ...KEY, source: 'api', isStored: true, named: 'recurring' }, 'recurring'],
    ['pay page, invoice page and payment link', { source: 'link', isPerson: false }, 'internet'],
    ['subscription', { source: 'recurring', isStored: true, isPerson: false }, 'recurring'],
    ['installment plan', { source: 'recurring', isStored: true, isPerson: false, isInstallment: true }, 'installment'],
  ])('%s', (_, facts, channel) => {
    expect(channelOf({ ...DESK, ...facts })).toBe(channel);
  });

  test.each<[string, Partial<ChannelFacts>, Channel]>([
    ['a cashier cannot claim a subscription', SAVED, 'recurring'],
    ['a cashier cannot claim the internet', {}, 'internet'],
    ['a keyed card cannot be charged without the customer', {}, 'unscheduled'],
    ['an API key cannot claim a subscription for a new card', { ...KEY, source: 'api' }, 'recurring'],
    ['nobody but a plan charges an installment', { ...KEY, ...SAVED }, 'installment'],
    ['nobody but a card reader reports a chip', {}, 'chip'],
    ['a payer cannot choose', { ...KEY, source: 'link' }, 'phone'],
    ['a scheduled charge has one channel', { source: 'recurring', isStored: true }, 'phone'],
  ])('%s', (_, facts, named) => {
    expect(() => channelOf({ ...DESK, ...facts, named })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'channel' }));
  });
});

const USD = parseCurrency('USD');
const CARD = { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', brand: 'visa' } as const;
const BANK = {
  kind: 'ach',
  accountNumber: '24413815',
  routingNumber: '490000018',
  accountType: 'checking',
  accountHolderName: 'Ann',
} as const;

/** Account of a simulator, by its quirks, with the markets that the connector reads from it. */
const ACCOUNTS: readonly (readonly [readonly string[], readonly Market[]])[] = [
  [[], ['ecommerce', 'moto']],
  [['moto-only'], ['moto']],
  [['retail'], ['retail']],
];

const facts = fc.record({
  source: fc.constantFrom('keyed', 'swiped', 'saved', 'api', 'recurring', 'link'),
  named: fc.option(fc.constantFrom(...REQUEST_CHANNELS), { nil: undefined }),
  isPerson: fc.boolean(),
  isStored: fc.boolean(),
  isEnteredOnPage: fc.boolean(),
  hasCode: fc.boolean(),
  isInstallment: fc.boolean(),
  deskChannel: fc.constantFrom(...DESK_CHANNELS),
});

const channelFrom = (given: ChannelFacts): Channel | null => {
  try {
    return channelOf(given);
  } catch {
    return null;
  }
};

function credentialOf(channel: Channel, isStored: boolean, use: StoredCredential['use']): StoredCredential | undefined {
  if (!isStored && !isStanding(channel)) return undefined;
  const purpose = channel === 'recurring' || channel === 'installment' ? channel : 'unscheduled';
  if (use === 'first') return { use, purpose, initiator: 'customer' };
  return {
    use,
    purpose,
    initiator: isStanding(channel) ? 'merchant' : 'customer',
    first: { credentialReference: '1', amount: money(100, USD) },
  };
}

test('every way, account and payment method leads to fields that both processors accept, or to a refusal before sending', () => {
  const sale = fc.record({
    facts,
    isBank: fc.boolean(),
    holder: fc.constantFrom('person' as const, 'company' as const),
    agreedBy: fc.constantFrom(null, 'phone' as const, 'mail' as const, 'counter' as const, 'internet' as const),
    use: fc.constantFrom('first' as const, 'later' as const),
    account: fc.constantFrom(...ACCOUNTS),
  });
  const seen = new Set<Channel>();
  fc.assert(
    fc.property(sale, ({ facts, isBank, holder, agreedBy, use, account: [quirks, markets] }) => {
      const channel = channelFrom(facts);
      fc.pre(channel !== null);
      seen.add(channel);
      expect(channelOf(facts)).toBe(channel);
      const source = isBank ? { ...BANK, holder } : CARD;
      const secCode = isBank ? secCodeOf(channel, holder, agreedBy) : undefined;
      const charge: ChargeRequest = {
        processorRef: newProcessorRef(),
        tenantId: 'ten_a',
        merchantId: 'mer_a',
        gatewayId: 'gw_a',
        amount: money(1_000, USD),
        source,
        channel,
        secCode,
        storedCredential: credentialOf(channel, facts.isStored, use),
        installment: channel === 'installment' ? { number: 2, total: 3 } : undefined,
      };
      const form = Object.entries(paymentForm('sale', charge, undefined)).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      );
      expect(channelFault(new Map(form as [string, string][]))).toBeNull();
      const request = JSON.parse(JSON.stringify(paymentRequest('authCaptureTransaction', charge, markets))) as TransactionRequest;
      const context = { quirks: new Set(quirks) } as unknown as SimulatorContext;
      const fault = isBank ? echeckFault(request) : marketFault(request, context);
      // The connector knows before sending what the processor would refuse.
      const obstacle = channelObstacle({ channel, secCode }, markets);
      // The request of a first charge does not show the processor whether it is a one-time debit.
      if (secCode !== 'TEL' || !isStanding(channel)) expect(obstacle === null, fault?.[1]).toBe(fault === null);
      else expect(obstacle).toContain('only once');
    }),
    { numRuns: 2_000 },
  );
  expect([...seen].sort()).toEqual(CHANNELS.filter((each) => !['chip', 'contactless', 'swipe'].includes(each)).sort());
});

describe('the authorization of a bank debit', () => {
  const debit = (more: Partial<Parameters<typeof authorizationColumns>[0]> = {}) => {
    const { sec_code, bank_authorization } = authorizationColumns({
      type: 'sale',
      source: { ...BANK, holder: 'person' },
      channel: 'phone',
      given: undefined,
      timezone: 'UTC',
      nowMs: Date.parse('2026-11-29T12:00:00Z'),
      ...more,
    });
    return { secCode: sec_code, ...(JSON.parse(bank_authorization ?? '{}') as object) };
  };
  const company = { ...BANK, holder: 'company' } as const;
  const agreed = { channel: 'internet', date: '2026-01-31', reference: null, text: 'I agree.' } as const;

  test('has the code of its channel, and of the agreement for charges without the customer', () => {
    expect(debit()).toEqual({ secCode: 'TEL', method: 'oral', date: '2026-11-29', reference: null, text: null });
    expect(debit({ channel: 'internet', given: { text: 'I agree.' } })).toMatchObject({
      secCode: 'WEB',
      method: 'online',
      text: 'I agree.',
    });
    expect(debit({ channel: 'mail', given: { reference: 'Form 12', date: '2026-11-20' } })).toMatchObject({
      secCode: 'PPD',
      date: '2026-11-20',
    });
    expect(debit({ source: company })).toMatchObject({ secCode: 'CCD', method: 'oral' });
    expect(debit({ channel: 'recurring', agreement: agreed })).toEqual({
      secCode: 'WEB',
      method: 'online',
      date: '2026-01-31',
      reference: null,
      text: 'I agree.',
    });
    expect(debit({ channel: 'installment' })).toEqual({ secCode: 'PPD', method: null, date: null, reference: null, text: null });
    expect(debit({ type: 'credit' })).toEqual({ secCode: 'PPD' });
    expect(debit({ type: 'credit', source: company })).toEqual({ secCode: 'CCD' });
  });

  test('needs the signed form of a debit by mail or at the counter, and a day that is not in the future', () => {
    for (const channel of ['mail', 'counter'] as const)
      expect(() => debit({ channel })).toThrow(
        expect.objectContaining({ code: 'REQUIRED_FIELD_MISSING', field: 'bankAuthorization.reference' }),
      );
    expect(debit({ channel: 'counter', source: company })).toMatchObject({ secCode: 'CCD' });
    expect(() => debit({ given: { date: '2026-11-30' } })).toThrow(expect.objectContaining({ field: 'bankAuthorization.date' }));
    expect(() => debit({ source: CARD, given: { reference: 'x' } })).toThrow(expect.objectContaining({ field: 'bankAuthorization' }));
  });
});
