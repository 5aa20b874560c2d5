import { t } from '#renderer/base/language';

/** A setting that the search finds. */
interface Setting {
  /** Name as the page shows it. */
  readonly name: string;
  /** Address of its page. */
  readonly path: string;
}

/** Names of the settings by the tab of Settings that shows them. A setting or a group of settings belongs into this list; a test compares them. */
const NAMES_BY_TAB: Readonly<Record<string, readonly string[]>> = {
  profile: [t('Currency'), t('Time zone'), t('Country'), t('Legal name')],
  terminal: [
    t('Require security code'),
    t('Require ZIP code'),
    t('Default type'),
    t('Channel of the Sell screen'),
    t('Ask for a tip'),
    t('Cash and checks'),
    t('Other methods'),
    t('Round cash to'),
    t('Take cash only in an open shift'),
    t('Refund card payments to store credit'),
    t('Shifts'),
    t('Refunds to gift cards'),
    t('Charge later'),
    t('Largest amount'),
    t('Largest sum per customer'),
    t('Receipts'),
    t('Paper'),
    t('Print when approved'),
    t('Header'),
    t('Footer'),
  ],
  amounts: [
    t('Sales tax on entered amounts'),
    t('Entered amounts'),
    t('Tips on pay pages'),
    t('Pay pages with a tip'),
    t('Payers can enter an amount'),
    t('Suggested tips'),
    t('Surcharge on credit cards'),
    t('Surcharge'),
    t('Surcharges of programs'),
    t('Card ranges'),
  ],
  branding: [t('Look'), t('Company name'), t('Logo')],
  payers: [
    t('Public address'),
    t('Customer page'),
    t('Link to the customer’s page in emails'),
    t('Customers may skip the next payment of a subscription'),
    t('Customers may cancel a subscription'),
    t('Language for payers'),
  ],
  fraud: [
    t('Checks of the gateway'),
    t('Max amount'),
    t('Max unlinked credits per day'),
    t('Max payments per card per hour'),
    t('Duplicate window'),
    t('Cards starting with'),
    t('Email addresses'),
    t('Max amounts in other currencies'),
  ],
  reminders: [t('Send reminders'), t('Send from'), t('Send on')],
  'late-fees': [
    t('Charge late fees'),
    t('Kind of fee'),
    t('Percentage'),
    t('Fixed fee'),
    t('Days of grace'),
    t('Charged again'),
    t('Ceiling'),
  ],
  dunning: [
    t('Days until each retry'),
    t('After the last retry'),
    t('Notify the customer of each decline'),
    t('Payments missed while Paydesk was offline'),
  ],
  refunds: [t('Declined refunds'), t('Automatic retries, 1 to 9')],
  approvals: [
    t('Refunds above (none if blank)'),
    t('Pay-outs from a drawer above (none if blank)'),
    t('Voids later than (none if blank)'),
    t('Discounts above (none if blank)'),
    t('Tips above (none if blank)'),
    t('Credits without an original payment'),
    t('Open drawer without a sale'),
    t('Managers need no approval themselves'),
    t('Requests expire'),
    t('Changes of access need two people'),
  ],
  channels: [t('Mail server')],
  security: [
    t('Company sign-in'),
    t('Require company sign-in'),
    t('Allow webhooks of a live account to this computer and private networks'),
  ],
};

export const SETTINGS: readonly Setting[] = Object.entries(NAMES_BY_TAB).flatMap(([tab, names]) =>
  names.map((name) => ({ name, path: `/settings/${tab}` })),
);

/** Returns the state of a navigation to a setting. */
export const settingState = (name: string) => ({ setting: name });
