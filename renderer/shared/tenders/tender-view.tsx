import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import Tooltip from '@mui/material/Tooltip';
import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useState } from 'react';
import { Link as RouterLink, useLocation } from 'react-router';
import type { TenderDetail } from '#renderer/base/client';
import { refusalOf, t } from '#renderer/base/language';
import { amountProblem, decimalText, exponentOf, readAmount, toMinor, writeMoney } from '#renderer/base/money';
import { useWorkstation } from '#renderer/base/workstation';
import { RecordActions, RecordHeader } from '#renderer/kit/record';
import {
  actorText,
  CopyText,
  FactList,
  focusField,
  MoneyText,
  PanelForm,
  QueryContent,
  ReasonField,
  Section,
  TimeText,
  useHeadingFocus,
  useSubmit,
} from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { StoreCreditRefund } from '#renderer/shared/gift-cards';
import { LineItemList } from '#renderer/shared/items';
import { OrderLink } from '#renderer/shared/orders';
import { usePrintReceipt } from '#renderer/shared/receipt';
import { paymentOfTender, recordActionsOf, useReceiptDelivery } from '#renderer/shared/receipt-delivery';
import { cashUnitOf, refundedCash } from '#shared/cash-rounding';
import { refreshCash, refundTender, returnCheck, tenderQuery } from './queries.ts';
import { RoundingNote } from './rounding-note.tsx';
import { ShiftLinks } from './shift-links.tsx';
import { tenderText } from './texts.ts';
import { usePrintTender } from './use-print-tender.ts';

/** Details of a tender with its refunds and receipts. */
export function TenderView({ tenderId, takesFocus }: { tenderId: string; takesFocus: boolean }) {
  const tender = useQuery(tenderQuery(tenderId));
  return <QueryContent query={tender}>{(data) => <Opened tender={data} takesFocus={takesFocus} />}</QueryContent>;
}

function Opened({ tender, takesFocus }: { tender: TenderDetail; takesFocus: boolean }) {
  const { timezone } = useMerchant();
  const may = useMay();
  const print = usePrintReceipt();
  const delivery = useReceiptDelivery(paymentOfTender(tender));
  const { state } = useLocation();
  const heading = useHeadingFocus(takesFocus);
  const isReturned = tender.status === 'returned';
  /** The customer of the store credit that paid was deleted. */
  const isCreditClosed = tender.kind === 'gift_card' && tender.actions.refund.code === 'NOT_REFUNDABLE';
  const returned = tender.refunds.find(({ isReturn }) => isReturn);
  const [isRefunding, setRefunding] = useState(tender.actions.refund.allowed && state?.action === 'refund');
  const [isReturning, setReturning] = useState(false);
  const [isCrediting, setCrediting] = useState(false);
  const money = (amount: number | null) => (amount === null ? undefined : writeMoney(amount, tender.currency));
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader title={{ amount: tender.amount, currency: tender.currency }} status={tender.status} headingRef={heading}>
        <span>{tenderText(tender)}</span>
        <TimeText at={tender.createdAt} timeZone={timezone} />
      </RecordHeader>
      <RecordActions
        group={t('This payment')}
        actions={[
          {
            label: t('Refund', { context: 'verb' }),
            keys: 'R',
            reason: refusalOf(tender.actions.refund),
            isOpen: isRefunding,
            run: () => setRefunding(true),
          },
          // What a gift card paid returns to that card, and a bank can return a check after the credit is spent.
          ...((tender.kind === 'gift_card' && !isCreditClosed) || tender.kind === 'check'
            ? []
            : [
                {
                  label: t('Refund to store credit'),
                  reason: isCreditClosed ? undefined : refusalOf(tender.actions.refund),
                  isOpen: isCrediting,
                  run: () => setCrediting(true),
                },
              ]),
          ...(returned ? [{ label: t('Print return notice'), run: () => void print({ tender, refund: returned, copy: 'customer' }) }] : []),
          ...recordActionsOf(delivery.actions, () => void print({ tender, copy: 'customer' })),
          ...(tender.kind === 'check'
            ? [{ label: t('Record returned check'), reason: refusalOf(tender.actions.return), run: () => setReturning(true) }]
            : []),
        ]}
      />
      {isReturning && (
        <ReturnPanel
          tender={tender}
          onClose={() => {
            setReturning(false);
            heading.current?.focus();
          }}
        />
      )}
      {isRefunding && (
        <RefundPanel
          tender={tender}
          onClose={() => {
            setRefunding(false);
            heading.current?.focus();
          }}
        />
      )}
      {isCrediting && (
        <StoreCreditRefund
          subject={{ paymentId: tender.tenderId }}
          currency={tender.currency}
          maximum={tender.amount - tender.refundedAmount}
          customerId={tender.customerId}
          onClose={() => {
            setCrediting(false);
            heading.current?.focus();
          }}
        />
      )}
      {delivery.note}
      {delivery.dialog}
      <LineItemList lines={tender.lineItems} currency={tender.currency} />
      <FactList
        facts={[
          [t('Receipt'), tender.number],
          [t('Cash rounding'), tender.roundingAmount !== 0 && money(tender.roundingAmount)],
          [t('Amount given'), money(tender.amountGiven)],
          [t('Change', { context: 'cash' }), money(tender.change)],
          [t('Discount'), tender.discountAmount > 0 && money(tender.discountAmount)],
          [t('Tax'), tender.taxAmount > 0 && money(tender.taxAmount)],
          [t('Refunded'), tender.refundedAmount > 0 && !isReturned ? money(tender.refundedAmount) : undefined],
          [t('Returned by the bank'), tender.returnedAt && <TimeText key="returned" at={tender.returnedAt} timeZone={timezone} />],
          [t('Reason for the return'), tender.returnReason],
          [t('Bank'), tender.checkBank],
          [t('Customer'), tender.customerName ?? tender.customerEmail],
          [t('Order'), tender.orderId && <OrderLink key="order" orderId={tender.orderId} />],
          [t('Description'), tender.description],
          [
            t('Invoice'),
            tender.invoiceId && (
              <Link key="invoice" component={RouterLink} to={`/invoices/${tender.invoiceId}`} className="mono">
                {tender.invoiceId}
              </Link>
            ),
          ],
          [t('Drawer'), tender.drawer],
          [t('Shift'), tender.shiftId && may('shifts:read') && <ShiftLinks key="shift" shiftId={tender.shiftId} />],
          [t('Taken by'), tender.createdBy && actorText(tender.createdBy)],
          [t('Discount approved by'), tender.discountApprovedBy],
          [t('Payment ID'), <CopyText key="id" text={tender.tenderId} label={t('Payment ID')} />],
        ]}
      />
      {tender.refunds.length > 0 && <Refunds tender={tender} />}
    </Box>
  );
}

function Refunds({ tender }: { tender: TenderDetail }) {
  const { timezone } = useMerchant();
  const print = usePrintReceipt();
  return (
    <Section title={t('Refunds')}>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', fontSize: 13 }}>
        {tender.refunds.map((refund) => (
          <Box
            component="li"
            key={refund.refundId}
            sx={(theme) => ({
              display: 'grid',
              gridTemplateColumns: 'minmax(0, 1fr) auto auto',
              gap: 3,
              alignItems: 'center',
              py: 1,
              borderTop: `1px solid ${theme.vars.palette.divider}`,
            })}
          >
            <Box sx={{ color: 'text.secondary' }}>
              {refund.number} · <TimeText at={refund.createdAt} timeZone={timezone} />
              {refund.isReturn && ` · ${tender.kind === 'check' ? t('returned by the bank') : t('match with the bank line undone')}`}
              {refund.giftCardId !== null && ` · ${t('to store credit')}`}
              {refund.roundingAmount !== 0 &&
                ` · ${t('rounding {{amount}}', { amount: writeMoney(refund.roundingAmount, refund.currency) })}`}
              {refund.reason && ` · ${refund.reason}`}
              {refund.approvedBy && ` · ${t('approved by {{person}}', { person: actorText(refund.approvedBy) })}`}
            </Box>
            <MoneyText amount={-refund.amount} currency={refund.currency} sx={{ fontWeight: 600 }} />
            {!refund.isReturn && (
              <Tooltip title={t('Receipt for this refund')}>
                <IconButton
                  size="small"
                  aria-label={t('Receipt for refund {{number}}', { number: refund.number })}
                  onClick={() => void print({ tender, refund, copy: 'customer' })}
                >
                  <Printer size={16} aria-hidden />
                </IconButton>
              </Tooltip>
            )}
          </Box>
        ))}
      </Box>
    </Section>
  );
}

/** Returns a refund in minor units, with the cash that it returns. */
function cashOf({ currency, refunds, ...tender }: TenderDetail, amount: number, unit: number) {
  const minor = (major: number) => toMinor(major, currency);
  const paid = {
    amount: minor(tender.amount),
    cash: minor(tender.amount) + minor(tender.roundingAmount),
    refunds: refunds.map((refund) => ({
      amount: minor(refund.amount),
      rounding: minor(refund.roundingAmount),
      inCash: refund.giftCardId === null,
    })),
  };
  return { amount, minor: refundedCash(paid, amount, unit) };
}

/** Returns money in the form in which it was received. */
function RefundPanel({ tender, onClose }: { tender: TenderDetail; onClose: () => void }) {
  const { currency, tenderId, kind } = tender;
  const isTransfer = kind === 'other' && tender.invoiceId !== null && tender.name === 'Bank transfer';
  const remaining = toMinor(tender.amount, currency) - toMinor(tender.refundedAmount, currency);
  const unit = cashUnitOf(useMerchant().vtSettings.cashRounding, currency, exponentOf(currency));
  const drawer = useWorkstation((settings) => settings.drawer);
  const printTender = usePrintTender();
  const [text, setText] = useState(decimalText(remaining, currency));
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const read = readAmount(text, currency);
  const isTooMuch = read.kind === 'valid' && toMinor(Number(read.decimal), currency) > remaining;
  const ownProblem = isTooMuch
    ? t('Only {{amount}} can still be refunded.', { amount: writeMoney(decimalText(remaining, currency), currency) })
    : (amountProblem(text, currency) ?? undefined);
  const refunding = useSubmit({
    send: (amount: string, key) => refundTender(tenderId, { amount, drawer, ...(reason.trim() && { reason: reason.trim() }) }, key),
    refreshFirst: refreshCash,
    announcement: (refund) => t('Refunded {{amount}}.', { amount: writeMoney(refund.amount, currency) }),
    onDone: (refund) => {
      void printTender({ subject: { tender, refund }, isCash: kind === 'cash', reason: `Cash refund ${refund.number}` }, false);
      onClose();
    },
    onClose,
  });
  const refusal = refunding.failure?.field === 'amount' ? refunding.failure.message : undefined;
  const cash =
    kind === 'cash' && read.kind === 'valid' && !isTooMuch ? cashOf(tender, toMinor(Number(read.decimal), currency), unit) : null;
  const submit = () => {
    setChecked(true);
    if (ownProblem !== undefined || read.kind !== 'valid') return focusField('tender-refund');
    refunding.onSubmit(read.decimal);
  };
  return (
    <PanelForm
      {...refunding}
      title={t('Refund', { context: 'verb' })}
      explanation={
        isTransfer
          ? t('Transfer the money from your bank. The line of the transfer on your bank statement is then suggested as this refund.')
          : (EXPLANATIONS[kind] ?? '')
      }
      submitLabel={
        read.kind === 'valid' ? t('Refund {{amount}}', { amount: writeMoney(read.decimal, currency) }) : t('Refund', { context: 'verb' })
      }
      isDangerous
      failure={refusal === undefined ? refunding.failure : null}
      onSubmit={submit}
    >
      <TextField
        id="tender-refund"
        label={t('Amount, {{currency}}', { currency })}
        value={text}
        autoFocus
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setText(target.value)}
        error={(isChecked && ownProblem !== undefined) || refusal !== undefined}
        helperText={
          (isChecked ? ownProblem : undefined) ??
          refusal ??
          t('Up to {{amount}}', { amount: writeMoney(decimalText(remaining, currency), currency) })
        }
        slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18 } }}
      />
      {cash !== null && <RoundingNote roundingMinor={cash.minor - cash.amount} dueMinor={cash.minor} currency={currency} />}
      <ReasonField value={reason} onChange={setReason} />
    </PanelForm>
  );
}

/** Records that the bank did not pay a check. */
function ReturnPanel({ tender: { tenderId, invoiceId }, onClose }: { tender: TenderDetail; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const returning = useSubmit({
    send: (_, key) => returnCheck(tenderId, { ...(reason.trim() && { reason: reason.trim() }) }, key),
    refreshFirst: refreshCash,
    announcement: t('The returned check was recorded.'),
    onClose,
  });
  return (
    <PanelForm
      {...returning}
      title={t('Record returned check')}
      explanation={
        invoiceId === null
          ? t('The bank did not pay this check. Its amount is taken off the sales, and the customer still owes it.')
          : t('The bank did not pay this check. Its amount is taken off the sales, and the invoice is open again.')
      }
      submitLabel={t('Record returned check')}
      isDangerous
    >
      <ReasonField value={reason} onChange={setReason} />
    </PanelForm>
  );
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  cash: t('Returns cash. The drawer opens.'),
  check: t('Returns the check, or its money.'),
  other: t('Returns the payment as it was received.'),
};
