import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ShiftDetail, ShiftReport } from '#renderer/base/client';
import { numberText, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { RecordActions, RecordHeader } from '#renderer/kit/record';
import {
  actorText,
  CopyText,
  FactList,
  fullTime,
  MoneyText,
  PanelForm,
  QueryContent,
  Section,
  TimeText,
  useHeadingFocus,
  useSubmit,
} from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { usePrintReceipt } from '#renderer/shared/receipt';
import { brandText } from '#renderer/shared/reporting';
import { refreshCash, shiftName, shiftQuery } from '#renderer/shared/tenders';
import { explainVariance, shiftReportQuery } from './queries.ts';
import { CloseShiftDialog } from './shift-dialogs.tsx';
import { ShiftMovements } from './shift-movements.tsx';

/** Details of a shift: its report and its movements. */
export function ShiftView({ shiftId, takesFocus }: { shiftId: string; takesFocus: boolean }) {
  const shift = useQuery(shiftQuery(shiftId));
  return <QueryContent query={shift}>{(data) => <Opened shift={data} takesFocus={takesFocus} />}</QueryContent>;
}

function Opened({ shift, takesFocus }: { shift: ShiftDetail; takesFocus: boolean }) {
  const { timezone } = useMerchant();
  const may = useMay();
  const heading = useHeadingFocus(takesFocus);
  const print = usePrintReceipt();
  const navigate = useNavigate();
  const report = useQuery(shiftReportQuery(shift.shiftId));
  const [panel, setPanel] = useState<'note' | 'close'>();
  const isOpen = shift.status === 'open';
  const canExplain = shift.actions.explain.allowed && shift.varianceAmount !== 0;
  const canClose = shift.actions.close.allowed;
  const canList = may('transactions:read');
  const listPayments = () => void navigate(`/transactions?shiftId=${shift.shiftId}`);
  const printReport = () => void print({ shift, copy: 'merchant' });
  const close = () => {
    setPanel(undefined);
    heading.current?.focus();
  };
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader title={shiftName(shift)} status={isOpen ? 'shift_open' : 'shift_closed'} headingRef={heading}>
        <TimeText at={shift.openedAt} timeZone={timezone} />
        {shift.varianceAmount !== null && (
          <span>
            {t('Variance')} <MoneyText amount={shift.varianceAmount} currency={shift.currency} sx={{ fontWeight: 600 }} />
          </span>
        )}
      </RecordHeader>
      <RecordActions
        group={t('This shift')}
        actions={[
          ...(canClose ? [{ label: t('Close shift'), keys: 'C', run: () => setPanel('close') }] : []),
          ...(canExplain ? [{ label: t('Explain variance'), keys: 'N', isOpen: panel === 'note', run: () => setPanel('note') }] : []),
          { label: isOpen ? t('Print X report') : t('Print Z report'), keys: 'P', run: printReport },
          ...(canList ? [{ label: t('List payments'), keys: 'L', run: listPayments }] : []),
        ]}
      />
      {panel === 'note' && <NotePanel shift={shift} onClose={close} />}
      {panel === 'close' && <CloseShiftDialog shift={shift} onClose={close} />}
      <QueryContent query={report}>{(data) => <Report report={data} />}</QueryContent>
      <FactList
        facts={[
          [t('Opened by'), `${actorText(shift.openedBy)}, ${fullTime(shift.openedAt, timezone)}`],
          [t('Closed by'), shift.closedAt && `${actorText(shift.closedBy ?? '')}, ${fullTime(shift.closedAt, timezone)}`],
          [t('Note'), shift.note && `${shift.note} (${shift.noteBy})`],
          [t('Shift ID'), <CopyText key="id" text={shift.shiftId} label={t('Shift ID')} />],
        ]}
      />
      <ShiftMovements shift={shift} />
    </Box>
  );
}

/** Figures of the X or Z report of a shift. */
export function Report({ report }: { report: ShiftReport }) {
  const { currency } = report;
  const money = (amount: number) => writeMoney(amount, currency).replace('-', '−');
  const line = (part: ShiftReport['payIns'] | null) => part && part.count > 0 && `${money(part.amount)} (${part.count})`;
  const isHidden = report.expectedAmount === null;
  return (
    <Section title={report.kind === 'z' ? t('Z report') : t('X report')}>
      <FactList
        facts={[
          [t('Float'), money(report.floatAmount)],
          [t('Cash sales'), isHidden ? t('Shown after the count') : line(report.cashSales)],
          [t('Cash refunds'), line(report.cashRefunds)],
          [t('Cash rounding'), Boolean(report.cashRounding) && money(report.cashRounding ?? 0)],
          [t('Paid in'), line(report.payIns)],
          [t('Paid out', { context: 'cash' }), line(report.payOuts)],
          [t('Expected cash'), isHidden ? t('Shown after the count') : money(report.expectedAmount ?? 0)],
          [t('Counted cash'), report.countedAmount !== null && money(report.countedAmount)],
          [t('Variance'), report.varianceAmount !== null && money(report.varianceAmount)],
          [t('Checks'), line(report.checkSales)],
          [t('Refunded checks'), line(report.checkRefunds)],
          [t('Other methods'), line(report.otherSales)],
          [t('Other refunds'), line(report.otherRefunds)],
          [t('Paid by gift card'), line(report.giftCardSales)],
          [t('Refunded to gift cards'), line(report.giftCardRefunds)],
          [t('Gift cards sold'), line(report.giftCardsSold)],
          [t('Gift cards taken back'), line(report.giftCardsTakenBack)],
          ...cardFacts(report, money),
          [t('Number of sales'), report.salesCount !== null && numberText(report.salesCount)],
          [t('Number of payments'), report.paymentsCount !== null && numberText(report.paymentsCount)],
          [t('Net sales'), report.netSalesAmount !== null && money(report.netSalesAmount)],
          [t('Discounts given'), line(report.discounts)],
          [t('Opened without a sale'), report.drawerOpenings > 0 && String(report.drawerOpenings)],
        ]}
      />
    </Section>
  );
}

type Fact = readonly [label: string, value: string | false];

/** Returns the card and bank payments of a report, with the tips by person; empty without one. */
function cardFacts({ cards }: ShiftReport, money: (amount: number) => string): Fact[] {
  const { sales, adjustments, voids, refunds, credits, brands, tips } = cards;
  if (![sales, adjustments, voids, refunds, credits].some(({ count }) => count > 0)) return [];
  const line = ({ count, amount }: ShiftReport['payIns']) => count > 0 && `${money(amount)} (${count})`;
  return [
    [t('Card sales'), line(sales)],
    [t('Card adjustments'), line(adjustments)],
    [t('Card voids'), line(voids)],
    [t('Card refunds'), line(refunds)],
    [t('Card credits'), line(credits)],
    ...brands.map(({ brand, amount }): Fact => [brandText(brand), money(amount)]),
    [t('Cards, net'), money(cards.totalAmount)],
    [t('Surcharges, cards'), cards.surchargeAmount !== 0 && money(cards.surchargeAmount)],
    [t('Taxes, cards'), cards.taxAmount !== 0 && money(cards.taxAmount)],
    [t('Tips, cards'), cards.tipAmount !== 0 && money(cards.tipAmount)],
    [
      t('Tips by person'),
      tips.length > 0 && tips.map(({ person, amount }) => `${person || t('Unknown person')}: ${money(amount)}`).join(', '),
    ],
  ];
}

function NotePanel({ shift, onClose }: { shift: ShiftDetail; onClose: () => void }) {
  const [note, setNote] = useState('');
  const explaining = useSubmit({
    send: () => explainVariance(shift.shiftId, note.trim()),
    refresh: refreshCash,
    announcement: t('Explanation saved.'),
    onClose,
  });
  return (
    <PanelForm
      {...explaining}
      title={t('Explain variance')}
      explanation={t('The explanation can be written once. The Z report stays as it was printed.')}
      submitLabel={t('Save explanation')}
      onSubmit={() => note.trim() !== '' && explaining.onSubmit()}
    >
      <TextField
        id="variance-note"
        label={t('Explanation')}
        value={note}
        onChange={({ target }) => setNote(target.value)}
        autoFocus
        slotProps={{ htmlInput: { maxLength: 500, autoComplete: 'off' } }}
      />
    </PanelForm>
  );
}
