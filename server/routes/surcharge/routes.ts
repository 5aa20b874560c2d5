import { Type } from 'typebox';
import { CardRanges, SurchargeQuote } from '#core/sales/payments';
import { type Route, receiveUpload, route, Success } from '#server/http';
import { AmountIn, CurrencyIn, FirstDigitsIn, PARTS, SURCHARGE_QUOTE_ERRORS, SurchargeQuoteBody, Text } from '#server/schemas';

const shared = { method: 'POST', scope: 'merchant', permission: 'transactions:write', errors: SURCHARGE_QUOTE_ERRORS } as const;
const summary = 'Surcharge of a payment before it is made';
const description =
  'Returns the surcharge that the merchant adds to a payment with this card, or the reason why there is none. Show it to the payer before the charge, and send it as the surcharge of the payment, with the total as the amount. Nothing is stored or charged, and a whole card number is never sent.';

/** Declares the quote of a surcharge on a surface in the naming of the Admin surface. */
export const surchargeQuoteRoute = (surface: 'admin' | 'public', tag: string): Route =>
  route({
    ...shared,
    surface,
    tag,
    summary,
    description,
    path: surface === 'admin' ? '/transactions/surcharge-quote' : '/surcharge-quote',
    id: `${surface}.quoteSurcharge`,
    idempotent: false,
    body: SurchargeQuoteBody,
    response: Success(SurchargeQuote),
    run: ({ core, actor, body }) => core.payments.quoteSurcharge(actor, { ...body, source: body.cardPresent ? 'swiped' : 'api' }),
  });

const SdkBody = Type.Object({
  Amount: AmountIn,
  Currency: Type.Optional(CurrencyIn),
  TipAmount: PARTS.fields.TipAmount,
  TaxAmount: PARTS.fields.TaxAmount,
  FirstDigits: Type.Optional(FirstDigitsIn),
  Token: Type.Optional(Text(60, 'token of a stored card')),
  TerminalId: Type.Optional(
    Text(60, 'card reader that will read the card: the quote is the highest surcharge, which only a credit card has'),
  ),
  BillingState: Type.Optional(Text(50, 'State of the billing address')),
  BillingPostalCode: Type.Optional(Text(20, 'ZIP code of the billing address, for the address check')),
});

export const sdkSurchargeQuote = route({
  ...shared,
  surface: 'sdk',
  tag: 'SDK API',
  summary,
  description,
  path: '/surcharge-quote',
  id: 'sdk.quoteSurcharge',
  idempotent: false,
  body: SdkBody,
  fields: {
    ...PARTS.names,
    amount: 'Amount',
    currency: 'Currency',
    firstDigits: 'FirstDigits',
    token: 'Token',
    terminalId: 'TerminalId',
  },
  response: Success(SurchargeQuote),
  run: ({ core, actor, body }) =>
    core.payments.quoteSurcharge(actor, {
      amount: body.Amount,
      currency: body.Currency,
      tipAmount: body.TipAmount,
      taxAmount: body.TaxAmount,
      firstDigits: body.FirstDigits,
      token: body.Token,
      terminalId: body.TerminalId,
      billing: { state: body.BillingState, zip: body.BillingPostalCode },
    }),
});

const RANGES_FORM = { file: 'file', bytesMax: 8_388_608, fields: Type.Object({}) } as const;
const ranges = { surface: 'admin', tag: 'Merchants', response: Success(CardRanges) } as const;

/** Card ranges of the account, by which surcharges recognize credit cards. */
export const cardRangeRoutes: Route[] = [
  route({
    ...ranges,
    method: 'GET',
    path: '/card-ranges',
    id: 'admin.countCardRanges',
    summary: 'Number of card ranges by type',
    description: 'Card ranges tell credit cards, which may have a surcharge, from debit and prepaid cards. Cards of no range have none.',
    permission: 'merchants:read',
    scope: 'tenant',
    run: ({ core, actor }) => core.payments.cardRanges.count(actor),
  }),
  route({
    ...ranges,
    method: 'POST',
    path: '/card-ranges/import',
    id: 'admin.importCardRanges',
    summary: 'Replace the card ranges by a CSV file',
    description:
      'A form with `file`: CSV of your acquirer with a header row, of at most 8 MB and 200,000 lines. `firstDigits` (or `bin`) has six to eight digits, `funding` (or `type`) is credit, debit or prepaid; other columns are ignored. The longest range of a card counts. If a line is wrong, nothing is replaced, and `details.line` is its number.',
    permission: 'merchants:write',
    scope: 'tenant',
    upload: RANGES_FORM,
    errors: ['MERCHANT_NOT_AUTHORIZED'],
    run: async ({ core, actor, request }) => {
      const { file } = await receiveUpload(request, actor.tenantId, RANGES_FORM);
      try {
        return await core.payments.cardRanges.import(actor, file.text());
      } finally {
        await file.dispose();
      }
    },
  }),
];
