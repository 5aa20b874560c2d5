import { Readable } from 'node:stream';
import { type TOptional, type TString, Type } from 'typebox';
import {
  CustomerExport,
  CustomerImport,
  CustomerImportLine,
  IMPORT_STATUSES,
  type ImportLine,
  LAYOUTS,
  LINE_ACTIONS,
  MAPPED_FIELDS,
  SharedCards,
  TransferKey,
  UnreadableCards,
} from '#core/operation/customer-transfer';
import { described, literals } from '#core/platform/fields';
import { type Column, NOT_FREE_TEXT, Paginated, readUpload, route, Success, sendPages } from '#server/http';
import { DateQuery, datedPageFrom, MerchantIn, oneOf, PageQuery, Params, pageFrom, Text } from '#server/schemas';

const shared = { surface: 'admin', tag: 'Customer transfers', permission: 'owner:transfers' } as const;
const ofMerchant = { ...shared, scope: 'merchant' } as const;
const ofAccount = { ...shared, scope: 'tenant' } as const;
const FILE_BYTES_MAX = 512 * 1_048_576;
const MERCHANT = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const OWNERS_ONLY = 'Only owners can call this.';

const createKey = route({
  ...ofAccount,
  method: 'POST',
  path: '/customers/transfer-keys',
  confirms: { level: 'recent' },
  id: 'admin.createTransferKey',
  summary: 'Create a transfer key',
  description: `${OWNERS_ONLY} Send \`publicKey\` to the earlier provider, which encrypts its file with it. The private key never leaves the service. It is destroyed at the end of the import, on request, or after 90 days.`,
  created: true,
  body: Type.Object({ name: Text(60, 'name of the transfer, such as the earlier provider', 'Harbor Street') }),
  response: Success(TransferKey),
  errors: ['RESOURCE_CONFLICT'],
  run: ({ core, actor, body }) => core.customerTransfer.createKey(actor, body.name),
});

const listKeys = route({
  ...ofAccount,
  method: 'GET',
  path: '/customers/transfer-keys',
  id: 'admin.listTransferKeys',
  summary: 'Transfer keys, newest first',
  description: `${OWNERS_ONLY} Destroyed keys stay in the list.`,
  response: Success(Type.Array(TransferKey)),
  run: ({ core, actor }) => core.customerTransfer.keys(actor),
});

const destroyKey = route({
  ...ofAccount,
  method: 'DELETE',
  path: '/customers/transfer-keys/:id',
  confirms: { level: 'recent' },
  id: 'admin.destroyTransferKey',
  summary: 'Destroy a transfer key',
  description: `${OWNERS_ONLY} Files that were encrypted for it can never be opened again.`,
  params: Params('id'),
  response: Success(TransferKey),
  errors: ['NOT_FOUND', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params }) => core.customerTransfer.destroyKey(actor, params.id),
});

/** Fields of an import form beside its file. */
const CustomerImportFields = Type.Object({
  merchantId: Type.Optional(Text(60, "one merchant; by default the caller's")),
  mapping: Type.Optional(
    Type.Object(
      Object.fromEntries(
        MAPPED_FIELDS.map((field) => [
          field,
          Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'name of a column' })),
        ]),
      ) as Record<(typeof MAPPED_FIELDS)[number], TOptional<TString>>,
      { additionalProperties: false, minProperties: 1, description: 'Columns of the file by field' },
    ),
  ),
});

const IMPORT_FORM = { file: 'file', bytesMax: FILE_BYTES_MAX, fields: CustomerImportFields } as const;

const receive = route({
  ...ofMerchant,
  method: 'POST',
  path: '/customers/imports',
  id: 'admin.readCustomerImport',
  summary: 'Read a file of customers, as a dry run',
  description: `${OWNERS_ONLY} A form with \`file\` after the other fields: an export of Authorize.Net CIM, NMI Customer Vault, Stripe or Paydesk as CSV or JSON, or a list of customers of Square, Shopify or another product as CSV, of at most 512 MB. The layout is recognized by the content; \`mapping\`, which is JSON, names the columns of any other list. If the layout is unknown, the error has \`details.columns\`. A file that is encrypted for a transfer key is decrypted as it arrives. The content is never written to disk; numbers are stored encrypted until the import ends, or for a week. Nothing is imported yet: the lines of the import say what it would do. A wrong line is reported and the others are kept; an incomplete upload leaves nothing.`,
  created: true,
  upload: IMPORT_FORM,
  response: Success(CustomerImport),
  errors: [...MERCHANT, 'RESOURCE_CONFLICT'],
  run: ({ core, actor, request }) =>
    readUpload(request, IMPORT_FORM, ({ filename, fields: { merchantId, mapping }, content }) =>
      core.customerTransfer.receive(actor, { merchantId, filename, mapping, content }),
    ),
});

const list = route({
  ...ofMerchant,
  method: 'GET',
  path: '/customers/imports',
  id: 'admin.listCustomerImports',
  summary: 'Imports of customers, newest first',
  description: OWNERS_ONLY,
  query: Type.Object({
    ...PageQuery,
    ...DateQuery,
    merchantId: MerchantIn,
    status: oneOf(...IMPORT_STATUSES),
  }),
  response: Paginated(CustomerImport),
  errors: [...MERCHANT, 'INVALID_DATE'],
  run: async ({ core, actor, query }) =>
    core.customerTransfer.page(
      actor,
      { merchantId: query.merchantId, status: query.status as CustomerImport['status'] | undefined },
      await datedPageFrom(core, actor, query),
    ),
});

const one = {
  ...ofMerchant,
  params: Params('id'),
  errors: ['NOT_FOUND', 'RESOURCE_CONFLICT'],
} as const;

const get = route({
  ...one,
  method: 'GET',
  path: '/customers/imports/:id',
  id: 'admin.getCustomerImport',
  summary: 'One import with its progress',
  description: `${OWNERS_ONLY} \`processed\` counts the lines while the import runs, \`imported\` those that created or changed a customer.`,
  response: Success(CustomerImport),
  run: ({ core, actor, params }) => core.customerTransfer.get(actor, params.id),
});

const lines = route({
  ...one,
  method: 'GET',
  path: '/customers/imports/:id/lines',
  id: 'admin.listCustomerImportLines',
  summary: 'Lines of an import, in the order of the file',
  description: `${OWNERS_ONLY} Before the import, \`action\` is what it would do; after it, what it did.`,
  query: Type.Object({ ...PageQuery, action: oneOf(...LINE_ACTIONS) }),
  response: Paginated(CustomerImportLine),
  run: ({ core, actor, params, query }) =>
    core.customerTransfer.lines(actor, params.id, query.action as ImportLine['action'] | undefined, pageFrom(query)),
});

const COLUMNS: readonly Column<ImportLine>[] = [
  ['line', ({ line }) => line],
  ['action', ({ action }) => action, 'plain'],
  ['reason', ({ reason }) => reason, 'plain'],
  ['reference', ({ reference }) => reference],
  ['name', ({ name }) => name],
  ['externalId', ({ externalId }) => externalId],
  ['brand', ({ brand }) => brand],
  ['last4', ({ last4 }) => last4, 'plain'],
  ['imported', ({ isImported }) => (isImported ? 'yes' : 'no'), 'plain'],
  ['customerId', ({ customerId }) => customerId, 'plain'],
  ['paymentMethodId', ({ paymentMethodId }) => paymentMethodId, 'plain'],
];

const report = route({
  ...one,
  method: 'GET',
  path: '/customers/imports/:id/report',
  exports: 'customers',
  id: 'admin.downloadCustomerImportReport',
  summary: 'Report of an import as CSV',
  description: `${OWNERS_ONLY} All lines, with the IDs of the customers and payment methods that were stored.`,
  contentType: 'text/csv',
  response: Type.String({ description: 'the report' }),
  run: ({ core, actor, params, reply }) => sendPages(reply, 'customer-import.csv', COLUMNS, core.customerTransfer.report(actor, params.id)),
});

const run = route({
  ...one,
  method: 'POST',
  path: '/customers/imports/:id/run',
  id: 'admin.runCustomerImport',
  summary: 'Run an import, or continue a stopped one',
  description: `${OWNERS_ONLY} The import runs after the response. Each line is imported exactly once, also if the service is killed. RESOURCE_CONFLICT if it runs already.`,
  accepted: true,
  body: Type.Object({ sharedCards: Type.Optional(SharedCards), unreadableCards: Type.Optional(UnreadableCards) }),
  response: Success(CustomerImport),
  run: ({ core, actor, params, body }) => core.customerTransfer.run(actor, params.id, body),
});

const stop = route({
  ...one,
  method: 'POST',
  path: '/customers/imports/:id/stop',
  id: 'admin.stopCustomerImport',
  summary: 'Stop an import',
  description: `${OWNERS_ONLY} Customers that were imported stay. The import can be continued within a week.`,
  response: Success(CustomerImport),
  run: ({ core, actor, params }) => core.customerTransfer.stop(actor, params.id),
});

const discard = route({
  ...one,
  method: 'DELETE',
  path: '/customers/imports/:id',
  id: 'admin.discardCustomerImport',
  summary: 'Discard an import',
  description: `${OWNERS_ONLY} Destroys the numbers that were not imported. The report stays.`,
  response: Success(CustomerImport),
  run: ({ core, actor, params }) => core.customerTransfer.discard(actor, params.id),
});

const createExport = route({
  ...ofMerchant,
  method: 'POST',
  path: '/customers/exports',
  id: 'admin.createCustomerExport',
  summary: 'Allow an export with card numbers',
  description: `${OWNERS_ONLY} The file has the customers with the numbers of their payment methods, encrypted for the OpenPGP key of the recipient. It can be downloaded once, within 15 minutes. Where changes of access need two people, this does as well. Layouts: \`paydesk\` (JSON Lines, which this import reads) and \`stripe\` (cards only).`,
  created: true,
  approvable: true,
  confirms: { level: 'password' },
  body: Type.Object({
    publicKey: Type.String({
      [NOT_FREE_TEXT]: 'protected',
      maxLength: 30_000,
      ...described('OpenPGP public key of the recipient in ASCII armor', '-----BEGIN PGP PUBLIC KEY BLOCK-----'),
    }),
    layout: literals(LAYOUTS, 'Layout of the file'),
    merchantId: Type.Optional(Text(60, "one merchant; by default the caller's")),
  }),
  response: Success(CustomerExport),
  errors: MERCHANT,
  run: ({ core, actor, body }) => core.customerTransfer.createExport(actor, body),
});

const listExports = route({
  ...ofAccount,
  method: 'GET',
  path: '/customers/exports',
  id: 'admin.listCustomerExports',
  summary: 'Exports with card numbers, newest first',
  description: `${OWNERS_ONLY} The last hundred.`,
  response: Success(Type.Array(CustomerExport)),
  run: ({ core, actor }) => core.customerTransfer.exports(actor),
});

const download = route({
  ...one,
  method: 'POST',
  path: '/customers/exports/:id/file',
  id: 'admin.downloadCustomerExport',
  summary: 'Download an export with card numbers',
  description: `${OWNERS_ONLY} An OpenPGP message that only the recipient can open. RESOURCE_CONFLICT if it was downloaded before, or after 15 minutes.`,
  contentType: 'application/pgp-encrypted',
  response: Type.String({ description: 'the encrypted file' }),
  run: async ({ core, actor, params, reply }) => {
    const { filename, content } = await core.customerTransfer.download(actor, params.id);
    reply.type('application/pgp-encrypted').header('content-disposition', `attachment; filename="${filename}"`);
    await reply.send(Readable.from(content));
  },
});

/** Routes for moving customers with their cards from another provider and to another one. */
export const adminCustomerTransfer = [
  createKey,
  listKeys,
  destroyKey,
  receive,
  list,
  get,
  lines,
  report,
  run,
  stop,
  discard,
  createExport,
  listExports,
  download,
];
