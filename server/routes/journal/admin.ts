import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import {
  JOURNAL_FORMATS,
  JournalAccounts,
  JournalAccountsChange,
  JournalExport,
  type JournalFile,
  type JournalFormat,
} from '#core/books/journal';
import { literals } from '#core/platform/fields';
import { type Column, Paginated, route, Success, sendCsv } from '#server/http';
import { CurrencyIn, DateIn, DateQuery, datedPageFrom, MerchantIn, oneOf, PageQuery, Params, Text } from '#server/schemas';

const shared = { surface: 'admin', tag: 'Reporting', scope: 'merchant' } as const;
const MERCHANT = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const merchantId = Type.Optional(Text(60, "one merchant; by default the caller's"));

const getAccounts = route({
  ...shared,
  method: 'GET',
  path: '/reporting/journal/accounts',
  id: 'admin.getJournalAccounts',
  summary: "Names of a merchant's accounts in its accounting program",
  description: 'Returns a name and a number for each account of the journal.',
  permission: 'reporting:read',
  query: Type.Object({ merchantId }),
  response: Success(JournalAccounts),
  errors: MERCHANT,
  run: ({ core, actor, query }) => core.journal.accounts(actor, query.merchantId),
});

const setAccounts = route({
  ...shared,
  method: 'PUT',
  path: '/reporting/journal/accounts',
  id: 'admin.updateJournalAccounts',
  summary: "Change names of a merchant's accounts",
  description: 'Absent accounts stay as they are. Exported entries keep their IDs.',
  permission: 'reporting:write',
  query: Type.Object({ merchantId }),
  body: JournalAccountsChange,
  response: Success(JournalAccounts),
  errors: MERCHANT,
  run: ({ core, actor, query, body }) => core.journal.setAccounts(actor, body, query.merchantId),
});

const Format = oneOf(...JOURNAL_FORMATS);
const Only = Type.Optional(literals(['new'], '`new` omits the entries of earlier exports from the file'));
const Period = {
  startDate: { ...DateIn('first day, YYYY-MM-DD'), examples: ['2026-11-01'] },
  endDate: { ...DateIn('last day, inclusive; at most 400 days later'), examples: ['2026-11-30'] },
};
const currency = Type.Optional({
  ...CurrencyIn,
  description: 'an ISO 4217 code such as USD; only entries in this currency. Xero and QuickBooks Desktop take one currency in a file.',
});
const asFile = { contentType: 'text/plain', otherContentTypes: ['text/csv'], response: Type.String() } as const;
const EXPORT_HEADER = 'Paydesk-Journal-Export';

type TableRow = Extract<JournalFile, { kind: 'table' }>['rows'][number];

/** Sends a file. Accounting programs look for the exact name of the first column, so that their files begin without a byte order mark. */
async function sendJournal(reply: FastifyReply, file: JournalFile, format: JournalFormat): Promise<void> {
  if (file.kind === 'text') {
    await reply.request.recordExport?.(file.entries, true);
    await reply.type('text/plain; charset=utf-8').header('content-disposition', `attachment; filename="${file.filename}"`).send(file.text);
    return;
  }
  const columns = file.columns.map((name, index): Column<TableRow> => [name, (row) => row[index] ?? null]);
  await sendCsv(reply, file.filename, columns, file.rows, format === 'csv' ? undefined : 'plain');
}

const exportJournal = route({
  ...shared,
  method: 'GET',
  path: '/reporting/journal',
  id: 'admin.exportJournal',
  exports: 'reporting',
  summary: 'Journal of a period for an accounting program',
  description:
    'Formats (CSV by default): Xero manual journals, QuickBooks Online journal entries, IIF for QuickBooks Desktop, plain text for hledger and beancount, and CSV. Movements are summed by day and kind; payouts and bank lines are entries of their own. Each entry has the same ID in every export, and is marked `new`, `exported` or `changed` since the last one. A later change of an exported day is an entry of its own, so that importing each ID once gives the amounts of the ledger. Xero and IIF name no currency: if the entries have several, name one as `currency`; entries in other currencies stay unexported. `only=new` returns what no earlier export contained. The request records an export, as `POST /reporting/journal/exports` does, which a program should prefer: if this response is lost, a repeated request finds nothing new. The file of the lost response is that of the export that `GET /reporting/journal/exports` lists.',
  permission: 'reporting:write',
  query: Type.Object({ ...Period, format: Format, only: Only, currency, merchantId }),
  ...asFile,
  headers: { [EXPORT_HEADER]: 'ID of the recorded export, whose file can be downloaded again.' },
  errors: [...MERCHANT, 'INVALID_DATE', 'INVALID_CURRENCY', 'REQUIRED_FIELD_MISSING'],
  run: async ({ core, actor, query, reply }) => {
    const { only, format: named, ...period } = query;
    const format = formatFrom(named);
    const { journalExportId } = await core.journal.createExport(actor, { ...period, only: only && 'new' }, format);
    reply.header(EXPORT_HEADER, journalExportId);
    await sendJournal(reply, await core.journal.file(actor, journalExportId, format), format);
  },
});

const formatFrom = (format: string | undefined) => (format as JournalFormat | undefined) ?? 'csv';

const createExport = route({
  ...shared,
  method: 'POST',
  path: '/reporting/journal/exports',
  id: 'admin.createJournalExport',
  exports: 'reporting',
  summary: 'Record an export of the journal of a period',
  description:
    'Marks the entries of the period that no earlier export contained as part of this one. Download its file afterwards, in any format and as often as needed. `only: new` omits the entries of earlier exports from the file, and `currency` those in other currencies, which stay unexported. Parallel exports of a merchant run one after another, so an entry is new in one of them only.',
  permission: 'reporting:write',
  created: true,
  body: Type.Object({ ...Period, only: Only, currency, merchantId }),
  response: Success(JournalExport),
  errors: [...MERCHANT, 'INVALID_DATE', 'INVALID_CURRENCY', 'REQUIRED_FIELD_MISSING'],
  run: ({ core, actor, body: { only, ...period } }) => core.journal.createExport(actor, { ...period, only: only && 'new' }),
});

const listExports = route({
  ...shared,
  method: 'GET',
  path: '/reporting/journal/exports',
  id: 'admin.listJournalExports',
  summary: 'Exports of the journal, newest first',
  description: 'Exports of all merchants that the caller may see. `startDate` and `endDate` are days of the export, not of its entries.',
  permission: 'reporting:read',
  query: Type.Object({ ...PageQuery, ...DateQuery, merchantId: MerchantIn }),
  response: Paginated(JournalExport),
  errors: [...MERCHANT, 'INVALID_DATE'],
  run: async ({ core, actor, query }) => core.journal.exports(actor, query.merchantId, await datedPageFrom(core, actor, query)),
});

const downloadExport = route({
  ...shared,
  method: 'GET',
  path: '/reporting/journal/exports/:journalExportId/file',
  id: 'admin.downloadJournalExport',
  exports: 'reporting',
  summary: 'File of an export of the journal',
  description:
    'The same entries with the same IDs and marks each time, in the formats of `GET /reporting/journal` (CSV by default), with the present names of the accounts. If the entries have several currencies, files of Xero and IIF require `currency`. A download changes nothing.',
  permission: 'reporting:write',
  params: Params('journalExportId'),
  query: Type.Object({ format: Format, currency }),
  ...asFile,
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'INVALID_CURRENCY', 'VALIDATION_ERROR'],
  run: async ({ core, actor, params, query, reply }) => {
    const format = formatFrom(query.format);
    await sendJournal(reply, await core.journal.file(actor, params.journalExportId, format, query.currency), format);
  },
});

export const adminJournal = [getAccounts, setAccounts, exportJournal, createExport, listExports, downloadExport];
