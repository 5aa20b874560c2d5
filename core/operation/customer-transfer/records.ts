import { count, flag, group, id, list, literals, nullable, one, type RecordOf, record, text, time } from '#core/platform/fields';

/** States of an import; `steps.ts` has the transitions. */
export const IMPORT_STATUSES = ['reading', 'ready', 'running', 'stopped', 'done', 'discarded'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];
/** Effects of a line of an import. */
export const LINE_ACTIONS = ['create', 'update', 'duplicate', 'shared', 'rejected'] as const;
export type LineAction = (typeof LINE_ACTIONS)[number];
export const LAYOUTS = ['paydesk', 'stripe'] as const;
export type ExportLayout = (typeof LAYOUTS)[number];
const EXPORT_STATUSES = ['ready', 'downloading', 'downloaded', 'failed', 'expired'] as const;
const DESTROYED_REASONS = ['import', 'person', 'expired'] as const;

const FINGERPRINT = '4d154765013d00d94d154765013d00d94d154765';

export const SharedCards = literals(
  ['skip', 'add'],
  'Handling of a card that another customer has: `skip` leaves out the line, `add` adds the card',
  'skip',
);
export const UnreadableCards = literals(
  ['skip', 'omit'],
  'Handling of a card or an account that cannot be read: `skip` leaves out the line, `omit` imports the customer without it',
  'skip',
);
export type SharedCards = RecordOf<typeof SharedCards>;
export type UnreadableCards = RecordOf<typeof UnreadableCards>;

const merchantId = id('mer', 'ID of the merchant');
const createdAt = time('Time of creation');
const lines = (what: string) => count(`Number of lines ${what}`, 12);

const Counts = record('CustomerImportCounts', {
  create: lines('with a new customer'),
  update: lines('that add or renew a payment method of an existing customer'),
  duplicate: lines('that are known already'),
  shared: lines('with a card that another customer has'),
  rejected: lines('that cannot be imported'),
});
/** Number of lines by action. */
export type Counts = RecordOf<typeof Counts>;

export const CustomerImport = record('CustomerImport', {
  importId: id('cim', 'ID of the import'),
  merchantId,
  provider: nullable(text('Provider that wrote the file: authorizenet, nmi, paydesk or stripe; null until it is recognized', 'stripe')),
  filename: nullable(text('Name of the file; null if it has none', 'customers.csv.pgp')),
  transferKeyId: nullable(text('Transfer key with which the file was encrypted; null for a plain file', null)),
  status: literals(IMPORT_STATUSES, 'State of the import', 'ready'),
  sharedCards: SharedCards,
  unreadableCards: UnreadableCards,
  lines: count('Number of payment methods and customers in the file', 120),
  ignoredColumns: list(text('Name of a column'), 'Columns of a CSV file that are not read, at most 50', []),
  processed: count('Lines that were run so far, including those that imported nothing', 60),
  imported: count('Lines so far that created or changed a customer', 58),
  planned: one(Counts, 'Number of lines by the action that the dry run found'),
  results: one(Counts, 'Number of imported lines by the action that was taken'),
  createdBy: text('Person who sent the file', 'owner@example.com'),
  createdAt,
  updatedAt: time('Time of the last change'),
  finishedAt: nullable(time('Time of the end; null before it', null)),
});
export type CustomerImport = RecordOf<typeof CustomerImport>;

const LineCustomer = group('The customer as the line is read', {
  company: nullable(text('Company', null)),
  email: nullable(text('Email address', 'ann@example.com')),
  phone: nullable(text('Phone number', null)),
  address: nullable(text('Address in one line', '1 Main St, Portland, ME, 04101, US')),
});
export type LineCustomer = RecordOf<typeof LineCustomer>;

export const CustomerImportLine = record('CustomerImportLine', {
  number: count('Position in the report', 1),
  line: count('Line of the file', 2),
  action: literals(LINE_ACTIONS, 'Effect of the line', 'create'),
  reason: nullable(text('Reason why the line or its card is not imported, such as expired_card; null if there is none', null)),
  reference: nullable(text('Customer or line with the same customer or card; null if there is none', null)),
  name: nullable(text('Name of the customer; null for an unreadable line', 'Ann Marsh')),
  customer: nullable(
    LineCustomer,
    'The customer as the line is read; null after the line was imported or discarded, and if it is unreadable',
  ),
  externalId: nullable(text('Identifier at the earlier provider; null if there is none', null)),
  brand: nullable(text('Brand of the card; null without a card', 'visa')),
  last4: nullable(text('Last four digits of the card or account; null without one', '1111')),
  isImported: flag('True if the line was run and created or changed a customer', false),
  customerId: nullable(text('Customer of an imported line; null before the import', null)),
  paymentMethodId: nullable(text('Stored payment method of an imported line; null if it stored none', null)),
});
/** A line of the report of an import. */
export type CustomerImportLine = RecordOf<typeof CustomerImportLine>;

export const TransferKey = record('TransferKey', {
  transferKeyId: id('tky', 'ID of the transfer key'),
  name: text('Name of the transfer', 'From Stripe'),
  fingerprint: text('Fingerprint of the OpenPGP key, to compare by telephone', FINGERPRINT),
  publicKey: text('OpenPGP public key in ASCII armor, for the provider', '-----BEGIN PGP PUBLIC KEY BLOCK-----'),
  createdBy: text('Person who created the key', 'owner@example.com'),
  createdAt,
  expiresAt: time('Time at which the private key is destroyed'),
  destroyedAt: nullable(time('Time at which the private key was destroyed; null while it exists', null)),
  destroyedReason: nullable(
    literals(DESTROYED_REASONS, 'Reason for the destruction: a finished import, a person, or its age; null while the key exists', null),
  ),
});
export type TransferKey = RecordOf<typeof TransferKey>;

export const CustomerExport = record('CustomerExport', {
  exportId: id('cex', 'ID of the export'),
  merchantId: nullable(text('Merchant whose customers it has; null for the whole account', null)),
  layout: literals(LAYOUTS, 'Layout of the file', 'paydesk'),
  recipient: text('Name in the OpenPGP key of the recipient', 'New Provider <import@provider.example>'),
  recipientFingerprint: text('Fingerprint of the OpenPGP key of the recipient', FINGERPRINT),
  status: literals(EXPORT_STATUSES, 'State of the export', 'ready'),
  customerCount: count('Number of customers in the file', 100),
  paymentMethodCount: count('Number of payment methods in the file', 112),
  leftOutCount: count('Number of cards that are stored at a gateway only, so the file has no number of them', 0),
  createdBy: text('Person who created the export', 'owner@example.com'),
  createdAt,
  expiresAt: time('Time until which it can be downloaded'),
  finishedAt: nullable(time('Time of the download; null before it', null)),
});
/** An export with card numbers, which can be downloaded once. */
export type CustomerExport = RecordOf<typeof CustomerExport>;
