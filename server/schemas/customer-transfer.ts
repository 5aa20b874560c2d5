import { type TOptional, type TString, Type } from 'typebox';
import { MAPPED_FIELDS } from '#core/operation/customer-transfer';
import { literals } from '#core/platform/fields';
import { Maybe, Text, Timestamp } from './fields.ts';
import { named } from './named.ts';

const Count = Type.Integer();

/** Number of lines by what an import does with them. */
const CountsOut = named(
  'CustomerImportCounts',
  Type.Object({ create: Count, update: Count, duplicate: Count, shared: Count, rejected: Count }),
);

const Action = literals(['create', 'update', 'duplicate', 'shared', 'rejected']);
export const UnreadableCardsIn = literals(
  ['skip', 'omit'],
  'lines with a card or an account that cannot be read: `skip` leaves them out, `omit` imports the customer without it',
);
export const SharedCardsIn = Type.Union([Type.Literal('skip'), Type.Literal('add')]);

export const CustomerImportOut = named(
  'CustomerImport',
  Type.Object({
    importId: Type.String(),
    merchantId: Type.String(),
    provider: Maybe(Type.String()),
    filename: Maybe(Type.String()),
    transferKeyId: Maybe(Type.String()),
    status: literals(['reading', 'ready', 'running', 'stopped', 'done', 'discarded']),
    sharedCards: SharedCardsIn,
    unreadableCards: UnreadableCardsIn,
    lines: Count,
    ignoredColumns: Type.Array(Type.String(), { description: 'columns of a CSV file that are not read, at most 50' }),
    processed: Type.Integer({ description: 'lines that were run so far, including those that imported nothing' }),
    imported: Type.Integer({ description: 'lines so far that created or changed a customer' }),
    planned: CountsOut,
    results: CountsOut,
    createdBy: Type.String(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    finishedAt: Maybe(Timestamp),
  }),
);

const LineCustomerOut = named(
  'CustomerImportLineCustomer',
  Type.Object(
    { company: Maybe(Type.String()), email: Maybe(Type.String()), phone: Maybe(Type.String()), address: Maybe(Type.String()) },
    { description: 'the customer as the line is read; null after the line was imported or discarded, and if it is unreadable' },
  ),
);

export const CustomerImportLineOut = named(
  'CustomerImportLine',
  Type.Object({
    number: Count,
    line: Count,
    action: Action,
    reason: Maybe(Type.String()),
    reference: Maybe(Type.String()),
    name: Maybe(Type.String()),
    customer: Maybe(LineCustomerOut),
    externalId: Maybe(Type.String()),
    brand: Maybe(Type.String()),
    last4: Maybe(Type.String()),
    isImported: Type.Boolean({ description: 'true if the line was run and created or changed a customer' }),
    customerId: Maybe(Type.String()),
    paymentMethodId: Maybe(Type.String()),
  }),
);

export const TransferKeyOut = named(
  'TransferKey',
  Type.Object({
    transferKeyId: Type.String(),
    name: Type.String(),
    fingerprint: Type.String(),
    publicKey: Type.String(),
    createdBy: Type.String(),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    destroyedAt: Maybe(Timestamp),
    destroyedReason: Maybe(literals(['import', 'person', 'expired'])),
  }),
);

/** Fields of an import form beside its file. */
export const CustomerImportFields = Type.Object({
  merchantId: Type.Optional(Text(60, "one merchant; by default the caller's")),
  mapping: Type.Optional(
    Type.Object(
      Object.fromEntries(
        MAPPED_FIELDS.map((field) => [
          field,
          Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'name of a column' })),
        ]),
      ) as Record<(typeof MAPPED_FIELDS)[number], TOptional<TString>>,
      { additionalProperties: false, minProperties: 1 },
    ),
  ),
});

export const CustomerExportOut = named(
  'CustomerExport',
  Type.Object({
    exportId: Type.String(),
    merchantId: Maybe(Type.String()),
    layout: Type.Union([Type.Literal('paydesk'), Type.Literal('stripe')]),
    recipient: Type.String(),
    recipientFingerprint: Type.String(),
    status: literals(['ready', 'downloading', 'downloaded', 'failed', 'expired']),
    customerCount: Count,
    paymentMethodCount: Count,
    leftOutCount: Count,
    createdBy: Type.String(),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    finishedAt: Maybe(Timestamp),
  }),
);
