import { type Static, Type } from 'typebox';
import { JOURNAL_FORMATS, type JournalFile, type JournalFormat } from '#core/journal';
import { type Column, route, sendCsv, success } from '#server/http';
import { DateIn, JournalAccountsIn, JournalAccountsOut, oneOf, Success, Text } from '#server/schemas';

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
  response: Success(JournalAccountsOut),
  errors: MERCHANT,
  run: ({ core, actor, query }) => core.journal.accounts(actor, query.merchantId),
  show: success,
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
  body: JournalAccountsIn,
  response: Success(JournalAccountsOut),
  errors: MERCHANT,
  run: ({ core, actor, query, body }) => core.journal.setAccounts(actor, body as Static<typeof JournalAccountsIn>, query.merchantId),
  show: success,
});

type TableRow = Extract<JournalFile, { kind: 'table' }>['rows'][number];

const exportJournal = route({
  ...shared,
  method: 'GET',
  path: '/reporting/journal',
  id: 'admin.exportJournal',
  summary: 'Journal of a period for an accounting program',
  description:
    'Formats (CSV by default): Xero manual journals, QuickBooks Online journal entries, IIF for QuickBooks Desktop, plain text for hledger and beancount, and CSV. Movements are summed by day and kind; payouts and bank lines are entries of their own. Each entry has the same ID in every export, and is marked `new`, `exported` or `changed` since the last one. A later change of an exported day is an entry of its own, so that importing each ID once gives the amounts of the ledger. `only=new` returns what no earlier export contained.',
  permission: 'reporting:write',
  query: Type.Object({
    startDate: { ...DateIn('first day, YYYY-MM-DD'), examples: ['2026-11-01'] },
    endDate: { ...DateIn('last day, inclusive; at most 400 days later'), examples: ['2026-11-30'] },
    format: oneOf(...JOURNAL_FORMATS),
    only: oneOf('new'),
    merchantId,
  }),
  contentType: 'text/plain',
  otherContentTypes: ['text/csv'],
  response: Type.String(),
  errors: [...MERCHANT, 'INVALID_DATE', 'REQUIRED_FIELD_MISSING'],
  run: async ({ core, actor, query, reply }) => {
    const format = (query.format as JournalFormat | undefined) ?? 'csv';
    const { startDate, endDate, merchantId: ofOne, only } = query;
    const file = await core.journal.export(actor, { startDate, endDate, merchantId: ofOne, format, ...(only ? { only: 'new' } : {}) });
    if (file.kind === 'text') {
      await reply
        .type('text/plain; charset=utf-8')
        .header('content-disposition', `attachment; filename="${file.filename}"`)
        .send(file.text);
      return;
    }
    const columns = file.columns.map((name, index): Column<TableRow> => [name, (row) => row[index] ?? null]);
    await sendCsv(reply, file.filename, columns, file.rows);
  },
});

export const adminJournal = [getAccounts, setAccounts, exportJournal];
