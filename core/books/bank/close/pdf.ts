import type { GiftCardReport } from '#core/books/reporting';
import type { Money } from '#core/kernel';
import { brandOf, createPdf, formatAmount, formatDay, formatMoney, formatTime, readableColor } from '#core/platform/documents';
import type { Merchant } from '#core/processing/merchants';
import type { CloseFigure, PeriodClose } from '../records.ts';

const WHITE = '#ffffff';
const AMOUNT_PT = 88;
const NAMES: Readonly<Record<CloseFigure['name'], string>> = {
  sales: 'Settled sales less refunds',
  disputes: 'Disputes',
  fees: 'Fees',
  payouts: 'Paid out',
  bank: 'Bank account',
};
const STATES: Readonly<Record<CloseFigure['state'], string>> = {
  none: '',
  balanced: 'Balanced',
  explained: 'Explained',
  transit: 'In transit',
  open: 'Open',
};

/** Returns the movements of gift cards with the amount that is owed at the end; none if there is nothing to show. */
function giftCardLines({ totals, openingAmount }: GiftCardReport): readonly (readonly [string, Money])[] {
  const lines = [
    ['Owed at the beginning', openingAmount],
    ['Issued', totals.issuedAmount],
    ['Reloaded', totals.reloadedAmount],
    ['Imported', totals.importedAmount],
    ['Redeemed', totals.redeemedAmount],
    ['Refunded to cards', totals.refundedAmount],
    ['Taken back', totals.takenBackAmount],
    ['Expired', totals.expiredAmount],
    ['Reinstated', totals.reinstatedAmount],
  ] as const;
  const moved = lines.filter(([, { minor }]) => minor !== 0);
  return moved.length === 0 ? [] : [...moved, ['Owed at the end', totals.openAmount]];
}

/** Returns the close of a period as a PDF on letter paper: the three sides, gift cards, adjustments, and who closed it when. */
export function closePdf(close: PeriodClose, giftCards: GiftCardReport, merchant: Merchant): Promise<Buffer> {
  const brand = brandOf(merchant);
  const title = `Period close ${close.period}`;
  const color = readableColor(brand.primaryColor, WHITE);
  const head = { background: color, textColor: WHITE };
  const amount = (money: Money | null) => (money === null ? '–' : formatAmount(money, 'en'));
  const documentOptions = {
    title,
    author: brand.companyName,
    language: 'en',
    footer: (page: number, pages: number) => `${title} · ${page}/${pages}`,
  } as const;
  return createPdf(documentOptions, (sheet) => {
    sheet.band(brand.primaryColor, 8);
    sheet.text(brand.companyName, { size: 16, font: 'strong', color, tag: 'H1' });
    sheet.text(
      close.startDate === close.endDate
        ? `Close of ${formatDay(close.startDate, 'en')}`
        : `Close of ${formatDay(close.startDate, 'en')} to ${formatDay(close.endDate, 'en')}`,
      { color: 'quiet' },
    );
    sheet.skip(12);
    for (const currency of new Set(close.figures.map((figure) => figure.currency))) {
      sheet.text(`Figures in ${currency}`, { size: 12, font: 'strong', tag: 'H2' });
      sheet.skip(4);
      sheet.table(
        [
          { title: 'Figure' },
          { title: 'Own ledger', width: AMOUNT_PT, align: 'right' },
          { title: 'Processor', width: AMOUNT_PT, align: 'right' },
          { title: 'Bank', width: AMOUNT_PT, align: 'right' },
          { title: 'Difference', width: AMOUNT_PT, align: 'right' },
          { title: 'State', width: 64 },
        ],
        close.figures
          .filter((figure) => figure.currency === currency)
          .map((figure) => [
            NAMES[figure.name],
            amount(figure.ledger),
            amount(figure.processor),
            amount(figure.bank),
            amount(figure.difference),
            // Fees and disputes have no other side to agree with.
            figure.processor === null && figure.bank === null ? '' : STATES[figure.state],
          ]),
        head,
      );
      sheet.skip(12);
    }
    if (close.figures.length === 0) sheet.text('Nothing was settled, paid out or booked by the bank in this period.');
    for (const { amount: sum } of close.unrelated)
      sheet.text(`Bank lines unrelated to payments: ${formatMoney(sum, 'en')}.`, { color: 'quiet' });
    const owed = giftCardLines(giftCards);
    if (owed.length > 0) {
      sheet.text(`Gift cards and store credit in ${giftCards.currency}`, { size: 12, font: 'strong', tag: 'H2' });
      sheet.skip(4);
      sheet.table(
        [{ title: 'Movement' }, { title: 'Amount', width: 120, align: 'right' }],
        owed.map(([name, sum]) => [name, amount(sum)]),
        head,
      );
      sheet.skip(12);
    }
    if (close.adjustments.length > 0) {
      sheet.text('Adjustments of closed periods', { size: 12, font: 'strong', tag: 'H2' });
      sheet.table(
        [{ title: 'Period' }, { title: 'Figure', width: 200 }, { title: 'Amount', width: 120, align: 'right' }],
        close.adjustments.map(({ period, name, side, amount: change }) => [period, `${NAMES[name]}, ${side}`, formatMoney(change, 'en')]),
        head,
      );
      sheet.skip(12);
    }
    sheet.text('History', { size: 12, font: 'strong', tag: 'H2' });
    for (const { closedAt, closedBy, reopenedAt, reopenedBy, reason } of close.history) {
      sheet.text(`Closed by ${closedBy} on ${formatTime(closedAt, merchant.timezone, 'en')}.`);
      if (reopenedAt !== null)
        sheet.text(`Reopened by ${reopenedBy} on ${formatTime(reopenedAt, merchant.timezone, 'en')}: ${reason}`, { color: 'quiet' });
    }
    if (close.history.length === 0) sheet.text('This period is open. Its figures can still change.', { color: 'quiet' });
  });
}
