import { Type } from 'typebox';
import type { Core } from '#core';
import {
  BankAccount,
  BankLine,
  BankLineOutcome,
  BankMapping,
  BankMatch,
  BankRule,
  BankStatement,
  CloseLine,
  FIGURES,
  OpenBankDeposit,
  OpenPayout,
  PeriodClose,
  SIDES,
} from '#core/books/bank';
import { type Actor, ServiceError } from '#core/kernel';
import { literals } from '#core/platform/fields';
import { ListTotal } from '#core/platform/list-totals';
import { failure, Paginated, receiveUpload, route, Success } from '#server/http';
import {
  BankAccountChangeIn,
  BankMatchBody,
  BankMatchesBody,
  BankRuleIn,
  CurrencyIn,
  DateIn,
  DateQuery,
  IdIn,
  MerchantBankAccountIn,
  oneOf,
  PageQuery,
  Params,
  pageFrom,
  StatementFields,
  sortBy,
  Text,
  withActions,
  withoutPage,
} from '#server/schemas';
import { forCaller } from '../actions.ts';

const shared = { surface: 'admin', tag: 'Bank', scope: 'merchant' } as const;
const read = { ...shared, method: 'GET', permission: 'settlement:read' } as const;
const write = { ...shared, method: 'POST', permission: 'settlement:write' } as const;
/** Access that the operations on a line need. */
const ACCESS = { match: write, undo: write } as const;
const MERCHANT = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const FILE_BYTES_MAX = 256 * 1_048_576;
const merchantId = Type.Optional(Text(60, "one merchant; by default the caller's"));
const ofMerchant = Type.Object({ merchantId });

const listAccounts = route({
  ...read,
  path: '/settlement/bank-accounts',
  id: 'admin.listBankAccounts',
  summary: 'Bank accounts',
  description: 'Accounts of a merchant with the last four characters of their numbers. The full number is never returned.',
  query: ofMerchant,
  response: Success(Type.Array(BankAccount)),
  errors: MERCHANT,
  run: ({ core, actor, query }) => core.bank.accounts(actor, query.merchantId),
});

const createAccount = route({
  ...write,
  path: '/settlement/bank-accounts',
  id: 'admin.createBankAccount',
  summary: 'Add a bank account',
  description:
    'Payouts of the merchant in the currency of the account are compared with its statements. RESOURCE_CONFLICT if the merchant has a bank account with this number and currency.',
  created: true,
  body: MerchantBankAccountIn,
  response: Success(BankAccount),
  errors: [...MERCHANT, 'REQUIRED_FIELD_MISSING', 'INVALID_CURRENCY', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, body }) => core.bank.createAccount(actor, body),
});

const renameAccount = route({
  ...shared,
  method: 'PUT',
  permission: 'settlement:write',
  path: '/settlement/bank-accounts/:bankAccountId',
  id: 'admin.updateBankAccount',
  summary: 'Rename a bank account',
  description:
    'Changes the name only. With `previousName`, RESOURCE_CONFLICT (`details.reason` `changed_meanwhile`, and the present `name`) if another person renamed it since.',
  params: Params('bankAccountId'),
  body: BankAccountChangeIn,
  response: Success(BankAccount),
  errors: [...MERCHANT, 'NOT_FOUND', 'REQUIRED_FIELD_MISSING', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params, body }) => core.bank.renameAccount(actor, params.bankAccountId, body),
});

const removeAccount = route({
  ...shared,
  method: 'DELETE',
  permission: 'settlement:write',
  path: '/settlement/bank-accounts/:bankAccountId',
  id: 'admin.deleteBankAccount',
  summary: 'Remove a bank account',
  description:
    'Removes the account with its statements and open lines, and its number is free again. RESOURCE_CONFLICT with `details.reason`: `matched` if one of its lines is matched or was, because movements of the ledger name it; `importing` while a statement is imported; `lines` if the number of its lines is not `openLines`.',
  params: Params('bankAccountId'),
  query: Type.Object({
    openLines: Type.Optional(
      Type.String({
        pattern: '^\\d{1,9}$',
        description: 'a whole number from 0; the open lines that are removed with the account, default 0',
      }),
    ),
  }),
  response: Success(BankAccount),
  errors: [...MERCHANT, 'NOT_FOUND', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params, query }) => core.bank.removeAccount(actor, params.bankAccountId, Number(query.openLines ?? 0)),
});

const STATEMENT_FORM = { file: 'file', bytesMax: FILE_BYTES_MAX, fields: StatementFields } as const;

const importStatement = route({
  ...write,
  path: '/settlement/bank-statements',
  id: 'admin.importBankStatement',
  summary: 'Import a bank statement',
  description:
    'A form with `bankAccountId` and `file`: OFX or QFX, CAMT.053 (versions 02 to 08), MT940, BAI2 or CSV, of at most 256 MB. The format is recognized by the content. CSV needs `mapping`, which is JSON with the names of the columns, or the `mappingName` of a saved mapping; without them, the error has `details.columns`. The whole file is refused with `details.line` if a part is not readable, if the opening balance and the lines do not give the closing balance, or if the file is of another account. Lines of an earlier statement are not added again; balances, references and the numbers of equal lines decide. If they cannot, the file is refused (RESOURCE_CONFLICT, `details.reason` `doubtful_lines`, with the lines) until it is sent with `doubtfulLines`; `details.reason` `balances` with `missing` if a statement in between is missing. Statements of other accounts and currencies are left out and listed in `skipped`. A file with a document type is refused.',
  upload: STATEMENT_FORM,
  response: Success(BankStatement),
  errors: [...MERCHANT, 'NOT_FOUND', 'RESOURCE_CONFLICT'],
  run: async ({ core, actor, request }) => {
    const { file, filename, fields } = await receiveUpload(request, actor.tenantId, STATEMENT_FORM);
    try {
      return await core.bank.importStatement(actor, {
        file,
        filename,
        bankAccountId: fields.bankAccountId,
        mapping: fields.mapping,
        mappingName: fields.mappingName,
        doubtfulLines: fields.doubtfulLines as 'add' | 'skip' | undefined,
      });
    } finally {
      await file.dispose();
    }
  },
});

const listMappings = route({
  ...read,
  path: '/settlement/bank-mappings',
  id: 'admin.listBankMappings',
  summary: 'Saved mappings of CSV files',
  description: 'Each mapping names the columns of the CSV files of one bank.',
  query: ofMerchant,
  response: Success(Type.Array(BankMapping)),
  errors: MERCHANT,
  run: ({ core, actor, query }) => core.bank.mappings(actor, query.merchantId),
});

const LINE_FILTERS = {
  ...DateQuery,
  merchantId,
  bankAccountId: Type.Optional(IdIn('bac', 'bank account')),
  state: oneOf('open', 'matched'),
};

const lineTotals = route({
  ...read,
  path: '/settlement/bank-lines/totals',
  id: 'admin.getBankLineTotals',
  summary: 'Number and amount of the bank lines of a filter, by currency',
  description: 'The filters are those of `GET /settlement/bank-lines`.',
  query: Type.Object(LINE_FILTERS),
  response: Success(Type.Array(ListTotal)),
  errors: [...MERCHANT, 'INVALID_DATE'],
  run: ({ core, actor, query }) => core.bank.lineTotals(actor, query),
});

const listLines = route({
  ...read,
  path: '/settlement/bank-lines',
  id: 'admin.listBankLines',
  summary: 'Bank lines, newest booking day first',
  description:
    'Open lines have the suggestion of Paydesk, if there is one: payouts, open invoices, cash and checks, or a rule. A suggestion is not posted.',
  query: Type.Object({ ...PageQuery, ...LINE_FILTERS, sort: sortBy('-day', 'day') }),
  response: Paginated(BankLine),
  errors: [...MERCHANT, 'INVALID_DATE'],
  run: ({ core, actor, query }) => core.bank.lines(actor, withoutPage(query), pageFrom(query)),
});

const getLine = route({
  ...read,
  path: '/settlement/bank-lines/:lineId',
  id: 'admin.getBankLine',
  summary: 'One bank line',
  description: 'Returns the line with its suggestion, its matches, and what the caller can do with it.',
  params: Params('lineId'),
  response: Success(withActions('BankLineDetail', BankLine, ACCESS)),
  errors: [...MERCHANT, 'NOT_FOUND'],
  run: (call) => forCaller(call, ACCESS, call.core.bank.line(call.actor, call.params.lineId)),
});

const matchLine = route({
  ...write,
  path: '/settlement/bank-lines/:lineId/match',
  id: 'admin.matchBankLine',
  summary: 'Explain a bank line',
  description:
    'Posts movements to the ledger: a payout moves from `paid_out` to `bank`, a fee from `bank` to `bank_fees`, a chargeback from `bank` to `bank_chargebacks`. `own` and `ignore` move nothing. An invoice gets a payment by bank transfer, as a tender, and `cash` and `check` are deposits; these move from `tenders_deposited` to `bank`. RESOURCE_CONFLICT with `details.reason` `invoice_paid`, `invoice_canceled`, `payment_in_progress` or `deposited` if it was paid or deposited in the meantime. Several lines can cover one payout, and several payouts one line. A line whose period is closed, and a line that is matched, are refused with RESOURCE_CONFLICT. A line that is explained as a whole by something else than a payout teaches a rule, and a line that pays invoices of one customer teaches who paid.',
  params: Params('lineId'),
  body: BankMatchBody,
  response: Success(BankMatch),
  errors: [...MERCHANT, 'NOT_FOUND', 'INVOICE_NOT_FOUND', 'INVALID_AMOUNT', 'REQUIRED_FIELD_MISSING', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params, body }) => core.bank.match(actor, params.lineId, body as never),
});

function errorShown(error: ServiceError) {
  const { code, message, details = null } = failure(error).error;
  return { code, message, details: details as Readonly<Record<string, unknown>> | null };
}

const matchLines = route({
  ...write,
  path: '/settlement/bank-lines/matches',
  id: 'admin.matchBankLines',
  summary: 'Explain several bank lines',
  description:
    'Matches at most 100 lines, each as `matchBankLine` and in order. A line that cannot be matched has its `error` in the results, and prevents no other.',
  body: BankMatchesBody,
  response: Success(Type.Array(BankLineOutcome)),
  errors: MERCHANT,
  run: ({ core, actor, body }) => core.bank.matchLines(actor, body.matches as never),
  show: (outcomes) =>
    outcomes.map(({ lineId, matched, error }) => ({
      lineId,
      matchIds: matched?.matchIds ?? [],
      learnedRule: matched?.rule ?? null,
      error: error && errorShown(error),
    })),
});

const undoMatch = route({
  ...shared,
  method: 'DELETE',
  permission: 'settlement:write',
  path: '/settlement/bank-lines/:lineId/match',
  id: 'admin.undoBankMatch',
  summary: 'Undo matches of a bank line',
  description:
    'Undoes all matches, or those of `matchIds`; one that is undone already gets RESOURCE_CONFLICT. Posts the opposite movements. The line, its payouts, invoices and deposits are open again. RESOURCE_CONFLICT with `details.reason` `refunded` if a payment of an invoice was refunded.',
  params: Params('lineId'),
  query: Type.Object({ matchIds: Type.Optional(Text(3_000, 'matches to undo, with commas between them; by default all')) }),
  response: Success(BankMatch),
  errors: [...MERCHANT, 'NOT_FOUND', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params, query }) => core.bank.undo(actor, params.lineId, query.matchIds?.split(',')),
});

const listPayouts = route({
  ...read,
  path: '/settlement/bank-payouts',
  id: 'admin.listBankPayouts',
  summary: 'Payouts that bank lines do not cover, oldest first',
  description:
    'At most 500: those that may arrive from the first day of the statements on, which are also the payouts of the five business days before. A payout before that day is never `missing`, because the bank may have booked it before the first statement.',
  query: Type.Object({ merchantId, currency: Type.Optional(CurrencyIn) }),
  response: Success(Type.Array(OpenPayout)),
  errors: [...MERCHANT, 'INVALID_CURRENCY'],
  run: ({ core, actor, query }) => core.bank.openPayouts(actor, query),
});

const listDeposits = route({
  ...read,
  path: '/settlement/bank-deposits',
  id: 'admin.listBankDeposits',
  summary: 'Cash of closed shifts and checks that no bank line contains, oldest first',
  description:
    'At most 500, of the last 92 days. With `returned`, those that debits can contain: returned checks that a matched bank line contains, and refunds of bank transfers.',
  query: Type.Object({
    merchantId,
    currency: Type.Optional(CurrencyIn),
    returned: Type.Optional(Type.Literal('true', { description: '`true` for payments that the bank returned' })),
  }),
  response: Success(Type.Array(OpenBankDeposit)),
  errors: [...MERCHANT, 'INVALID_CURRENCY'],
  run: ({ core, actor, query }) => core.bank.openDeposits(actor, { ...query, returned: query.returned === 'true' }),
});

const listRules = route({
  ...read,
  path: '/settlement/bank-rules',
  id: 'admin.listBankRules',
  summary: 'Rules that explain bank lines by their text',
  description: 'Rules that were learned from accepted matches, and rules that a person added.',
  query: ofMerchant,
  response: Success(Type.Array(BankRule)),
  errors: MERCHANT,
  run: ({ core, actor, query }) => core.bank.rules(actor, query.merchantId),
});

const addRule = route({
  ...write,
  path: '/settlement/bank-rules',
  id: 'admin.createBankRule',
  summary: 'Add a rule',
  description:
    'A rule suggests an explanation. It never posts one. RESOURCE_CONFLICT if the merchant has a rule for the text, or 200 rules.',
  created: true,
  body: Type.Object({ merchantId, ...BankRuleIn }),
  response: Success(BankRule),
  errors: [...MERCHANT, 'CUSTOMER_NOT_FOUND', 'REQUIRED_FIELD_MISSING', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, body }) => core.bank.addRule(actor, body as never),
});

const changeRule = route({
  ...shared,
  method: 'PUT',
  permission: 'settlement:write',
  path: '/settlement/bank-rules/:ruleId',
  id: 'admin.updateBankRule',
  summary: 'Change a rule',
  description: 'Applies to suggestions from now on. Accepted matches stay as they are.',
  params: Params('ruleId'),
  body: Type.Object(BankRuleIn),
  response: Success(BankRule),
  errors: [...MERCHANT, 'NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'REQUIRED_FIELD_MISSING', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params, body }) => core.bank.changeRule(actor, params.ruleId, body as never),
});

const removeRule = route({
  ...shared,
  method: 'DELETE',
  permission: 'settlement:write',
  path: '/settlement/bank-rules/:ruleId',
  id: 'admin.deleteBankRule',
  summary: 'Remove a rule',
  description: 'The rule suggests nothing from now on. Accepted matches stay as they are.',
  params: Params('ruleId'),
  response: Success(BankRule),
  errors: [...MERCHANT, 'NOT_FOUND'],
  run: ({ core, actor, params }) => core.bank.removeRule(actor, params.ruleId),
});

const PeriodQuery = {
  month: Type.Optional({ ...Text(20, 'YYYY-MM; without `month` and `date`, the present month of the merchant'), examples: ['2026-11'] }),
  date: Type.Optional(DateIn('a day, YYYY-MM-DD')),
  merchantId,
};
const PeriodBody = { date: Text(20, 'a day YYYY-MM-DD or a month YYYY-MM', '2026-11'), merchantId };

/** Returns the period of a query: `month` or `date`, or the present month. @throws ServiceError VALIDATION_ERROR if both are given. */
async function periodOf(
  core: Core,
  actor: Actor,
  { month, date, merchantId: ofOne }: { month?: string | undefined; date?: string | undefined; merchantId?: string | undefined },
): Promise<{ period: string; field: string }> {
  if (month !== undefined && date !== undefined)
    throw new ServiceError('VALIDATION_ERROR', 'Send `month` or `date`, not both.', { field: 'date' });
  if (date !== undefined) return { period: date, field: 'date' };
  return { period: month ?? (await core.bank.presentMonth(actor, ofOne)), field: 'month' };
}

const getClose = route({
  ...read,
  path: '/settlement/close',
  id: 'admin.getPeriodClose',
  summary: 'Three-way close of a month or day',
  description:
    'Figures of the own ledger, the processor and the bank side by side. An open period has its present figures, with what must be done before it can be closed; a closed one the figures of its close. Changes of closed periods count as adjustments in the first open period after them.',
  query: Type.Object(PeriodQuery),
  response: Success(PeriodClose),
  errors: [...MERCHANT, 'INVALID_DATE'],
  run: async ({ core, actor, query }) => core.bank.close(actor, { ...(await periodOf(core, actor, query)), merchantId: query.merchantId }),
});

const closeLines = route({
  ...read,
  path: '/settlement/close/lines',
  id: 'admin.listPeriodCloseLines',
  summary: 'Lines of a figure of the close',
  description: 'At most 1,000, in order of time, as they are now.',
  query: Type.Object({
    ...PeriodQuery,
    figure: literals(FIGURES, `one of ${FIGURES.join(', ')}`, 'sales'),
    side: literals(SIDES, `one of ${SIDES.join(', ')}`, 'ledger'),
    currency: Type.Optional(CurrencyIn),
  }),
  response: Success(Type.Array(CloseLine)),
  errors: [...MERCHANT, 'INVALID_DATE', 'INVALID_CURRENCY', 'REQUIRED_FIELD_MISSING'],
  run: async ({ core, actor, query }) => {
    const { figure, side, currency, merchantId: ofOne } = query;
    const { period } = await periodOf(core, actor, query);
    return core.bank.figureLines(actor, { period, figure, side, currency, merchantId: ofOne });
  },
});

const closePdf = route({
  ...read,
  path: '/settlement/close/pdf',
  id: 'admin.periodClosePdf',
  summary: 'Three-way close as PDF',
  description: 'The figures of `getPeriodClose`, with the movements of gift cards in the period, as a document to print and file.',
  query: Type.Object(PeriodQuery),
  contentType: 'application/pdf',
  response: Type.String({ format: 'binary' }),
  errors: [...MERCHANT, 'INVALID_DATE'],
  run: async ({ core, actor, query, reply }) => {
    const { period } = await periodOf(core, actor, query);
    const content = await core.bank.closePdf(actor, { period, merchantId: query.merchantId });
    await reply.type('application/pdf').header('content-disposition', `inline; filename="close-${period}.pdf"`).send(content);
  },
});

const closePeriod = route({
  ...write,
  path: '/settlement/close',
  id: 'admin.closePeriod',
  summary: 'Close a month or day',
  description:
    'Stores the figures and locks the bank lines of the period. RESOURCE_CONFLICT with `details.blockers` while the period is not over or something in it is open: discrepancies, bank lines without a match, payouts that a statement should have. Payouts within five business days may be in transit.',
  body: Type.Object(PeriodBody),
  response: Success(PeriodClose),
  errors: [...MERCHANT, 'INVALID_DATE', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, body }) => core.bank.closePeriod(actor, { period: body.date, merchantId: body.merchantId }),
});

const reopenPeriod = route({
  ...shared,
  method: 'POST',
  permission: 'owner:periods',
  path: '/settlement/reopen',
  id: 'admin.reopenPeriod',
  summary: 'Reopen a closed month or day',
  description: 'For owners, with a reason. The figures of the close stay on record.',
  body: Type.Object({ ...PeriodBody, reason: Text(500, 'Reason') }),
  response: Success(PeriodClose),
  errors: [...MERCHANT, 'INVALID_DATE', 'REQUIRED_FIELD_MISSING', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, body }) => core.bank.reopenPeriod(actor, { period: body.date, reason: body.reason, merchantId: body.merchantId }),
});

export const adminBank = [
  listAccounts,
  createAccount,
  renameAccount,
  removeAccount,
  importStatement,
  listMappings,
  lineTotals,
  listLines,
  getLine,
  matchLine,
  matchLines,
  undoMatch,
  listPayouts,
  listDeposits,
  listRules,
  addRule,
  changeRule,
  removeRule,
  getClose,
  closeLines,
  closePdf,
  closePeriod,
  reopenPeriod,
];
