import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useEffect } from 'react';
import { Link as RouterLink } from 'react-router';
import { serviceText, t } from '#renderer/base/language';
import { RecordActions, RecordHeader } from '#renderer/kit/record';
import { actorText, CopyText, FactList, fullTime, MoneyText, useHeadingFocus } from '#renderer/kit/ui';
import { useMay, useMe, useMerchant } from '#renderer/session/user';
import { customerOf, paidWith } from '#renderer/shared/receipt';
import { causeOf } from './causes.ts';
import { NotePanel } from './note-panel.tsx';
import type { KeyedLine } from './texts.ts';

interface LineViewProps {
  readonly line: KeyedLine;
  readonly takesFocus: boolean;
  readonly isNoting: boolean;
  readonly onNoting: (isNoting: boolean) => void;
  readonly onResolved: (goesOn: boolean, resolvedAt: string | null) => void;
}

/** Names of the kinds of lines. */
const KINDS = { capture: t('Payment'), refund: t('Refund (negative amounts)'), chargeback: t('Chargeback (negative amounts)') } as const;

/** One line: both amounts, the probable cause and the note of a user. */
export function LineView({ line, takesFocus, isNoting, onNoting, onResolved }: LineViewProps) {
  const may = useMay();
  const canNote = may('settlement:write') && line.status === 'open' && line.id !== null;
  const heading = useHeadingFocus(takesFocus && !(isNoting && canNote));
  const cause = causeOf(line);
  const isNoteObsolete = isNoting && !canNote;
  // The focused field disappears when another user resolves the line.
  useEffect(() => {
    if (isNoteObsolete) heading.current?.focus();
  }, [isNoteObsolete, heading]);
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader title={cause?.brief ?? t('Both sides match')} status={line.status} of="line" headingRef={heading}>
        <span>{KINDS[line.kind as keyof typeof KINDS]}</span>
      </RecordHeader>
      <Sides line={line} />
      {line.status === 'resolved' ? (
        <Explanation line={line} />
      ) : (
        cause && (
          <Box sx={(theme) => ({ p: 4, border: `1px dashed ${theme.vars.palette.outline}`, borderRadius: 1, fontSize: 14 })}>
            <strong>{t('Probable cause:')}</strong> {cause.long}
          </Box>
        )
      )}
      <RecordActions
        group={t('This line')}
        actions={canNote ? [{ label: t('Note and resolve'), keys: 'N', isOpen: isNoting, run: () => onNoting(true) }] : []}
      />
      {canNote && isNoting && line.id !== null && (
        <NotePanel
          discrepancyId={line.id}
          suggestion={cause?.note}
          onResolved={(goesOn, resolvedAt) => {
            onResolved(goesOn, resolvedAt);
            if (!goesOn) heading.current?.focus();
          }}
          onClose={() => {
            onNoting(false);
            heading.current?.focus();
          }}
        />
      )}
      <Facts line={line} />
    </Box>
  );
}

/** Paydesk's amount, the difference and the processor's amount. */
function Sides({ line: { transactionAmount, settledAmount, difference, currency } }: { line: KeyedLine }) {
  const side = (name: string, amount: number | null, none: string) => (
    <Box sx={{ minWidth: 0 }}>
      <Box component="dt" sx={{ fontSize: 12, fontWeight: 550, color: 'text.secondary' }}>
        {name}
      </Box>
      <Box component="dd" sx={{ m: 0, fontSize: 20, lineHeight: '28px', fontWeight: 600 }}>
        {amount === null ? none : <MoneyText amount={amount} currency={currency} code />}
      </Box>
    </Box>
  );
  return (
    <Box
      component="dl"
      aria-label={t('Comparison')}
      sx={(theme) => ({
        m: 0,
        p: 4,
        display: 'grid',
        gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
        gap: 4,
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
      })}
    >
      {side('Paydesk', transactionAmount, t('Missing'))}
      {side(t('Difference'), difference, '–')}
      {side(t('Processor'), settledAmount, t('Missing'))}
    </Box>
  );
}

/** Note, user and time of the resolution. */
function Explanation({ line: { note, resolvedBy, resolvedAt } }: { line: KeyedLine }) {
  const { timezone } = useMerchant();
  return (
    <Alert severity="success">
      <Box sx={{ overflowWrap: 'anywhere' }}>{note && serviceText(note)}</Box>
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
        {actorText(resolvedBy ?? '')}
        {resolvedAt && `, ${fullTime(resolvedAt, timezone)}`}
      </Box>
    </Alert>
  );
}

function Facts({ line: { transactionId, refundId, settlementReference, merchantId, payment } }: { line: KeyedLine }) {
  const may = useMay();
  const { merchants } = useMe();
  const { timezone } = useMerchant();
  return (
    <FactList
      facts={[
        [t('Customer'), customerOf(payment)],
        [t('Paid with'), payment && paidWith(payment)],
        [t('Order'), payment?.orderId],
        [t('Time'), payment && fullTime(payment.createdAt, timezone)],
        [
          t('Transaction'),
          transactionId !== null &&
            (may('transactions:read') ? (
              <Link key="transaction" component={RouterLink} to={`/transactions/${transactionId}`} className="mono">
                {transactionId}
              </Link>
            ) : (
              <CopyText key="transaction" text={transactionId} label={t('Transaction ID')} />
            )),
        ],
        [t('Refund'), refundId && <CopyText key="refund" text={refundId} label={t('Refund ID')} />],
        [t('Processor reference'), settlementReference && <CopyText key="reference" text={settlementReference} label={t('Reference')} />],
        [t('Merchant'), merchants.length > 1 && merchants.find((merchant) => merchant.merchantId === merchantId)?.name],
      ]}
    />
  );
}
