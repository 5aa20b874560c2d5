import { Type } from 'typebox';
import {
  Discrepancy,
  ITEM_KINDS,
  type ItemKind,
  type Mapping,
  Reconciliation,
  ReconciliationDay,
  ReconciliationImport,
  ReconciliationRun,
} from '#core/books/reconciliation';
import { agreedValue, ServiceError } from '#core/kernel';
import { Paginated, receiveUpload, route, Success } from '#server/http';
import {
  DateIn,
  DateQuery,
  datedPageFrom,
  ImportFields,
  oneOf,
  PageQuery,
  Params,
  pageFrom,
  ReconciliationBody,
  ReconciliationItemOut,
  ReopenBody,
  ResolveBody,
  Text,
  withPayments,
} from '#server/schemas';

const shared = { surface: 'admin', tag: 'Settlement', scope: 'merchant' } as const;
const read = { ...shared, method: 'GET', permission: 'settlement:read' } as const;
const write = { ...shared, method: 'POST', permission: 'settlement:write' } as const;
const MERCHANT = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const RUNNING = [...MERCHANT, 'INVALID_DATE', 'NOT_FOUND', 'GATEWAY_ERROR', 'GATEWAY_UNAVAILABLE'] as const;
const FILE_BYTES_MAX = 256 * 1_048_576;

const merchantId = Type.Optional(Text(60, 'one merchant; all merchants if absent'));
const date = Type.Optional(DateIn('a settlement date, YYYY-MM-DD'));

const anotherName = Type.Optional(DateIn('another name of `date`: a report is about one day'));

/** Returns the day that a query names. @throws VALIDATION_ERROR if it names several. */
function dayOf(days: Readonly<Record<'date' | 'startDate' | 'endDate', string | undefined>>): string | undefined {
  const { startDate, endDate } = days;
  if (startDate !== undefined && endDate !== undefined && startDate !== endDate)
    throw new ServiceError(
      'VALIDATION_ERROR',
      'A reconciliation is about one day. Send `date`, or list several days with GET /settlement/reconciliation/days.',
      { field: 'endDate' },
    );
  return agreedValue(days);
}

const getReport = route({
  ...read,
  path: '/settlement/reconciliation',
  id: 'admin.getReconciliation',
  summary: "Reconciliation of a settlement date with the gateway's report",
  description:
    "Returns the last run for the date, by default today in the merchant's time zone. If there is none, or if more was settled for the date since, a new run is made. Refunds count as negative. The differences of all discrepancies sum to the difference of the totals.",
  query: Type.Object({ date, startDate: anotherName, endDate: anotherName, merchantId }),
  response: Success(Reconciliation),
  errors: RUNNING,
  run: ({ core, actor, query: { startDate, endDate, merchantId, ...query } }) =>
    core.reconciliation.report(actor, { date: dayOf({ date: query.date, startDate, endDate }), merchantId }),
});

const runNow = route({
  ...write,
  path: '/settlement/reconciliation/auto',
  id: 'admin.runReconciliation',
  summary: 'Reconcile a settlement date with the report of the gateway or with an import',
  description:
    'The run is stored. Discrepancies keep their explanations from earlier runs of the same date and source (the gateway, or files). Lines are matched by the reference of Paydesk or of the gateway. A line of a file that matches no payment counts if its date is the date of the run.',
  body: ReconciliationBody,
  response: Success(Reconciliation),
  errors: RUNNING,
  run: ({ core, actor, body }) => core.reconciliation.run(actor, body),
});

const listRuns = route({
  ...read,
  path: '/settlement/reconciliation/runs',
  id: 'admin.listReconciliationRuns',
  summary: 'Stored runs, newest first',
  description: 'A run compares one day with the report of the processor, or with an imported file.',
  query: Type.Object({ ...PageQuery, ...DateQuery, date, merchantId }),
  response: Paginated(ReconciliationRun),
  errors: [...MERCHANT, 'INVALID_DATE'],
  run: async ({ core, actor, query }) => core.reconciliation.runs(actor, query, await datedPageFrom(core, actor, query)),
});

const listDays = route({
  ...read,
  path: '/settlement/reconciliation/days',
  id: 'admin.listReconciliationDays',
  summary: 'State of each day of a month',
  description:
    'A settled day that was not compared since is `open` and has no difference. It is compared within seconds after this request; repeat the request to get the result.',
  query: Type.Object({ month: Type.Optional(Text(20, 'YYYY-MM; default this month')), merchantId }),
  response: Success(Type.Array(ReconciliationDay)),
  errors: [...MERCHANT, 'INVALID_DATE'],
  run: ({ core, actor, query }) => core.reconciliation.days(actor, query),
});

const listItems = route({
  ...read,
  path: '/settlement/reconciliation/:runId/items',
  id: 'admin.listReconciliationItems',
  summary: 'Lines of a run: discrepancies first, then matches',
  description: 'A line that was compared has one entry.',
  params: Params('runId'),
  query: Type.Object({ ...PageQuery, kind: oneOf(...ITEM_KINDS) }),
  response: Paginated(ReconciliationItemOut),
  errors: [...MERCHANT, 'NOT_FOUND'],
  run: async ({ core, actor, params, query }) => {
    const kind = (query.kind as ItemKind | undefined) ?? 'all';
    return withPayments(core, actor, await core.reconciliation.items(actor, params.runId, kind, pageFrom(query)));
  },
});

const resolveDiscrepancy = route({
  ...write,
  path: '/settlement/reconciliation/discrepancies/:id/resolve',
  id: 'admin.resolveDiscrepancy',
  summary: 'Explain a discrepancy',
  description:
    'The discrepancy stays in the report with the note, the user and the time. Later runs of the same date and source keep the explanation.',
  params: Params('id'),
  body: ResolveBody,
  response: Success(Discrepancy),
  errors: [...MERCHANT, 'NOT_FOUND', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params, body }) => core.reconciliation.resolve(actor, params.id, body.note),
});

const reopenDiscrepancy = route({
  ...write,
  path: '/settlement/reconciliation/discrepancies/:id/reopen',
  id: 'admin.reopenDiscrepancy',
  summary: 'Reopen an explained discrepancy',
  description:
    'Removes the explanation in all runs of the same date and source. The audit log keeps it. It is refused with `details.period` if the period of the date is closed, and with `details.reason` `changed_meanwhile` if the explanation is not that of `resolvedAt`.',
  params: Params('id'),
  body: ReopenBody,
  response: Success(Discrepancy),
  errors: [...MERCHANT, 'NOT_FOUND', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params, body }) => core.reconciliation.reopen(actor, params.id, body?.resolvedAt),
});

const IMPORT_FORM = { file: 'file', bytesMax: FILE_BYTES_MAX, fields: ImportFields } as const;

const importFile = route({
  ...write,
  path: '/settlement/imports',
  id: 'admin.importSettlements',
  summary: 'Import a settlement file (CSV) to compare with',
  description:
    'A form with `file` and `mapping`, which is JSON with the names of the columns. The file is UTF-8, UTF-16 or Windows-1252, separated by commas, semicolons or tabs, of at most 256 MB, with a header row, which may follow rows of other kinds. Either `amount`, or `credit` and `debit`, is mapped. Payments are positive and refunds negative, or the reverse with `sign: negative`, or as the column `direction` says. With `unit: minor`, amounts are whole numbers of minor units, such as cents. Without a column `currency`, the currency is that of the merchant; `dateFormat` is YYYY-MM-DD by default. Rows that cannot be read, that contain a card number or whose amounts exceed the supported maximum are skipped and reported with their line. A file with the same bytes as an earlier one is refused with RESOURCE_CONFLICT and `details.importId`; while the earlier one is still being read, the error also has `details.status` `reading`, `details.retryAfter` and a Retry-After header.',
  upload: IMPORT_FORM,
  response: Success(ReconciliationImport),
  errors: [...MERCHANT, 'RESOURCE_CONFLICT'],
  run: async ({ core, actor, request }) => {
    const { file, filename, fields } = await receiveUpload(request, actor.tenantId, IMPORT_FORM);
    try {
      const { mapping, merchantId: importMerchantId } = fields;
      return await core.reconciliation.importFile(actor, { file, filename, mapping: mapping as Mapping, merchantId: importMerchantId });
    } finally {
      await file.dispose();
    }
  },
});

export const adminReconciliation = [getReport, runNow, listRuns, listDays, listItems, resolveDiscrepancy, reopenDiscrepancy, importFile];
