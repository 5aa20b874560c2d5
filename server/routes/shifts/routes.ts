import { Type } from 'typebox';
import { ListTotal } from '#core/platform/list-totals';
import { CurrentShift, Shift, ShiftDetail, type ShiftFilter, type ShiftLine, ShownReport, shownReport } from '#core/sales/shifts';
import { type Column, Paginated, type Route, route, Success } from '#server/http';
import {
  CashMovementBody,
  CloseShiftBody,
  DateQuery,
  datedPageFrom,
  MerchantIn,
  NewShiftBody,
  oneOf,
  PageQuery,
  Params,
  ShiftNoteBody,
  Text,
  withActions,
} from '#server/schemas';
import { forCaller } from '../actions.ts';
import { datedExport } from '../dated-export.ts';

const SCOPE = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const MISSING = ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const CHANGING = [...MISSING, 'RESOURCE_CONFLICT', 'REQUIRED_FIELD_MISSING', 'INVALID_AMOUNT'] as const;
const OneMerchantIn = Type.Optional(Text(60, 'one merchant; all merchants if absent'));
const FILTERS = {
  ...DateQuery,
  status: oneOf('open', 'closed'),
  drawer: Type.Optional(Text(40, 'Name of the cash drawer')),
  merchantId: OneMerchantIn,
};

const COLUMNS: readonly Column<ShiftLine>[] = [
  ['shiftId', (shift) => shift.shiftId, 'plain'],
  ['zNumber', (shift) => shift.zNumber],
  ['merchantId', (shift) => shift.merchantId, 'plain'],
  ['drawer', (shift) => shift.drawer],
  ['status', (shift) => shift.status, 'plain'],
  ['currency', (shift) => shift.currency, 'plain'],
  ['floatAmount', (shift) => shift.floatAmount],
  ['expectedAmount', (shift) => shift.expectedAmount],
  ['countedAmount', (shift) => shift.countedAmount],
  ['varianceAmount', (shift) => shift.varianceAmount],
  ['note', (shift) => shift.note],
  ['openedBy', (shift) => shift.openedBy],
  ['openedAt', (shift) => shift.openedAt, 'plain'],
  ['closedBy', (shift) => shift.closedBy],
  ['closedAt', (shift) => shift.closedAt, 'plain'],
  ['cardSalesAmount', ({ report }) => report.cards.sales.amount],
  ['cardAdjustmentsAmount', ({ report }) => report.cards.adjustments.amount],
  ['cardVoidsAmount', ({ report }) => report.cards.voids.amount],
  ['cardRefundsAmount', ({ report }) => report.cards.refunds.amount],
  ['cardCreditsAmount', ({ report }) => report.cards.credits.amount],
  ['cardTotalAmount', ({ report }) => report.cards.total],
  ['cardTipAmount', ({ report }) => report.cards.tip],
  ['cardSurchargeAmount', ({ report }) => report.cards.surcharge],
  ['cardTaxAmount', ({ report }) => report.cards.tax],
  ['discountsCount', ({ report }) => report.discounts.count],
  ['discountsAmount', ({ report }) => report.discounts.amount],
  // Together with `floatAmount`, these are `expectedAmount`.
  ['cashSalesAmount', ({ report }) => report.cashSales?.amount ?? null],
  ['cashRefundsAmount', ({ report }) => report.cashRefunds?.amount ?? null],
  ['cashRoundingAmount', ({ report }) => report.cashRounding],
  ['payInsAmount', ({ report }) => report.payIns.amount],
  ['payOutsAmount', ({ report }) => report.payOuts.amount],
  ['salesCount', ({ report }) => report.salesCount],
  ['paymentsCount', ({ report }) => report.paymentsCount],
];

const filterOf = ({ status, drawer, merchantId }: { status?: string; drawer?: string; merchantId?: string }): ShiftFilter => ({
  ...(status === undefined ? {} : { status: status as 'open' | 'closed' }),
  ...(drawer === undefined ? {} : { drawer }),
  ...(merchantId === undefined ? {} : { merchantId }),
});

const shiftTotals = route({
  surface: 'admin',
  tag: 'Register',
  scope: 'merchant',
  method: 'GET',
  permission: 'shifts:read',
  path: '/shifts/totals',
  id: 'admin.getShiftTotals',
  summary: 'Number of the closed shifts of a filter and the sum of their variances, by currency',
  description: 'The filters are those of `GET /shifts`. A variance is the counted less the expected cash.',
  query: Type.Object(FILTERS),
  response: Success(Type.Array(ListTotal)),
  errors: ['INVALID_DATE', ...SCOPE],
  run: async ({ core, actor, query }) => core.shifts.totals(actor, filterOf(query), await datedPageFrom(core, actor, query)),
});

/** Declares the routes of shifts, which are the same on the Public and the Admin surface. */
export function shiftRoutes(surface: 'admin' | 'public'): Route[] {
  const shared = { surface, tag: surface === 'admin' ? 'Register' : 'Public API', scope: 'merchant' } as const;
  const read = { ...shared, method: 'GET', permission: 'shifts:read' } as const;
  const write = { ...shared, method: 'POST', permission: 'shifts:write' } as const;
  const access = { payIn: write, payOut: write, close: write, explain: write };
  const change = { ...write, idempotent: true, params: Params('id'), response: Success(Shift) } as const;
  return [
    ...(surface === 'admin' ? [shiftTotals] : []),
    route({
      ...write,
      path: '/shifts/open',
      id: `${surface}.openShift`,
      summary: 'Open a shift with a counted float',
      description:
        'A drawer has one open shift, or one per person if `shiftPer` of the merchant is `person`. RESOURCE_CONFLICT contains `details.shiftId` of the shift that is open.',
      created: true,
      idempotent: true,
      body: NewShiftBody,
      response: Success(Shift),
      errors: [...SCOPE, 'RESOURCE_CONFLICT', 'REQUIRED_FIELD_MISSING', 'INVALID_AMOUNT'],
      run: async ({ core, actor, body }) => ({ shift: await core.shifts.open(actor, body) }),
      show: ({ shift }) => shift,
    }),
    route({
      ...read,
      path: '/shifts',
      id: `${surface}.listShifts`,
      summary: 'Shifts, newest first',
      description: 'The expected cash of open shifts requires the permission `shifts:manage`.',
      query: Type.Object({ ...PageQuery, ...FILTERS }),
      response: Paginated(Shift),
      errors: ['INVALID_DATE', ...SCOPE],
      run: async ({ core, actor, query }) => core.shifts.page(actor, filterOf(query), await datedPageFrom(core, actor, query)),
    }),
    route({
      ...read,
      path: '/shifts/current',
      id: `${surface}.getCurrentShift`,
      summary: 'Open shift of a drawer',
      description: 'The shift in which cash at this drawer is counted for the caller; null if none is open.',
      query: Type.Object({
        drawer: Type.Optional(Text(40, 'cash drawer, by name; by default `Drawer 1`')),
        merchantId: MerchantIn,
      }),
      response: Success(CurrentShift),
      errors: SCOPE,
      run: ({ core, actor, query }) => core.shifts.current(actor, query),
      show: (shift) => ({ shift }),
    }),
    datedExport({
      ...read,
      path: '/shifts',
      id: `${surface}.exportShifts`,
      exports: 'shifts',
      summary: 'Shifts as CSV',
      noun: 'shift',
      notes:
        'The `card` columns sum the card and bank payments that `GET /shifts/:id/report` returns in `cards`; for an open shift, those that its Z report would count now.',
      filters: FILTERS,
      columns: COLUMNS,
      timeOf: ({ openedAt }) => openedAt,
      fileName: 'shifts.csv',
      filterOf,
      lines: (core, actor, filter, created) => core.shifts.lines(actor, filter, created),
    }),
    route({
      ...read,
      path: '/shifts/:id',
      id: `${surface}.getShift`,
      summary: 'One shift with its movements',
      description: 'Returns the shift with the money that moved, oldest first, and with what the caller can do with it.',
      params: Params('id'),
      response: Success(withActions('ShiftDetail', ShiftDetail, access)),
      errors: MISSING,
      run: (call) => forCaller(call, access, call.core.shifts.getWithActions(call.actor, call.params.id)),
    }),
    route({
      ...read,
      path: '/shifts/:id/report',
      id: `${surface}.getShiftReport`,
      summary: 'X or Z report of a shift',
      description:
        'The X report of an open shift at this moment, or the Z report of a closed one, as it was stored at the close. `POST /notifications/receipt/print` with `shiftId` returns it for a printer.',
      params: Params('id'),
      response: Success(ShownReport),
      errors: MISSING,
      run: ({ core, actor, params: { id } }) => core.shifts.report(actor, id),
      show: shownReport,
    }),
    route({
      ...change,
      path: '/shifts/:id/pay-in',
      id: `${surface}.payIntoShift`,
      summary: 'Put cash into a drawer',
      description:
        'For example change from the bank. The ledger books it from the own funds. The shift of another person requires `shifts:manage`, if shifts are per person.',
      body: CashMovementBody,
      errors: [...CHANGING, 'PERMISSION_DENIED'],
      run: async ({ core, actor, params: { id }, body }) => ({ shift: await core.shifts.payIn(actor, id, body) }),
      show: ({ shift }) => shift,
    }),
    route({
      ...change,
      path: '/shifts/:id/pay-out',
      id: `${surface}.payOutOfShift`,
      summary: 'Take cash out of a drawer',
      approvable: true,
      description:
        'For example a purchase, or notes that are brought to the safe. The ledger books it to the own funds. At most the expected cash, which `details.expectedAmount` of the refusal names for callers with `shifts:manage`. The shift of another person requires `shifts:manage`, if shifts are per person. The rule `payOutAbove` may require an approval.',
      body: CashMovementBody,
      errors: [...CHANGING, 'PERMISSION_DENIED'],
      run: async ({ core, actor, params: { id }, body }) => ({ shift: await core.shifts.payOut(actor, id, body) }),
      show: ({ shift }) => shift,
    }),
    route({
      ...change,
      path: '/shifts/:id/close',
      id: `${surface}.closeShift`,
      summary: 'Count the cash and close a shift',
      description:
        'The count is blind: the response contains the expected cash and the variance. It cannot be repeated. The Z report gets the next number of the merchant, and the counted cash leaves the drawer. The shift of another person requires `shifts:manage`, if shifts are per person.',
      body: CloseShiftBody,
      errors: [...CHANGING, 'PERMISSION_DENIED'],
      run: async ({ core, actor, params: { id }, body }) => ({ shift: await core.shifts.close(actor, id, body) }),
      show: ({ shift }) => shift,
    }),
    route({
      ...write,
      method: 'PUT',
      path: '/shifts/:id/note',
      id: `${surface}.explainVariance`,
      summary: 'Explain the variance of a closed shift',
      description: 'A note can be written once. The Z report stays as it was printed.',
      params: Params('id'),
      body: ShiftNoteBody,
      response: Success(Shift),
      errors: [...MISSING, 'RESOURCE_CONFLICT', 'REQUIRED_FIELD_MISSING'],
      run: ({ core, actor, params: { id }, body }) => core.shifts.explain(actor, id, body.note),
    }),
  ];
}
