import { type TProperties, Type } from 'typebox';
import { literals } from '#core/platform/fields';
import { DESK_CHANNELS } from '#shared/channels';
import { LANGUAGE_CODES, LANGUAGES } from '#shared/languages';
import { SURCHARGE_PERCENT_MAX } from '#shared/surcharge-limits';
import { CurrencyIn, EmailIn, Lines, Maybe, Text, Timestamp } from './fields.ts';
import { PermissionsIn, PhoneIn } from './identity.ts';
import { named } from './named.ts';

/** Returns a schema that refuses unknown fields, so that it is one alternative of a union only. */
const closed = <Fields extends TProperties>(fields: Fields) => Type.Object(fields, { additionalProperties: false });
/** Returns a schema with all fields optional, for a change. */
const partly = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)])) as never);

const Color = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'a color such as #0F5C73' });
const Percent = (maximum: number) => Type.Number({ minimum: 0, maximum, description: `a number from 0 to ${maximum}` });

const VT = {
  requireCvv: Type.Boolean(),
  requireZip: Type.Boolean(),
  allowedModes: Type.Array(literals(['card', 'ach', 'token']), { minItems: 1, maxItems: 3, uniqueItems: true }),
  defaultType: literals(['sale', 'auth']),
  tipEnabled: Type.Boolean(),
  channel: { ...literals(DESK_CHANNELS), description: `channel of payments that a person enters, one of ${DESK_CHANNELS.join(', ')}` },
  receiptWidth: literals(['58mm', '80mm', 'letter']),
  autoPrint: Type.Boolean(),
  receiptHeader: Lines(500),
  receiptFooter: Lines(500),
  tenders: Type.Array(literals(['cash', 'check']), {
    maxItems: 2,
    uniqueItems: true,
    description: 'tenders that the Sell screen offers beside cards',
  }),
  otherTenders: Type.Array(Type.String({ pattern: '^(?=.*\\S)[^\\p{Cc}]{1,40}$', description: 'a name of 1 to 40 characters' }), {
    maxItems: 8,
    uniqueItems: true,
    description: 'names of further tenders, such as a gift voucher, at most 8',
  }),
  cashRequiresShift: Type.Boolean({ description: 'whether cash can be taken and refunded only while a shift of its drawer is open' }),
  storeCreditForCards: Type.Boolean({ description: 'whether card payments can be refunded to gift cards and store credit' }),
  shiftPer: literals(['drawer', 'person']),
  cashRounding: Maybe(
    Type.Object(
      {
        currency: CurrencyIn,
        unit: Type.Number({ exclusiveMinimum: 0, maximum: 1_000, description: 'smallest sum that coins can pay, such as 0.05' }),
      },
      { description: 'rounding of cash in a currency without small coins; null for exact amounts' },
    ),
  ),
  giftCardRefunds: {
    ...literals(['proportional', 'first', 'last']),
    description: 'gift cards and store credit in the proposed refund of an order: in proportion, or before or after its other payments',
  },
  chargeLaterMaxAmount: Maybe(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 99_999_999,
      description: 'largest amount of a payment that is charged later, in major units; null turns charging later off',
    }),
  ),
  chargeLaterMaxPerCustomer: Maybe(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 99_999_999,
      description: "largest sum of a customer's open payments that are charged later; null means the limit of one payment",
    }),
  ),
  chargeLaterCurrency: Maybe(CurrencyIn),
};
const AMOUNTS = {
  surchargePercent: Percent(SURCHARGE_PERCENT_MAX),
  surchargeCheck: literals(['rule', 'limits']),
  pageTips: literals(['off', 'links', 'links_and_invoices']),
  tipPercents: Type.Array(Type.Integer({ minimum: 1, maximum: 100 }), {
    maxItems: 4,
    uniqueItems: true,
    description: 'suggested tips in percent of the amount to pay: at most 4 whole numbers from 1 to 100',
  }),
  tipCustomAmount: Type.Boolean({ description: 'whether the payer may enter the amount of the tip' }),
  taxName: Type.String({ pattern: '^(?=.*\\S)[^\\p{Cc}]{1,40}$', description: 'a name of 1 to 40 characters' }),
  taxPercent: Type.Number({
    minimum: 0,
    maximum: 100,
    multipleOf: 0.001,
    description: 'sales tax in percent on amounts that are entered without items, from 0 to 100 with at most 3 decimals; 0 for none',
  }),
  taxIncluded: Type.Boolean({ description: 'whether entered amounts include the tax; otherwise it is added to them' }),
};
const FRAUD = {
  declineOnAvs: Type.Array(literals(['N', 'A', 'Z', 'Y']), { maxItems: 4, uniqueItems: true }),
  declineOnCvv: Type.Array(literals(['N', 'U', 'P', 'M']), { maxItems: 4, uniqueItems: true }),
  maxAmount: Maybe(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 99_999_999,
      description: 'largest amount of a payment, a credit or a pay-out from a drawer, in major units; null means no limit',
    }),
  ),
  maxAmountCurrency: Maybe(CurrencyIn),
  maxAmountByCurrency: Type.Record(
    Type.String(),
    Type.Number({ exclusiveMinimum: 0, maximum: 9_999_999_999, description: 'major units' }),
    { maxProperties: 200, description: 'largest amounts in other currencies, in major units by ISO 4217 code; replaces the former ones' },
  ),
  maxCreditsPerDay: Maybe(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 99_999_999,
      description:
        'largest sum of the unlinked credits of a day, in major units of `maxAmountCurrency`; null means `maxAmount`. In another currency the sum is at most its amount of `maxAmountByCurrency`',
    }),
  ),
  duplicateWindowSeconds: Type.Integer({ minimum: 0, maximum: 86_400, description: 'seconds, 0 to 86,400; 0 turns the check off' }),
  maxPerCardPerHour: Maybe(Type.Integer({ minimum: 1, maximum: 1_000, description: '1 to 1,000; null means no limit' })),
  blockedBins: Type.Array(Type.String({ pattern: '^\\d{4,8}$', description: 'the first four to eight digits of card numbers' }), {
    maxItems: 500,
  }),
  blockedEmails: Type.Array(
    Type.String({ pattern: '^[^\\s@]*@[^\\s@]+\\.[^\\s@]+$', maxLength: 254, description: 'an email address or @domain' }),
    {
      maxItems: 500,
    },
  ),
};
const BRANDING = {
  logoUrl: Maybe(
    Type.String({
      pattern: '^(https://\\S+|data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/=]+)$',
      maxLength: 300_000,
      description: 'an https address, or a PNG, JPEG or WebP image as a data URL',
    }),
  ),
  primaryColor: Color,
  accentColor: Color,
  companyName: Type.String({ minLength: 1, maxLength: 100, description: 'a name of 1 to 100 characters' }),
};
const FeeRate = Type.Object({
  percent: Percent(100),
  fixed: Type.Number({ minimum: 0, maximum: 1_000, description: 'major units' }),
  cap: Maybe(Type.Number({ minimum: 0, maximum: 100_000, description: 'major units; null means no cap' })),
});
const SETTINGS = {
  allowPrivateWebhookTargets: Type.Boolean(),
  publicUrl: Maybe(Text(200, 'address of this server for payers, such as https://pay.example.com; null means its own address')),
  language: literals(LANGUAGE_CODES),
  cardFee: FeeRate,
  achFee: FeeRate,
  customerPageCancel: Type.Boolean({ description: 'whether customers may cancel subscriptions' }),
  customerPageSkip: Type.Boolean({ description: 'whether customers may skip payments' }),
  customerPageInEmails: Type.Boolean({ description: 'whether emails link to the page' }),
  refundMaxAttempts: Type.Integer({
    minimum: 1,
    maximum: 9,
    description: 'number of automatic retries of a declined refund, 1 to 9; refunds that are already in the queue keep their number',
  }),
};
const DUNNING = {
  retryIntervalsDays: Type.Array(Type.Integer({ minimum: 1, maximum: 60 }), { minItems: 1, maxItems: 10, description: 'whole days' }),
  finalAction: literals(['cancel', 'pause']),
  notifyCustomer: Type.Boolean(),
  missedPeriods: literals(['latest', 'each']),
};
export const LanguageIn = literals(LANGUAGE_CODES);
const ReminderTextIn = (language: string) =>
  Type.Object(
    {
      subject: Maybe(Lines(200, 'subject of the email; null for the one of Paydesk')),
      message: Maybe(
        Lines(
          2_000,
          'text above the link; null for the one of Paydesk. Placeholders: {{customer}}, {{number}}, {{amount}}, {{dueDate}}, {{company}}, {{lateFees}}',
        ),
      ),
    },
    { description: `text in ${language}` },
  );
const REMINDERS = {
  enabled: Type.Boolean({ description: 'whether reminders are sent; false by default' }),
  steps: Type.Array(
    Type.Object({
      days: Type.Integer({ minimum: -60, maximum: 180, description: 'days from the due date, from -60 (before it) to 180' }),
      channel: { ...literals(['email', 'sms']), description: 'email or sms; without an address of this kind, the other one is used' },
      texts: Type.Object(partly(Object.fromEntries(LANGUAGE_CODES.map((code) => [code, ReminderTextIn(LANGUAGES[code])]))).properties, {
        description: 'texts by language; a language without texts has those of Paydesk',
      }),
    }),
    { maxItems: 12, description: 'at most 12 reminders, each number of days once' },
  ),
  sendAt: Type.String({
    pattern: '^(0[89]|1\\d|20):[0-5]\\d$',
    description: 'a local time HH:mm from 08:00 to 20:59, from which reminders are sent',
    example: '09:00',
  }),
  weekdays: Type.Array(Type.Integer({ minimum: 0, maximum: 6 }), {
    minItems: 1,
    maxItems: 7,
    uniqueItems: true,
    description: 'days on which reminders are sent, from 0 for Sunday to 6; a reminder of another day is sent on the next of them',
  }),
};
const FeePercent = (description: string) => Type.Number({ minimum: 0, maximum: 100, multipleOf: 0.01, description });
const LATE_FEES = {
  enabled: Type.Boolean({ description: 'whether late fees are charged; false by default' }),
  kind: literals(['fixed', 'percent'], 'a fixed sum, which only invoices in the currency of the merchant are charged, or a percentage'),
  amount: Type.Number({ minimum: 0, maximum: 1_000_000, description: 'the fixed sum' }),
  percent: FeePercent('percentage of the unpaid amount without earlier fees'),
  graceDays: Type.Integer({ minimum: 0, maximum: 180, description: 'days after the due date without a fee' }),
  repeat: literals(['never', 'weekly', 'monthly'], 'period after which a further fee is charged'),
  ceilingPercent: FeePercent('largest sum of the fees of an invoice, in percent of its amount'),
};
const PERMISSIONS = { permissions: Maybe(PermissionsIn) };
const RuleIn = Type.Union([
  closed({ condition: Text(500, 'an expression'), gateway: Text(100, 'ID or name of a gateway') }),
  closed({ default: Text(100, 'ID or name of a gateway') }),
]);
export const RulesIn = Type.Array(RuleIn, { maxItems: 50, description: 'rules of {condition, gateway} or {default}' });
const ROUTING = { rules: RulesIn };

/** Schemas of each settings object: `out` for responses, `change` for requests. */
export const SECTION_SCHEMAS = {
  settings: { out: Type.Object(SETTINGS), change: partly(SETTINGS) },
  'fraud-settings': { out: Type.Object(FRAUD), change: partly(FRAUD) },
  'vt-settings': { out: Type.Object(VT), change: partly(VT) },
  'amount-settings': { out: Type.Object(AMOUNTS), change: partly(AMOUNTS) },
  branding: { out: Type.Object(BRANDING), change: partly(BRANDING) },
  permissions: { out: Type.Object(PERMISSIONS), change: Type.Object(PERMISSIONS) },
  'dunning-settings': { out: Type.Object(DUNNING), change: partly(DUNNING) },
  'reminder-settings': { out: Type.Object(REMINDERS), change: partly(REMINDERS) },
  'late-fee-settings': { out: Type.Object(LATE_FEES), change: partly(LATE_FEES) },
  'gateway-routing': { out: Type.Object(ROUTING), change: Type.Object(ROUTING) },
};
export const FraudSimulationIn = Type.Object(partly(FRAUD).properties);

export const MerchantOut = named(
  'Merchant',
  Type.Object({
    merchantId: Type.String(),
    name: Type.String(),
    legalName: Maybe(Type.String()),
    email: Maybe(Type.String()),
    phone: Maybe(Type.String()),
    currency: Type.String(),
    timezone: Type.String(),
    country: Type.String(),
    address: Maybe(Type.String()),
    city: Maybe(Type.String()),
    state: Maybe(Type.String()),
    zip: Maybe(Type.String()),
    vtSettings: Type.Object(VT),
    amountSettings: Type.Object(AMOUNTS),
    publicUrlChange: Maybe(
      Type.Object(
        { from: Maybe(Type.String()), to: Maybe(Type.String()), changedBy: Type.String(), changedAt: Timestamp },
        { description: 'last change of the address for payers; null in `from` and `to` means that of the server' },
      ),
    ),
    status: literals(['open', 'closed']),
    /** End of the time in which it can be opened again. */
    reopenUntil: Maybe(Timestamp),
    createdAt: Timestamp,
  }),
);

const ProfileFields = {
  legalName: Type.Optional(Maybe(Text(200))),
  email: Type.Optional(Maybe(EmailIn)),
  phone: Type.Optional(Maybe(PhoneIn)),
  currency: Type.Optional(CurrencyIn),
  timezone: Type.Optional(Text(60, 'an IANA time zone')),
  country: Type.Optional(Text(2, 'two capital letters')),
  address: Type.Optional(Maybe(Text(200))),
  city: Type.Optional(Maybe(Text(100))),
  state: Type.Optional(Maybe(Text(50))),
  zip: Type.Optional(Maybe(Text(20))),
};
const Name = Type.String({ minLength: 1, maxLength: 100, description: 'a name of 1 to 100 characters' });
export const NewMerchantBody = Type.Object({ name: Name, ...ProfileFields });
export const MerchantChange = Type.Object({ name: Type.Optional(Name), ...ProfileFields });
