import { t } from '#renderer/base/language';

/** A setting that the search finds. */
interface Setting {
  /** Name as the page shows it. */
  readonly name: string;
  /** Address of its page. */
  readonly path: string;
}

/**
 * Names of the settings by the tab of Settings that shows them. The pages and the search take them from here; a setting or a group of settings
 * belongs into this list.
 */
export const SETTING_NAMES = {
  profile: {
    currency: t('Currency'),
    timeZone: t('Time zone'),
    country: t('Country'),
    legalName: t('Legal name'),
  },
  terminal: {
    requireSecurityCode: t('Require security code'),
    requireZipCode: t('Require ZIP code'),
    defaultType: t('Default type'),
    channel: t('Channel of the Sell screen'),
    askForATip: t('Ask for a tip'),
    register: t('Register'),
    otherMethods: t('Other methods'),
    roundCashTo: t('Round cash to'),
    cashRequiresShift: t('Take cash only in an open shift'),
    storeCreditForCards: t('Refund card payments to store credit'),
    shifts: t('Shifts'),
    parkedSales: t('Parked sales at the end of the day'),
    refundsToGiftCards: t('Refunds to gift cards'),
    giftCardExpiry: t('Gift cards expire after'),
    chargeLater: t('Charge later'),
    largestAmount: t('Largest amount'),
    largestSumPerCustomer: t('Largest sum per customer'),
    receipts: t('Receipts'),
    paper: t('Paper'),
    printWhenApproved: t('Print when approved'),
    header: t('Header'),
    footer: t('Footer'),
  },
  amounts: {
    salesTax: t('Sales tax on entered amounts'),
    enteredAmounts: t('Entered amounts'),
    tipsOnPayPages: t('Tips on pay pages'),
    payPagesWithATip: t('Pay pages with a tip'),
    payerAmount: t('Payers can enter an amount'),
    suggestedTips: t('Suggested tips'),
    surchargeGroup: t('Surcharge on credit cards'),
    surcharge: t('Surcharge'),
    surchargesOfPrograms: t('Surcharges of programs'),
    cardRanges: t('Card ranges'),
  },
  branding: {
    look: t('Look'),
    companyName: t('Company name'),
    logo: t('Logo'),
  },
  payers: {
    publicAddress: t('Public address'),
    customerPage: t('Customer page'),
    customerPageLink: t('Link to the customer’s page in emails'),
    maySkip: t('Customers may skip the next payment of a subscription'),
    mayCancel: t('Customers may cancel a subscription'),
    languageForPayers: t('Language for payers'),
  },
  fraud: {
    checksOfTheGateway: t('Checks of the gateway'),
    maxAmount: t('Max amount'),
    maxCreditsPerDay: t('Max unlinked credits per day'),
    maxPerCardPerHour: t('Max payments per card per hour'),
    duplicateWindow: t('Duplicate window'),
    cardsStartingWith: t('Cards starting with'),
    emailAddresses: t('Email addresses'),
    maxAmountByCurrency: t('Max amounts in other currencies'),
  },
  reminders: {
    sendReminders: t('Send reminders'),
    sendFrom: t('Send from'),
    sendOn: t('Send on'),
  },
  'late-fees': {
    chargeLateFees: t('Charge late fees'),
    kindOfFee: t('Kind of fee'),
    percentage: t('Percentage'),
    fixedFee: t('Fixed fee'),
    daysOfGrace: t('Days of grace'),
    chargedAgain: t('Charged again'),
    ceiling: t('Ceiling'),
  },
  dunning: {
    daysUntilEachRetry: t('Days until each retry'),
    afterTheLastRetry: t('After the last retry'),
    notifiesCustomer: t('Notify the customer of each decline'),
    missedPayments: t('Payments missed while Paydesk was offline'),
  },
  refunds: {
    declinedRefunds: t('Declined refunds'),
    retries: t('Automatic retries, 1 to 9'),
  },
  approvals: {
    refundAbove: t('Refunds above'),
    payOutAbove: t('Pay-outs from a drawer above'),
    voidAfter: t('Voids later than'),
    discountAbove: t('Discounts above'),
    tipAbove: t('Tips above'),
    unlinkedCredit: t('Credits without an original payment'),
    drawerOpening: t('Open drawer without a sale'),
    approversExempt: t('Managers need no approval themselves'),
    requestsExpire: t('Requests expire'),
    accessChanges: t('Changes of access need two people'),
  },
  channels: {
    mailServer: t('Mail server'),
  },
  security: {
    companySignIn: t('Company sign-in'),
    requireCompanySignIn: t('Require company sign-in'),
    privateWebhooks: t('Allow webhooks of a live account to this computer and private networks'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

export const SETTINGS: readonly Setting[] = Object.entries(SETTING_NAMES).flatMap(([tab, names]) =>
  Object.values(names).map((name) => ({ name, path: `/settings/${tab}` })),
);

/** Returns the state of a navigation to a setting. */
export const settingState = (name: string) => ({ setting: name });
