import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { type TenderDetail, useMoneyMutation } from '#renderer/client';
import { LineItemList } from '#renderer/items';
import { amountProblem, decimalText, readAmount, toMinor, writeMoney } from '#renderer/money';
import { usePrintReceipt } from '#renderer/receipt';
import { paymentOfTender, ReceiptBar, useReceiptDelivery } from '#renderer/receipt-delivery';
import { useMay, useMerchant } from '#renderer/session';
import {
  announce,
  CopyText,
  FactList,
  focusField,
  KeyHint,
  MoneyText,
  PanelForm,
  QueryContent,
  ReasonField,
  RecordHeader,
  TimeText,
  useHeadingFocus,
  useShortcuts,
} from '#renderer/ui';
import { useWorkstation } from '#renderer/workstation';
import { refreshCash, refundTender, tenderQuery } from './queries.ts';
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
  const [isRefunding, setRefunding] = useState(false);
  const heading = useHeadingFocus(takesFocus);
  const canRefund = may('tenders:refund') && tender.status !== 'refunded';
  useShortcuts('This payment', canRefund ? [{ keys: 'R', label: 'Refund', run: () => setRefunding(true) }] : []);
  const money = (amount: number | null) => (amount === null ? undefined : writeMoney(amount, tender.currency));
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader amount={tender.amount} currency={tender.currency} status={tender.status} headingRef={heading}>
        <span>{tenderText(tender)}</span>
        <TimeText at={tender.createdAt} timeZone={timezone} />
      </RecordHeader>
      {canRefund && !isRefunding && (
        <Box>
          <Button onClick={() => setRefunding(true)} endIcon={<KeyHint keys="R" />} aria-keyshortcuts="R">
            Refund
          </Button>
        </Box>
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
      <ReceiptBar group="This payment" actions={delivery.actions} onPrint={() => void print({ tender, copy: 'customer' })} />
      {delivery.note}
      {delivery.dialog}
      <LineItemList lines={tender.lineItems} currency={tender.currency} />
      <FactList
        facts={[
          ['Receipt', tender.number],
          ['Amount given', money(tender.amountGiven)],
          ['Change', money(tender.change)],
          ['Discount', tender.discountAmount > 0 && money(tender.discountAmount)],
          ['Tax', tender.taxAmount > 0 && money(tender.taxAmount)],
          ['Refunded', tender.refundedAmount > 0 ? money(tender.refundedAmount) : undefined],
          ['Bank', tender.checkBank],
          ['Customer', tender.customerName ?? tender.customerEmail],
          ['Order', tender.orderId],
          ['Description', tender.description],
          [
            'Invoice',
            tender.invoiceId && (
              <Link key="invoice" component={RouterLink} to={`/invoices/${tender.invoiceId}`} className="mono">
                {tender.invoiceId}
              </Link>
            ),
          ],
          ['Drawer', tender.drawer],
          ['Shift', tender.shiftId && may('shifts:read') && <ShiftLinks key="shift" shiftId={tender.shiftId} />],
          ['Taken by', tender.createdBy],
          ['Discount approved by', tender.discountApprovedBy],
          ['Tender ID', <CopyText key="id" text={tender.tenderId} label="Tender ID" />],
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
    <Box component="section">
      <Typography variant="h3" sx={{ mb: 2 }}>
        Refunds
      </Typography>
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
              {refund.reason && ` · ${refund.reason}`}
              {refund.approvedBy && ` · approved by ${refund.approvedBy}`}
            </Box>
            <MoneyText amount={-refund.amount} currency={refund.currency} sx={{ fontWeight: 600 }} />
            <Tooltip title="Receipt for this refund">
              <IconButton
                size="small"
                aria-label={`Receipt for refund ${refund.number}`}
                onClick={() => void print({ tender, refund, copy: 'customer' })}
              >
                <Printer size={16} aria-hidden />
              </IconButton>
            </Tooltip>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

/** Returns money in the form in which it was received. */
function RefundPanel({ tender, onClose }: { tender: TenderDetail; onClose: () => void }) {
  const { currency, tenderId, kind } = tender;
  const remaining = toMinor(tender.amount, currency) - toMinor(tender.refundedAmount, currency);
  const drawer = useWorkstation((settings) => settings.drawer);
  const printTender = usePrintTender();
  const [text, setText] = useState(decimalText(remaining, currency));
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const read = readAmount(text, currency);
  const isTooMuch = read.kind === 'valid' && toMinor(Number(read.decimal), currency) > remaining;
  const ownProblem = isTooMuch
    ? `Only ${writeMoney(decimalText(remaining, currency), currency)} can still be refunded.`
    : (amountProblem(text, currency) ?? undefined);
  const refunding = useMoneyMutation(
    (amount: string, key) => refundTender(tenderId, { amount, drawer, ...(reason.trim() && { reason: reason.trim() }) }, key),
    {
      onSuccess: async (refund) => {
        announce(`Refunded ${writeMoney(refund.amount, currency)}.`);
        void printTender({ subject: { tender, refund }, isCash: kind === 'cash', reason: `Cash refund ${refund.number}` }, false);
        await refreshCash();
        onClose();
      },
      onError: () => refreshCash(),
    },
  );
  const refusal = refunding.error?.field === 'amount' ? refunding.error.message : undefined;
  const submit = () => {
    setChecked(true);
    if (ownProblem !== undefined || read.kind !== 'valid') return focusField('tender-refund');
    refunding.mutate(read.decimal);
  };
  return (
    <PanelForm
      title="Refund"
      explanation={EXPLANATIONS[kind] ?? ''}
      submitLabel={`Refund ${read.kind === 'valid' ? writeMoney(read.decimal, currency) : ''}`.trim()}
      isDangerous
      isBusy={refunding.isPending}
      failure={refusal === undefined ? refunding.error : null}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        id="tender-refund"
        label={`Amount, ${currency}`}
        value={text}
        autoFocus
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setText(target.value)}
        error={(isChecked && ownProblem !== undefined) || refusal !== undefined}
        helperText={(isChecked ? ownProblem : undefined) ?? refusal ?? `Up to ${writeMoney(decimalText(remaining, currency), currency)}`}
        slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18 } }}
      />
      <ReasonField value={reason} onChange={setReason} />
    </PanelForm>
  );
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  cash: 'Returns cash. The drawer opens.',
  check: 'Returns the check, or its money.',
  other: 'Returns the tender as it was received.',
};
