import { expect } from 'vitest';
import { type Answer, expectData } from '../../../support/server.ts';
import type { CardTotalsRecord, ShiftReportRecord } from '../../../support/tenders.ts';
import {
  addParts,
  allFigures,
  cardNet,
  type Day,
  expectedCash,
  type Figures,
  type LineName,
  type ModelShift,
  major,
  minorOf,
  noFigures,
  sumOf,
  sumParts,
  TENDER_KINDS,
  tenderNet,
} from './model.ts';

type Cards = CardTotalsRecord & { surchargeAmount: number };

const line = ({ lines }: Figures, name: LineName) => ({ count: lines[name].count, amount: major(lines[name].minor) });

/** Tips by person as reports list them; a person whose tips were all returned may be missing. */
const tipsOf = (tips: ReadonlyMap<string, number>) =>
  [...tips].filter(([, minor]) => minor !== 0).sort(([left], [right]) => (left < right ? -1 : 1));

/** Checks the Z report of a closed shift and the movements that the shift lists. */
export async function checkShift({ service: { api } }: Day, shift: ModelShift): Promise<ShiftReportRecord> {
  const { shiftId, figures, floatMinor, countedMinor } = shift;
  const report = await expectData(api.admin.get<ShiftReportRecord>(`/shifts/${shiftId}/report`));
  const names = ['payIns', 'payOuts', 'cashSales', 'cashRefunds', 'checkSales', 'checkRefunds', 'otherSales', 'otherRefunds'] as const;
  const cards = report.cards as Cards;
  expect(report).toMatchObject({
    kind: 'z',
    floatAmount: major(floatMinor),
    ...Object.fromEntries(names.map((name) => [name, line(figures, name)])),
    expectedAmount: major(expectedCash(shift)),
    countedAmount: major(countedMinor ?? 0),
    varianceAmount: major((countedMinor ?? 0) - expectedCash(shift)),
    netSalesAmount: major(cardNet([figures]) + tenderNet([figures])),
  });
  expect(cards).toMatchObject({
    sales: line(figures, 'cardSales'),
    adjustments: line(figures, 'cardAdjustments'),
    voids: line(figures, 'cardVoids'),
    refunds: line(figures, 'cardRefunds'),
    credits: line(figures, 'cardCredits'),
    totalAmount: major(cardNet([figures])),
    tipAmount: major(figures.cardParts.tip),
    surchargeAmount: major(figures.cardParts.surcharge),
    taxAmount: major(figures.cardParts.tax),
  });
  expect(cards.brands.reduce((sum, { amount }) => sum + minorOf(amount), 0)).toBe(cardNet([figures]));
  expect(tipsOf(new Map(cards.tips.map(({ person, amount }) => [person, minorOf(amount)])))).toEqual(tipsOf(figures.tips));
  const { movements } = await expectData(api.admin.get<{ movements: { kind: string; amount: number }[] }>(`/shifts/${shiftId}`));
  for (const [kind, name] of Object.entries(KINDS_OF_MOVEMENTS)) {
    const own = movements.filter((movement) => movement.kind === kind);
    expect([kind, own.length, own.reduce((sum, { amount }) => sum + minorOf(amount), 0)]).toEqual([
      kind,
      figures.lines[name].count,
      figures.lines[name].minor,
    ]);
  }
  return report;
}

const KINDS_OF_MOVEMENTS: Readonly<Record<string, LineName>> = {
  pay_in: 'payIns',
  pay_out: 'payOuts',
  cash_sale: 'cashSales',
  cash_refund: 'cashRefunds',
  check_sale: 'checkSales',
  check_refund: 'checkRefunds',
  other_sale: 'otherSales',
  other_refund: 'otherRefunds',
  card_sale: 'cardSales',
  card_adjustment: 'cardAdjustments',
  card_void: 'cardVoids',
  card_refund: 'cardRefunds',
  card_credit: 'cardCredits',
};

/** Checks the daily close: totals, tenders, tips, and the Z report, open shift or rest that each cent belongs to. */
export async function checkDailyClose(day: Day): Promise<void> {
  const { api } = day.service;
  const query = `?merchantId=${day.merchantId}`;
  const all = allFigures(day);
  const closed = day.shifts.filter(({ countedMinor }) => countedMinor !== null);
  const closedFigures = closed.map(({ figures }) => figures);
  const openFigures = [...day.open.values()].map(({ figures }) => figures);
  const net = (figures: readonly Figures[]) => cardNet(figures) + tenderNet(figures);
  const parts = partsOfDay(day);
  const cardSales = sumOf(all, 'cardSales', 'cardAdjustments') - sumOf(all, 'cardVoids');
  const sales = cardSales + sumOf(all, 'cashSales', 'checkSales', 'otherSales');
  const refunds = sumOf(all, 'cardRefunds', 'cashRefunds', 'checkRefunds', 'otherRefunds');
  const summary = await expectData(
    api.admin.get<{
      byMethod: { amount: number }[];
      byBrand: { amount: number }[];
      byType: { key: string; count: number; amount: number }[];
      tipsByPerson: { person: string; net: number }[];
    }>(`/reporting/daily-summary${query}`),
  );
  expect(summary).toMatchObject({
    salesAmount: major(sales),
    refundsCount: day.refunds,
    refundsAmount: major(refunds),
    voidsCount: day.payments.filter(({ status }) => status === 'voided').length,
    declinedCount: day.declined,
    tipsAmount: major(parts.tip),
    surchargesAmount: major(parts.surcharge),
    taxesAmount: major(parts.tax),
    feesAmount: 0,
    netAmount: major(sales - refunds),
    tenders: [
      ...TENDER_KINDS.map((kind) => ({
        kind,
        salesCount: all.reduce((sum, { lines }) => sum + lines[`${kind}Sales`].count, 0),
        salesAmount: major(sumOf(all, `${kind}Sales`)),
        refundsCount: all.reduce((sum, { lines }) => sum + lines[`${kind}Refunds`].count, 0),
        refundsAmount: major(sumOf(all, `${kind}Refunds`)),
      })),
      { kind: 'gift_card', salesCount: 0, salesAmount: 0, refundsCount: 0, refundsAmount: 0 },
    ],
    shifts: {
      openCount: day.open.size,
      closedCount: closed.length,
      floatAmount: major(day.shifts.reduce((sum, { floatMinor }) => sum + floatMinor, 0)),
      payInsAmount: major(sumOf(all, 'payIns')),
      payOutsAmount: major(sumOf(all, 'payOuts')),
      countedAmount: major(closed.reduce((sum, { countedMinor }) => sum + (countedMinor ?? 0), 0)),
      varianceAmount: major(closed.reduce((sum, shift) => sum + (shift.countedMinor ?? 0) - expectedCash(shift), 0)),
      cardsAmount: major(cardNet(closedFigures)),
      payments: {
        zReportsAmount: major(net(closedFigures)),
        fromOtherDaysAmount: 0,
        inOtherReportsAmount: 0,
        openShiftsAmount: major(net(openFigures)),
        lateAmount: 0,
        withoutShiftAmount: major(net([day.outside])),
        totalAmount: major(sales - refunds - day.credits.minor),
      },
    },
  });
  const sumAmounts = (rows: readonly { amount: number }[]) => rows.reduce((sum, { amount }) => sum + minorOf(amount), 0);
  expect([sumAmounts(summary.byMethod), sumAmounts(summary.byBrand)]).toEqual([sales, sales]);
  expect(summary.byType).toContainEqual({ key: 'credit', count: day.credits.count, amount: major(day.credits.minor) });
  const tips = tipsOf(tipsOfDay(day));
  const { people, total } = await expectData(
    api.admin.get<{ people: { person: string; net: number }[]; total: number }>(`/reporting/tips${query}`),
  );
  for (const rows of [people, summary.tipsByPerson])
    expect(tipsOf(new Map(rows.map(({ person, net: own }) => [person, minorOf(own)])))).toEqual(tips);
  expect(minorOf(total)).toBe(parts.tip);
  const { today } = await expectData(api.admin.get<{ today: object }>(`/reporting/today${query}`));
  expect(today).toMatchObject({ salesAmount: major(sales), refundsAmount: major(refunds) });
}

function tipsOfDay(day: Day): Map<string, number> {
  const all = noFigures();
  for (const { createdBy, parts, returnedParts } of day.payments) {
    addParts(all, createdBy, parts, 1);
    addParts(all, createdBy, returnedParts, -1);
  }
  return all.tips;
}

/** Parts of all payments, less those of refunds. The taxes of tenders are among them. */
function partsOfDay({ payments, tenders }: Day) {
  const taken = payments.map(({ parts }) => parts);
  const returned = payments.map(({ returnedParts }) => returnedParts);
  const net = (name: 'tip' | 'surcharge' | 'tax') => sumParts(taken, name) - sumParts(returned, name);
  const taxes = tenders.reduce((sum, { tax, refundedTax }) => sum + tax - refundedTax, 0);
  return { tip: net('tip'), surcharge: net('surcharge'), tax: net('tax') + taxes };
}

/** Checks the accounts of the ledger after all shifts were closed. */
export async function checkLedger(day: Day): Promise<void> {
  const { service, merchantId } = day;
  const all = allFigures(day);
  const parts = partsOfDay(day);
  const cards = cardNet(all) + day.credits.minor;
  const tenderOf = (kind: (typeof TENDER_KINDS)[number]) => sumOf(all, `${kind}Sales`) - sumOf(all, `${kind}Refunds`);
  const variance = day.shifts.reduce((sum, shift) => sum + (shift.countedMinor ?? 0) - expectedCash(shift), 0);
  const ledger = await expectData(service.api.admin.get(`/settlement/ledger?merchantId=${merchantId}`));
  expect(ledger).toMatchObject({
    balanced: true,
    merchants: [
      {
        accounts: {
          processor: major(cards - day.credits.minor),
          unsettled: major(-cards),
          credited: major(day.credits.minor),
          tips: major(-parts.tip),
          surcharges: major(-parts.surcharge),
          taxes: major(-parts.tax),
          sales: major(parts.tip + parts.surcharge + parts.tax),
          cash: major(sumOf([day.outside], 'cashSales') - sumOf([day.outside], 'cashRefunds')),
          checks: major(tenderOf('check')),
          otherTenders: major(tenderOf('other')),
          tenderSales: major(-TENDER_KINDS.reduce((sum, kind) => sum + tenderOf(kind), 0)),
          cashDifferences: major(-variance),
        },
      },
    ],
  });
}

interface Listed {
  readonly amount: number;
  readonly status: string;
  readonly capturedAmount: number;
  readonly refundedAmount: number;
  readonly tipAmount: number;
  readonly surchargeAmount: number;
  readonly taxAmount: number;
}

/** Checks the lists of transactions, tenders and payments and their CSV files. */
export async function checkLists(day: Day): Promise<void> {
  const { payments, tenders, declined, credits } = day;
  const transactions = await pagesOf<Listed>(day, '/transactions');
  const expected = {
    count: payments.length + declined + credits.count,
    captured: payments.reduce((sum, { captured }) => sum + captured, 0),
    refunded: payments.reduce((sum, { refunded }) => sum + refunded, 0),
    tip: payments.reduce((sum, { parts }) => sum + parts.tip, 0),
    surcharge: payments.reduce((sum, { parts }) => sum + parts.surcharge, 0),
    tax: payments.reduce((sum, { parts }) => sum + parts.tax, 0),
  };
  const credited = transactions.filter((row) => (row as unknown as { type: string }).type === 'credit');
  expect(credited.reduce((sum, { amount }) => sum + minorOf(amount), 0)).toBe(credits.minor);
  expect(figuresOf(transactions)).toEqual(expected);
  expect(figuresOf(await rowsOfCsv(day, '/transactions/export'))).toEqual(expected);
  const tenderFigures = {
    count: tenders.length,
    amount: tenders.reduce((sum, { amount }) => sum + amount, 0),
    refunded: tenders.reduce((sum, { refunded }) => sum + refunded, 0),
    tax: tenders.reduce((sum, { tax }) => sum + tax, 0),
  };
  for (const rows of [await pagesOf<Listed>(day, '/tenders'), await rowsOfCsv(day, '/tenders/export')])
    expect({
      count: rows.length,
      amount: rows.reduce((sum, { amount }) => sum + minorOf(amount), 0),
      refunded: rows.reduce((sum, { refundedAmount }) => sum + minorOf(refundedAmount), 0),
      tax: rows.reduce((sum, { taxAmount }) => sum + minorOf(taxAmount), 0),
    }).toEqual(tenderFigures);
  const together = {
    ...expected,
    count: expected.count + tenderFigures.count,
    captured: expected.captured + tenderFigures.amount,
    refunded: expected.refunded + tenderFigures.refunded,
    tax: expected.tax + tenderFigures.tax,
  };
  const list = await pagesOf<{ transaction: Listed | null; tender: Listed | null }>(day, '/payments');
  const merged = list.map(
    ({ transaction, tender }) => transaction ?? { ...(tender as Listed), status: 'approved', capturedAmount: tender?.amount ?? 0 },
  );
  expect(figuresOf(merged)).toEqual(together);
  expect(figuresOf(await rowsOfCsv(day, '/payments/export'))).toEqual(together);
}

/** Sums the columns of rows; the parts count only where something is captured. */
function figuresOf(rows: readonly Listed[]) {
  const captured = rows.filter(({ status, capturedAmount }) => status !== 'voided' && Number(capturedAmount) > 0);
  const sum = (of: readonly Listed[], name: keyof Listed) => of.reduce((total, row) => total + minorOf(Number(row[name] ?? 0)), 0);
  return {
    count: rows.length,
    captured: sum(captured, 'capturedAmount'),
    refunded: sum(rows, 'refundedAmount'),
    tip: sum(captured, 'tipAmount'),
    surcharge: sum(captured, 'surchargeAmount'),
    tax: sum(captured, 'taxAmount'),
  };
}

/** Returns all entries of a list, read in pages by cursor. */
async function pagesOf<Item>({ service: { api }, merchantId }: Day, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body, text }: Answer<Item[]> = await api.admin.get<Item[]>(
      `${path}?merchantId=${merchantId}&limit=50${cursor && `&cursor=${cursor}`}`,
    );
    expect(status, text).toBe(200);
    items.push(...body.data);
    if (cursor === '') expect(body.pagination.total).toBeGreaterThanOrEqual(items.length);
    cursor = body.pagination.nextCursor;
  }
  return items;
}

/** Returns the rows of a CSV file. */
async function rowsOfCsv({ service: { api }, merchantId }: Day, path: string): Promise<Listed[]> {
  const { status, text } = await api.admin.get(`${path}?merchantId=${merchantId}`);
  expect(status, text).toBe(200);
  const [names = [], ...lines] = text.trim().split('\r\n').map(cellsOf);
  return lines.map((cells) => Object.fromEntries(cells.map((cell, index) => [names[index], cell])) as unknown as Listed);
}

/** Returns the cells of a line; the texts of these files have no line breaks and no quotation marks. */
const cellsOf = (line: string) => [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
