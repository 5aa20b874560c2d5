import { type TProperties, Type } from 'typebox';
import { CurrencyIn, described, flag, group, Lines, literals, nullable, type RecordOf, record, Text } from '#core/platform/fields';
import { DESK_CHANNELS } from '#shared/channels';
import { LANGUAGE_CODES, LANGUAGES, type Language } from '#shared/languages';
import { SURCHARGE_PERCENT_MAX } from '#shared/surcharge-limits';
import type { MerchantRow } from './schema.ts';

/** Returns a schema that refuses unknown fields, so that it is one alternative of a union only. */
const closed = <Fields extends TProperties>(fields: Fields) => Type.Object(fields, { additionalProperties: false });
const Color = (example: string) => Type.String({ pattern: '^#[0-9a-fA-F]{6}$', ...described('a color such as #0F5C73', example) });
const Percent = (maximum: number, example: number) =>
  Type.Number({ minimum: 0, maximum, ...described(`a number from 0 to ${maximum}`, example) });

/** Settings of the virtual terminal. */
const VT = {
  requireCvv: flag('true if the security code is required', true),
  requireZip: flag('true if the ZIP code is required', false),
  allowedModes: Type.Array(literals(['card', 'ach', 'token']), {
    minItems: 1,
    maxItems: 3,
    uniqueItems: true,
    ...described('Payment methods that the terminal offers', ['card', 'ach']),
  }),
  defaultType: literals(['sale', 'auth'], 'Default operation of the terminal'),
  tipEnabled: flag('true if the terminal asks for a tip', false),
  channel: literals(DESK_CHANNELS, `channel of payments that a person enters, one of ${DESK_CHANNELS.join(', ')}`),
  receiptWidth: literals(['58mm', '80mm', 'letter'], 'Width of printed receipts'),
  autoPrint: flag('true if receipts are printed without asking', false),
  receiptHeader: Lines(500, 'Text above receipts', 'Harbor Street Coffee'),
  receiptFooter: Lines(500, 'Text below receipts', 'Refunds within 14 days with this receipt'),
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
  shiftPer: literals(['drawer', 'person'], 'one of drawer, person: to whom a shift belongs'),
  cashRounding: nullable(
    Type.Object(
      {
        currency: CurrencyIn,
        unit: Type.Number({ exclusiveMinimum: 0, maximum: 1_000, ...described('smallest sum that coins can pay, such as 0.05', 0.05) }),
      },
      { description: 'rounding of cash in a currency without small coins; null for exact amounts' },
    ),
  ),
  giftCardRefunds: literals(
    ['proportional', 'first', 'last'],
    'gift cards and store credit in the proposed refund of an order: in proportion, or before or after its other payments',
  ),
  parkedSales: literals(
    ['cancel', 'keep'],
    'parked sales at the end of the day: the end of a shift and the daily close offer to cancel them after a question, or only name them',
  ),
  giftCardExpiryMonths: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 120,
      description:
        'months after which a gift card expires, from its issue and from each amount that is put on it; null for never. Many laws forbid or limit it',
    }),
  ),
  chargeLaterMaxAmount: nullable(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 99_999_999,
      ...described('largest amount of a payment that is charged later, in major units; null turns charging later off', 200),
    }),
  ),
  chargeLaterMaxPerCustomer: nullable(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 99_999_999,
      ...described("largest sum of a customer's open payments that are charged later; null means the limit of one payment", 500),
    }),
  ),
  chargeLaterCurrency: nullable(CurrencyIn),
};
/** Settings of the parts of amounts: tip, surcharge and tax (decision record 86). */
const AMOUNTS = {
  surchargePercent: Percent(SURCHARGE_PERCENT_MAX, 3),
  surchargeCheck: literals(
    ['rule', 'limits'],
    '`rule`: every surcharge follows the percentage; `limits`: programs may state any within the limits',
  ),
  pageTips: literals(
    ['off', 'links', 'links_and_invoices'],
    'Pay pages that offer a tip: none, those of payment links, or those of invoices too',
  ),
  tipPercents: Type.Array(Type.Integer({ minimum: 1, maximum: 100 }), {
    maxItems: 4,
    uniqueItems: true,
    ...described('suggested tips in percent of the amount to pay: at most 4 whole numbers from 1 to 100', [15, 18, 20]),
  }),
  tipCustomAmount: Type.Boolean({ description: 'whether the payer may enter the amount of the tip' }),
  taxName: Type.String({
    pattern: '^(?=.*\\S)[^\\p{Cc}]{1,40}$',
    ...described('a name of 1 to 40 characters; that of the sales tax on the screens', 'Sales tax'),
  }),
  taxPercent: Type.Number({
    minimum: 0,
    maximum: 100,
    multipleOf: 0.001,
    ...described('sales tax in percent on amounts that are entered without items, from 0 to 100 with at most 3 decimals; 0 for none', 8.25),
  }),
  taxIncluded: Type.Boolean({ description: 'whether entered amounts include the tax; otherwise it is added to them' }),
};
/** Rules by which a merchant declines payments in addition to its gateway. */
const FRAUD = {
  declineOnAvs: Type.Array(literals(['N', 'A', 'Z', 'Y']), {
    maxItems: 4,
    uniqueItems: true,
    ...described('Responses of the address check that decline a payment', ['N']),
  }),
  declineOnCvv: Type.Array(literals(['N', 'U', 'P', 'M']), {
    maxItems: 4,
    uniqueItems: true,
    ...described('Responses of the security code check that decline a payment', ['N']),
  }),
  maxAmount: nullable(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 99_999_999,
      description: 'largest amount of a payment, a credit or a pay-out from a drawer, in major units; null means no limit',
    }),
  ),
  maxAmountCurrency: nullable(CurrencyIn),
  maxAmountByCurrency: Type.Record(
    Type.String(),
    Type.Number({ exclusiveMinimum: 0, maximum: 9_999_999_999, description: 'major units' }),
    {
      maxProperties: 200,
      ...described('largest amounts in other currencies, in major units by ISO 4217 code; replaces the former ones', {
        EUR: 450,
        JPY: 70_000,
      }),
    },
  ),
  maxCreditsPerDay: nullable(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 99_999_999,
      description:
        'largest sum of the unlinked credits of a day, in major units of `maxAmountCurrency`; null means `maxAmount`. In another currency the sum is at most its amount of `maxAmountByCurrency`',
    }),
  ),
  duplicateWindowSeconds: Type.Integer({ minimum: 0, maximum: 86_400, description: 'seconds, 0 to 86,400; 0 turns the check off' }),
  maxPerCardPerHour: nullable(Type.Integer({ minimum: 1, maximum: 1_000, description: '1 to 1,000; null means no limit' })),
  blockedBins: Type.Array(Type.String({ pattern: '^\\d{4,8}$', description: 'the first four to eight digits of card numbers' }), {
    maxItems: 500,
    ...described('First digits of cards that are declined', ['400012']),
  }),
  blockedEmails: Type.Array(
    Type.String({ pattern: '^[^\\s@]*@[^\\s@]+\\.[^\\s@]+$', maxLength: 254, description: 'an email address or @domain' }),
    { maxItems: 500, ...described('Email addresses or domains that are declined', ['@blocked.example']) },
  ),
};
/** Brand of a merchant on pages and receipts. */
const BRANDING = {
  logoUrl: nullable(
    Type.String({
      pattern: '^(https://\\S+|data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/=]+)$',
      maxLength: 300_000,
      ...described('an https address, or a PNG, JPEG or WebP image as a data URL', 'https://shop.example/logo.png'),
    }),
  ),
  primaryColor: Color('#0F5C73'),
  accentColor: Color('#B45309'),
  companyName: Type.String({
    minLength: 1,
    maxLength: 100,
    ...described('Name on receipts and payment pages', 'Harbor Street Coffee'),
  }),
};
const FEE = {
  percent: Percent(100, 2.9),
  fixed: Type.Number({ minimum: 0, maximum: 1_000, ...described('Fixed amount per transaction, in major units', 0.3) }),
  cap: nullable(Type.Number({ minimum: 0, maximum: 100_000, ...described('largest fee, in major units; null means no cap', null) })),
};
const SETTINGS = {
  allowPrivateWebhookTargets: flag('true if webhooks may be sent to this computer and its network; sandbox only', false),
  publicUrl: nullable(Text(200, 'address of this server for payers, such as https://pay.example.com; null means its own address')),
  language: literals(LANGUAGE_CODES, 'Language of receipts, messages and payment pages'),
  cardFee: group('Fee of card payments', FEE),
  achFee: group('Fee of bank payments', FEE),
  customerPageCancel: Type.Boolean({ description: 'whether customers may cancel subscriptions' }),
  customerPageSkip: Type.Boolean({ description: 'whether customers may skip payments' }),
  customerPageInEmails: Type.Boolean({ description: 'whether emails link to the page' }),
  refundMaxAttempts: Type.Integer({
    minimum: 1,
    maximum: 9,
    description: 'number of automatic retries of a declined refund, 1 to 9; refunds that are already in the queue keep their number',
  }),
};
/** Retries after a declined renewal. */
const DUNNING = {
  retryIntervalsDays: Type.Array(Type.Integer({ minimum: 1, maximum: 60 }), {
    minItems: 1,
    maxItems: 10,
    description: 'days between the retries of a declined payment, in whole days',
  }),
  finalAction: literals(['cancel', 'pause'], 'What happens to a subscription after its last retry failed'),
  notifyCustomer: flag('true if the customer is notified', true),
  missedPeriods: literals(['latest', 'each'], 'Periods that are charged after the service was down: the latest or each'),
};
const ReminderTextIn = (language: string) =>
  Type.Object(
    {
      subject: nullable(Lines(200, 'subject of the email; null for the one of Paydesk', 'Your receipt')),
      message: nullable(
        Lines(
          2_000,
          'text above the link; null for the one of Paydesk. Placeholders: {{customer}}, {{number}}, {{amount}}, {{dueDate}}, {{company}}, {{lateFees}}',
          'Please pay this invoice',
        ),
      ),
    },
    { description: `text in ${language}` },
  );
type ReminderText = RecordOf<ReturnType<typeof ReminderTextIn>>;
/** Reminders of unpaid invoices. */
const REMINDERS = {
  enabled: Type.Boolean({ description: 'whether reminders are sent; false by default' }),
  steps: Type.Array(
    Type.Object({
      days: Type.Integer({ minimum: -60, maximum: 180, ...described('days from the due date, from -60 (before it) to 180', 7) }),
      channel: literals(['email', 'sms'], 'email or sms; without an address of this kind, the other one is used'),
      texts: Type.Unsafe<Partial<Record<Language, ReminderText>>>(
        Type.Object(Object.fromEntries(LANGUAGE_CODES.map((code) => [code, Type.Optional(ReminderTextIn(LANGUAGES[code]))])), {
          description: 'texts by language; a language without texts has those of Paydesk',
        }),
      ),
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
    description:
      'days on which reminders are sent, from 0 for Sunday to 6; a public holiday counts as a Sunday, and a reminder of another day is sent on the next of them',
  }),
};
const FeePercent = (description: string) => Type.Number({ minimum: 0, maximum: 100, multipleOf: 0.01, ...described(description, 1.5) });
/** Late fees of unpaid invoices. */
const LATE_FEES = {
  enabled: Type.Boolean({ description: 'whether late fees are charged; false by default' }),
  kind: literals(['fixed', 'percent'], 'a fixed sum, which only invoices in the currency of the merchant are charged, or a percentage'),
  amount: Type.Number({ minimum: 0, maximum: 1_000_000, ...described('the fixed sum', 5) }),
  percent: FeePercent('percentage of the unpaid amount without earlier fees'),
  graceDays: Type.Integer({ minimum: 0, maximum: 180, description: 'days after the due date without a fee' }),
  repeat: literals(['never', 'weekly', 'monthly'], 'period after which a further fee is charged'),
  ceilingPercent: FeePercent('largest sum of the fees of an invoice, in percent of its amount'),
};
export const PermissionsIn = Type.Array(Text(60), {
  maxItems: 60,
  description: 'areas such as `transactions`, or `area:read` and `area:write`',
  examples: [['transactions', 'refunds:read']],
});
const RuleIn = Type.Union([
  closed({ condition: Text(500, 'an expression', 'amount > 500'), gateway: Text(100, 'ID or name of a gateway', 'sandbox') }),
  closed({ default: Text(100, 'ID or name of a gateway') }),
]);
/** Rules of gateway routing; the last one may set the default. */
export const RulesIn = Type.Array(RuleIn, { maxItems: 50, description: 'rules of {condition, gateway} or {default}' });

/** Every settings object of a merchant by its name in the API's paths. Requests change some of the fields. */
export const SECTIONS = {
  settings: Type.Object(SETTINGS),
  'fraud-settings': Type.Object(FRAUD),
  'vt-settings': record('SellScreenSettings', VT, 'Settings of the Sell screen'),
  'amount-settings': record('AmountSettings', AMOUNTS, 'Settings of tips, tax and surcharges'),
  branding: record('Branding', BRANDING, 'Logo, colors and name for receipts and payment pages'),
  permissions: Type.Object({ permissions: nullable(PermissionsIn) }),
  'dunning-settings': Type.Object(DUNNING),
  'reminder-settings': Type.Object(REMINDERS),
  'late-fee-settings': Type.Object(LATE_FEES),
  'gateway-routing': Type.Object({ rules: RulesIn }),
};
export type SectionName = keyof typeof SECTIONS;
export type Sections = { readonly [Name in SectionName]: RecordOf<(typeof SECTIONS)[Name]> };
export type MerchantSettings = Sections['settings'];
/** Fee of a payment: a percentage and a fixed part in major units; `cap` limits their sum. */
export type FeeRate = MerchantSettings['cardFee'];
export type DunningSettings = Sections['dunning-settings'];
export type LateFeeSettings = Sections['late-fee-settings'];
export type FraudSettings = Sections['fraud-settings'];
export type VtSettings = Sections['vt-settings'];
export type ReminderSettings = Sections['reminder-settings'];
export type ReminderStep = ReminderSettings['steps'][number];
export type RoutingRule = Sections['gateway-routing']['rules'][number];

export const COLUMNS = {
  settings: 'settings',
  'fraud-settings': 'fraud_settings',
  'vt-settings': 'vt_settings',
  'amount-settings': 'amount_settings',
  branding: 'branding',
  permissions: 'permissions',
  'dunning-settings': 'dunning_settings',
  'reminder-settings': 'reminder_settings',
  'late-fee-settings': 'late_fee_settings',
  'gateway-routing': 'routing',
} as const satisfies Record<SectionName, keyof MerchantRow>;

const DEFAULTS: Sections = {
  settings: {
    allowPrivateWebhookTargets: false,
    publicUrl: null,
    language: 'en',
    cardFee: { percent: 2.9, fixed: 0.3, cap: null },
    achFee: { percent: 0.8, fixed: 0, cap: 5 },
    customerPageCancel: false,
    customerPageSkip: false,
    customerPageInEmails: true,
    refundMaxAttempts: 3,
  },
  'fraud-settings': {
    declineOnAvs: ['N'],
    declineOnCvv: ['N'],
    maxAmount: null,
    maxAmountCurrency: null,
    maxAmountByCurrency: {},
    maxCreditsPerDay: null,
    duplicateWindowSeconds: 0,
    maxPerCardPerHour: null,
    blockedBins: [],
    blockedEmails: [],
  },
  'vt-settings': {
    requireCvv: true,
    requireZip: true,
    allowedModes: ['card', 'ach', 'token'],
    defaultType: 'sale',
    tipEnabled: false,
    channel: 'phone',
    receiptWidth: '80mm',
    autoPrint: false,
    receiptHeader: '',
    receiptFooter: '',
    tenders: ['cash', 'check'],
    otherTenders: [],
    cashRequiresShift: false,
    storeCreditForCards: false,
    shiftPer: 'drawer',
    cashRounding: null,
    giftCardRefunds: 'proportional',
    parkedSales: 'cancel',
    giftCardExpiryMonths: null,
    chargeLaterMaxAmount: null,
    chargeLaterMaxPerCustomer: null,
    chargeLaterCurrency: null,
  },
  'amount-settings': {
    surchargePercent: 0,
    surchargeCheck: 'rule',
    pageTips: 'off',
    tipPercents: [15, 18, 20],
    tipCustomAmount: true,
    taxName: 'Sales tax',
    taxPercent: 0,
    taxIncluded: false,
  },
  branding: { logoUrl: null, primaryColor: '#0F5C73', accentColor: '#17683D', companyName: '' },
  permissions: { permissions: null },
  'dunning-settings': { retryIntervalsDays: [1, 3, 5, 7], finalAction: 'cancel', notifyCustomer: true, missedPeriods: 'latest' },
  'reminder-settings': {
    enabled: false,
    steps: [-3, 0, 7, 14].map((days) => ({ days, channel: 'email', texts: {} })),
    sendAt: '09:00',
    weekdays: [1, 2, 3, 4, 5],
  },
  'late-fee-settings': { enabled: false, kind: 'percent', amount: 0, percent: 1, graceDays: 14, repeat: 'monthly', ceilingPercent: 10 },
  'gateway-routing': { rules: [] },
};

/** Settings of a new merchant. */
export const NEW_VT_SETTINGS = DEFAULTS['vt-settings'];

/** Returns a settings object: the defaults with the stored changes. */
export function sectionOf<Name extends SectionName>(row: MerchantRow, name: Name): Sections[Name] {
  const stored = JSON.parse(row[COLUMNS[name]] as string) as Partial<Sections[Name]>;
  const section = { ...DEFAULTS[name], ...stored };
  return name === 'branding' && !('companyName' in stored) ? { ...section, companyName: row.name } : section;
}
