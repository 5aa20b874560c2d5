import type { CashRounding } from '#shared/cash-rounding';
import type { DeskChannel } from '#shared/channels';
import type { Language } from '#shared/languages';
import type { MerchantRow } from './schema.ts';

/** Settings of a merchant's virtual terminal. */
export interface VtSettings {
  readonly requireCvv: boolean;
  readonly requireZip: boolean;
  readonly allowedModes: readonly ('card' | 'ach' | 'token')[];
  readonly defaultType: 'sale' | 'auth';
  readonly tipEnabled: boolean;
  /** Channel of payments that a person enters, unless the payment names another one. */
  readonly channel: DeskChannel;
  readonly receiptWidth: '58mm' | '80mm' | 'letter';
  readonly autoPrint: boolean;
  readonly receiptHeader: string;
  readonly receiptFooter: string;
  /** Tenders that the Sell screen offers beside cards. */
  readonly tenders: readonly ('cash' | 'check')[];
  /** Names of further tenders, such as a gift voucher; the Sell screen offers each of them. */
  readonly otherTenders: readonly string[];
  /** True if cash can be taken and refunded only while a shift of its drawer is open. */
  readonly cashRequiresShift: boolean;
  /** True if card payments can be refunded to a gift card or to store credit. */
  readonly storeCreditForCards: boolean;
  /** `drawer`: one open shift per drawer, for everyone who uses it. `person`: one open shift per drawer and person. */
  readonly shiftPer: 'drawer' | 'person';
  /** Rounding of cash in a currency without small coins; null for exact amounts. */
  readonly cashRounding: CashRounding | null;
  /** Place of gift cards in the proposed refund of a sale with several payments: in proportion, or before or after all other payments. */
  readonly giftCardRefunds: 'proportional' | 'first' | 'last';
  /** Largest amount of a payment that is charged later, in major units; null turns charging later off. */
  readonly chargeLaterMaxAmount: number | null;
  /** Largest sum of a customer's open payments that are charged later; null means the limit of one payment. */
  readonly chargeLaterMaxPerCustomer: number | null;
  /** Currency of these limits; null means the present one of the merchant. */
  readonly chargeLaterCurrency: string | null;
}

/** Settings of the parts of amounts: tip, surcharge and tax (decision record 86). */
export interface AmountSettings {
  /** Percentage added to payments with credit cards, within the limits of law and card schemes; 0 adds nothing. */
  readonly surchargePercent: number;
  /**
   * `rule`: a surcharge needs a card that is known to be a credit card, and is at most `surchargePercent`. `limits`: programs with card data of their
   * own may state any surcharge within the limits.
   */
  readonly surchargeCheck: 'rule' | 'limits';
  /** Pay pages that offer a tip: none, those of payment links, or those of invoices too. */
  readonly pageTips: 'off' | 'links' | 'links_and_invoices';
  /** Suggested tips in percent of the amount to pay. */
  readonly tipPercents: readonly number[];
  /** True if the payer may enter the amount of the tip. */
  readonly tipCustomAmount: boolean;
  /** Name of the sales tax on the screens. */
  readonly taxName: string;
  /** Sales tax in percent on amounts that are entered without items; 0 for none. Items have their own taxes. */
  readonly taxPercent: number;
  /** True if entered amounts include the tax; otherwise it is added to them. */
  readonly taxIncluded: boolean;
}

/** Fee of a payment: a percentage and a fixed part in major units; `cap` limits their sum. */
export interface FeeRate {
  readonly percent: number;
  readonly fixed: number;
  readonly cap: number | null;
}

export interface MerchantSettings {
  /** True if webhooks of a live merchant may target loopback and private addresses. */
  readonly allowPrivateWebhookTargets: boolean;
  /** Address of this server for payers, such as `https://pay.example.com`; null means its own address. */
  readonly publicUrl: string | null;
  /** Language of payers: messages, receipts, invoices and the pay page. */
  readonly language: Language;
  readonly cardFee: FeeRate;
  readonly achFee: FeeRate;
  /** True if customers may cancel a subscription on their page, or skip its next payment. */
  readonly customerPageCancel: boolean;
  readonly customerPageSkip: boolean;
  /** True if emails with invoices, receipts and reminders contain a link to the page of the customer. */
  readonly customerPageInEmails: boolean;
  /** Automatic retries of a declined refund, from 1 to 9; entries of the refund decline queue keep the value of their creation. */
  readonly refundMaxAttempts: number;
}

type AvsResponse = 'N' | 'A' | 'Z' | 'Y';
type CvvResponse = 'N' | 'U' | 'P' | 'M';

/** Rules by which a merchant declines payments in addition to its gateway. */
export interface FraudSettings {
  readonly declineOnAvs: readonly AvsResponse[];
  readonly declineOnCvv: readonly CvvResponse[];
  /** Amount in major units of `maxAmountCurrency`. */
  readonly maxAmount: number | null;
  /** Currency of `maxAmount` and `maxCreditsPerDay`; null means the present one of the merchant. */
  readonly maxAmountCurrency: string | null;
  /** Amounts in major units by currency, for payments in other currencies. Amounts are not converted. */
  readonly maxAmountByCurrency: Readonly<Record<string, number>>;
  /** Largest sum of the unlinked credits of a day, in major units of `maxAmountCurrency`; null means `maxAmount`. In other currencies: `maxAmountByCurrency`. */
  readonly maxCreditsPerDay: number | null;
  /** Time within which the same card and amount is rejected with DUPLICATE_TRANSACTION; 0 turns the check off. */
  readonly duplicateWindowSeconds: number;
  readonly maxPerCardPerHour: number | null;
  /** First four to eight digits. */
  readonly blockedBins: readonly string[];
  /** Addresses, or whole domains as `@example.com`. */
  readonly blockedEmails: readonly string[];
}

/** Brand of a merchant on pages and receipts. */
export interface Branding {
  readonly logoUrl: string | null;
  readonly primaryColor: string;
  readonly accentColor: string;
  readonly companyName: string;
}

/** Retries after a declined renewal. */
export interface DunningSettings {
  readonly retryIntervalsDays: readonly number[];
  readonly finalAction: 'cancel' | 'pause';
  readonly notifyCustomer: boolean;
  /** Periods to charge after the service was down: only the present one, or each missed one in turn. */
  readonly missedPeriods: 'latest' | 'each';
}

/** Text of a reminder in one language; null means that of Paydesk. */
export interface ReminderText {
  /** Subject of the email; a text message has none. */
  readonly subject: string | null;
  readonly message: string | null;
}

/** One reminder of an invoice. */
export interface ReminderStep {
  /** Days from the due date: negative before it, 0 on it, positive after it. */
  readonly days: number;
  readonly channel: 'email' | 'sms';
  /** Texts by language; a language without one has those of Paydesk. */
  readonly texts: Readonly<Partial<Record<Language, ReminderText>>>;
}

/** Reminders of unpaid invoices. */
export interface ReminderSettings {
  readonly enabled: boolean;
  /** By days, each number of days once. */
  readonly steps: readonly ReminderStep[];
  /** Local time of day from which reminders are sent, HH:mm. */
  readonly sendAt: string;
  /** Days of the week on which reminders are sent: 0 for Sunday to 6 for Saturday. */
  readonly weekdays: readonly number[];
}

/** Late fees of unpaid invoices. */
export interface LateFeeSettings {
  readonly enabled: boolean;
  readonly kind: 'fixed' | 'percent';
  /** Fixed fee in the currency of the merchant, in major units. */
  readonly amount: number;
  /** Percentage of the unpaid amount, without earlier fees. */
  readonly percent: number;
  /** Days after the due date without a fee. */
  readonly graceDays: number;
  readonly repeat: 'never' | 'weekly' | 'monthly';
  /** Largest sum of the fees of an invoice, in percent of its amount. */
  readonly ceilingPercent: number;
}

/** Maximum permissions of the merchant's own users and API keys; null means no limit. */
export interface MerchantPermissions {
  readonly permissions: readonly string[] | null;
}

/** A rule of gateway routing; the last one may set the default. */
export type RoutingRule = { readonly condition: string; readonly gateway: string } | { readonly default: string };

export interface Routing {
  readonly rules: readonly RoutingRule[];
}

/** Every settings object of a merchant by its name in the API's paths. */
export interface Sections {
  readonly settings: MerchantSettings;
  readonly 'fraud-settings': FraudSettings;
  readonly 'vt-settings': VtSettings;
  readonly 'amount-settings': AmountSettings;
  readonly branding: Branding;
  readonly permissions: MerchantPermissions;
  readonly 'dunning-settings': DunningSettings;
  readonly 'reminder-settings': ReminderSettings;
  readonly 'late-fee-settings': LateFeeSettings;
  readonly 'gateway-routing': Routing;
}

export type SectionName = keyof Sections;

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
