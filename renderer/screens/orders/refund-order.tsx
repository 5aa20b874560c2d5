import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiFailure, newIdempotencyKey, type OrderDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { amountProblem, decimalText, readAmount, toMinor, writeMoney } from '#renderer/base/money';
import { useWorkstation } from '#renderer/base/workstation';
import { announce, ConfirmDialog, focusField, PanelForm, QueryContent, ReasonField } from '#renderer/kit/ui';
import { paymentText, refreshOrders } from '#renderer/shared/orders';
import { refreshCash, usePrintTender } from '#renderer/shared/tenders';
import { type ProposedRefund, proposalQuery, refundPayment } from './queries.ts';

interface RefundOrderProps {
  readonly order: OrderDetail;
  readonly onClose: () => void;
}

/** Refunds an order by its original payments: the service proposes the shares, and one confirmation refunds all of them. */
export function RefundOrder({ order, onClose }: RefundOrderProps) {
  // `updatedAt` and the refunds change with each refund, and what can still be refunded with them.
  const refunded = order.payments.reduce((sum, { refundedAmount }) => sum + toMinor(refundedAmount, order.currency), 0);
  const all = useQuery(proposalQuery(order.orderId, null, refunded));
  return (
    <QueryContent query={all}>
      {({ refunds }) => <Shares order={order} refundable={refunds} refunded={refunded} onClose={onClose} />}
    </QueryContent>
  );
}

/** The refunds of one confirmation, in minor units. */
interface Refunded {
  readonly refundedMinor: number;
  /** Cash that the clerk hands back. */
  readonly cashMinor: number;
}

interface SharesProps extends RefundOrderProps {
  readonly refundable: readonly ProposedRefund[];
  readonly refunded: number;
}

function Shares({ order, refundable, refunded, onClose }: SharesProps) {
  const { currency, orderId } = order;
  const minor = (amount: number) => toMinor(amount, currency);
  const text = (amount: number) => decimalText(minor(amount), currency);
  const maximum = refundable.reduce((sum, { refundableAmount }) => sum + minor(refundableAmount), 0);
  const [total, setTotal] = useState(decimalText(maximum, currency));
  /** Shares that a person changed, by payment; all others are those of the proposal. */
  const [changed, setChanged] = useState<Readonly<Record<string, string>>>({});
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  /** Refunds whose cash is to be handed back; null if there are none. */
  const [handBack, setHandBack] = useState<Refunded | null>(null);
  /** Keys of refunds whose outcome is not known: a repeated one has no further effect. */
  const keys = useRef(new Map<string, string>());
  const drawer = useWorkstation((settings) => settings.drawer);
  const printTender = usePrintTender();
  const read = readAmount(total, currency);
  const wanted = read.kind === 'valid' && minor(Number(read.decimal)) <= maximum ? read.decimal : null;
  const proposal = useQuery({ ...proposalQuery(orderId, wanted, refunded), enabled: wanted !== null });
  const proposed = new Map(proposal.data?.refunds.map(({ paymentId, amount }) => [paymentId, text(amount)]));
  const place = ({ paymentId }: ProposedRefund) => order.payments.findIndex((payment) => payment.paymentId === paymentId);
  const shares = refundable
    .toSorted((one, other) => place(one) - place(other))
    .map((payment) => {
      const value = changed[payment.paymentId] ?? proposed.get(payment.paymentId) ?? text(0);
      const share = readAmount(value, currency);
      const amount = value.trim() === '' || Number(value) === 0 ? 0 : share.kind === 'valid' ? minor(Number(share.decimal)) : null;
      const limit = t('Up to {{amount}}', { amount: writeMoney(payment.refundableAmount, currency) });
      const isWrong = amount === null || amount > minor(payment.refundableAmount);
      return { payment, value, amount, limit, isWrong };
    });
  const sum = shares.reduce((whole, { amount }) => whole + (amount ?? 0), 0);
  const moneyText = (amount: number) => writeMoney(decimalText(amount, currency), currency);
  const sumText = moneyText(sum);
  const problem = wanted === null ? (amountProblem(total, currency) ?? t('Up to {{amount}}', { amount: moneyText(maximum) })) : undefined;

  const refundAll = async () => {
    setBusy(true);
    setFailure(null);
    const done = new Map<string, number>();
    let cashMinor = 0;
    let name = '';
    let failed: ApiFailure | null = null;
    try {
      for (const { payment, amount } of shares) {
        if (amount === null || amount === 0) continue;
        name = `${payment.paymentId} ${amount}`;
        const key = keys.current.get(name) ?? newIdempotencyKey();
        keys.current.set(name, key);
        const refund = { amount: decimalText(amount, currency), drawer, ...(reason.trim() && { reason: reason.trim() }) };
        const paidOut = await refundPayment(payment, refund, key);
        keys.current.delete(name);
        done.set(payment.paymentId, amount);
        if (paidOut === null || payment.kind !== 'cash') continue;
        cashMinor += minor(paidOut.amount) + minor(paidOut.roundingAmount);
        const subject = { tender: { tenderId: payment.paymentId }, refund: { refundId: paidOut.refundId } };
        void printTender({ subject, isCash: true, reason: `Cash refund ${paidOut.number}` }, false);
      }
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      if (!cause.isUnconfirmed) keys.current.delete(name);
      failed = cause;
    } finally {
      setBusy(false);
      void Promise.all([refreshOrders(), refreshCash()]);
    }
    const refundedMinor = [...done.values()].reduce((whole, amount) => whole + amount, 0);
    if (refundedMinor > 0) announce(t('Refunded {{amount}}.', { amount: moneyText(refundedMinor) }));
    if (failed !== null) {
      setFailure(failed);
      setTotal(decimalText(sum - refundedMinor, currency));
      setChanged(Object.fromEntries(shares.map(({ payment: { paymentId }, value }) => [paymentId, done.has(paymentId) ? text(0) : value])));
    }
    if (cashMinor > 0) setHandBack({ refundedMinor, cashMinor });
    else if (failed === null) onClose();
  };
  const handedBack = () => {
    setHandBack(null);
    if (failure === null) onClose();
  };
  const submit = () => {
    setChecked(true);
    const wrong = shares.find(({ isWrong }) => isWrong);
    if (problem !== undefined) return focusField('order-refund');
    if (wrong) return focusField(`refund-${wrong.payment.paymentId}`);
    if (sum > 0 && proposal.data !== undefined) void refundAll();
  };
  return (
    <>
      {/* The dialog is beside the form, because events of its own form would reach this one. */}
      <PanelForm
        title={t('Refund', { context: 'verb' })}
        explanation={t('Each payment is refunded to its card or account, or paid out at the counter. Change the shares if necessary.')}
        submitLabel={t('Refund {{amount}}', { amount: sumText })}
        isDangerous
        isBusy={isBusy || (wanted !== null && proposal.isPending)}
        failure={failure}
        onSubmit={submit}
        onClose={onClose}
      >
        <TextField
          id="order-refund"
          label={t('Amount, {{currency}}', { currency })}
          value={total}
          autoFocus
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => {
            setTotal(target.value);
            setChanged({});
          }}
          error={isChecked && problem !== undefined}
          helperText={problem ?? t('Up to {{amount}}', { amount: moneyText(maximum) })}
          slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18 } }}
        />
        <Box role="group" aria-label={t('Shares by payment')} sx={{ display: 'grid', gap: 3 }}>
          {shares.map(({ payment, value, limit, isWrong }) => (
            <TextField
              key={payment.paymentId}
              id={`refund-${payment.paymentId}`}
              size="small"
              label={labelOf(order, payment)}
              value={value}
              onFocus={({ target }) => target.select()}
              onChange={({ target }) => setChanged({ ...changed, [payment.paymentId]: target.value })}
              error={isWrong}
              helperText={limit}
              slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18 } }}
            />
          ))}
        </Box>
        <ReasonField value={reason} onChange={setReason} />
      </PanelForm>
      <ConfirmDialog
        title={t('Refunded {{amount}}.', { amount: moneyText(handBack?.refundedMinor ?? 0) })}
        isOpen={handBack !== null}
        submitLabel={t('Done')}
        onSubmit={handedBack}
        onClose={handedBack}
      >
        {t('Hand back {{amount}} in cash.', { amount: moneyText(handBack?.cashMinor ?? 0) })}
      </ConfirmDialog>
    </>
  );
}

function labelOf({ payments }: OrderDetail, { paymentId }: ProposedRefund): string {
  const payment = payments.find((each) => each.paymentId === paymentId);
  return payment === undefined ? paymentId : paymentText(payment);
}
