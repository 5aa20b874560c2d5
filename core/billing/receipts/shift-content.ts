import type { Money } from '#core/kernel';
import { formatMoney, formatTime, plain, plainLines } from '#core/platform/documents';
import type { Merchant } from '#core/processing/merchants';
import type { Anchor } from '#core/records/audit';
import { BANK_ACCOUNT } from '#core/sales/payments';
import type { ReportLine, ShiftReport } from '#core/sales/shifts';
import { brandName } from '#shared/card-brands';
import type { ReceiptContent, ReceiptFact } from './content.ts';
import { type ReceiptTexts, receiptTexts } from './texts.ts';

/** Characters of a hash on paper: too many to find another entry with the same ones. */
const ANCHOR_LENGTH = 16;

interface ShiftReportSubject {
  readonly report: ShiftReport;
  readonly merchant: Merchant;
  readonly isSandbox: boolean;
  readonly isDuplicate: boolean;
  /** The last entry of the audit log when a Z report is printed, so that paper proves what the log was. */
  readonly anchor: Anchor | null;
}

/** Returns the content of an X or Z report for a receipt printer. A Z report is printed from the figures that were stored at the close. */
export function shiftContent({ report, merchant, isSandbox, isDuplicate, anchor }: ShiftReportSubject): ReceiptContent {
  const { language, timezone } = merchant;
  const texts = receiptTexts(language);
  const { shift } = texts;
  const amount = (value: Money) => formatMoney(value, language);
  const time = (at: string) => formatTime(at, timezone, language);
  const lineOf = (label: string, line: ReportLine | null): ReceiptFact[] =>
    line === null || line.count === 0 ? [] : [{ label: `${label} (${line.count})`, value: amount(line.amount) }];
  const moneyOf = (label: string, value: Money | null): ReceiptFact[] => (value === null ? [] : [{ label, value: amount(value) }]);
  const countOf = (label: string, value: number | null): ReceiptFact[] => (value === null ? [] : [{ label, value: String(value) }]);
  const isZ = report.kind === 'z';
  const closed: ReceiptFact[] = isZ
    ? [
        { label: shift.closed, value: time(report.createdAt) },
        { label: shift.closedBy, value: plain(report.closedBy ?? '') },
      ]
    : [{ label: shift.printed, value: time(report.createdAt) }];
  const facts: ReceiptFact[] = [
    { label: shift.drawer, value: plain(report.drawer) },
    { label: shift.opened, value: time(report.openedAt) },
    { label: shift.openedBy, value: plain(report.openedBy) },
    ...closed,
    ...moneyOf(shift.float, report.floatAmount),
    ...lineOf(shift.cashSales, report.cashSales),
    ...lineOf(shift.cashRefunds, report.cashRefunds),
    ...(report.cashRounding?.minor ? moneyOf(shift.cashRounding, report.cashRounding) : []),
    ...lineOf(shift.payIns, report.payIns),
    ...lineOf(shift.payOuts, report.payOuts),
    ...moneyOf(shift.expected, report.expectedAmount),
    ...lineOf(shift.checkSales, report.checkSales),
    ...lineOf(shift.checkRefunds, report.checkRefunds),
    ...lineOf(shift.otherSales, report.otherSales),
    ...lineOf(shift.otherRefunds, report.otherRefunds),
    ...lineOf(shift.giftCardSales, report.giftCardSales),
    ...lineOf(shift.giftCardRefunds, report.giftCardRefunds),
    ...lineOf(shift.giftCardsSold, report.giftCardsSold),
    ...lineOf(shift.giftCardsTakenBack, report.giftCardsTakenBack),
    ...cardFacts(report, texts, amount),
    ...countOf(shift.salesCount, report.salesCount),
    ...countOf(shift.paymentsCount, report.paymentsCount),
    ...moneyOf(shift.netSales, report.netSalesAmount),
    ...lineOf(shift.discounts, report.discounts),
    ...(report.drawerOpenings === 0 ? [] : [{ label: shift.openings, value: String(report.drawerOpenings) }]),
    ...report.denominations
      .filter(({ quantity }) => quantity > 0)
      .map(({ denomination, quantity }) => ({ label: `${denomination} ×`, value: String(quantity) })),
    ...moneyOf(shift.counted, report.countedAmount),
    ...(anchor === null ? [] : [{ label: shift.auditLog, value: `${anchor.position}:${anchor.hash.slice(0, ANCHOR_LENGTH)}` }]),
  ];
  return {
    language,
    name: isZ ? shift.zReport : shift.xReport,
    heading: plain(merchant.name),
    headingLines: [],
    marks: [...(isSandbox ? [texts.marks.sandbox] : []), ...(isDuplicate ? [texts.marks.duplicate] : [])],
    title: isZ ? `${shift.zReport} ${report.zNumber ?? ''}` : shift.xReport,
    facts,
    blanks: [],
    amounts: [],
    total: isZ
      ? { label: shift.variance, value: amount(report.varianceAmount ?? report.floatAmount) }
      : { label: shift.expected, value: report.expectedAmount === null ? shift.afterCount : amount(report.expectedAmount) },
    items: [],
    lines: [],
    signature: { kind: 'line', text: texts.signature },
    copyLine: '',
    footer: plainLines(null),
  };
}

/** Returns the card and bank payments of a report: their kinds, brands and parts, and the tips by person. Lines without a payment are missing. */
function cardFacts({ cards }: ShiftReport, { shift }: ReceiptTexts, amount: (value: Money) => string): ReceiptFact[] {
  const { sales, adjustments, voids, refunds, credits } = cards;
  const lines = [
    { label: shift.cardSales, line: sales },
    { label: shift.cardAdjustments, line: adjustments },
    { label: shift.cardVoids, line: voids },
    { label: shift.cardRefunds, line: refunds },
    { label: shift.cardCredits, line: credits },
  ].filter(({ line }) => line.count > 0);
  if (lines.length === 0) return [];
  const parts = [
    { label: shift.surcharges, part: cards.surcharge },
    { label: shift.taxes, part: cards.tax },
    { label: shift.tips, part: cards.tip },
  ].filter(({ part }) => part.minor !== 0);
  return [
    ...lines.map(({ label, line }) => ({ label: `${label} (${line.count})`, value: amount(line.amount) })),
    ...cards.brands.map((brand) => ({ label: `· ${methodName(brand.brand, shift)}`, value: amount(brand.amount) })),
    { label: shift.cardTotal, value: amount(cards.total) },
    ...parts.map(({ label, part }) => ({ label, value: amount(part) })),
    ...cards.people.map(({ person, ...tips }) => ({ label: `· ${plain(shift.tipsOf(person))}`, value: amount(tips.amount) })),
  ];
}

const methodName = (brand: string, { bankAccounts }: ReceiptTexts['shift']) =>
  brand === BANK_ACCOUNT ? bankAccounts : plain(brandName(brand));
