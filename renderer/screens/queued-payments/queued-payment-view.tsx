import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { QueuedPayment } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { RecordActions, RecordHeader } from '#renderer/kit/record';
import { actorText, CopyText, FactList, MoneyText, PanelForm, QueryContent, TimeText, useHeadingFocus, useSubmit } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { LineItemList } from '#renderer/shared/items';
import { cancel, queuedPaymentQuery, refreshQueuedPayments, release, replaceByLink } from './queries.ts';
import { methodText, nextStepText } from './texts.ts';

/** Details of a payment that is charged later, with the decisions of a person. */
export function QueuedPaymentView({ queuedPaymentId, takesFocus }: { queuedPaymentId: string; takesFocus: boolean }) {
  const payment = useQuery(queuedPaymentQuery(queuedPaymentId));
  return <QueryContent query={payment}>{(data) => <Opened payment={data} takesFocus={takesFocus} />}</QueryContent>;
}

const DECISIONS = [
  {
    keys: 'C',
    label: t('Charge now'),
    effect: (money: string, method: string) => t('Charges {{money}} to {{method}} now.', { money, method }),
    run: release,
  },
  {
    keys: 'L',
    label: t('Make payment link'),
    effect: (money: string) =>
      t('Makes a payment link of {{money}} in place of this payment, which is no longer charged. You can’t undo this.', { money }),
    run: replaceByLink,
  },
  {
    keys: 'X',
    label: t('Cancel payment'),
    effect: (money: string) => t('{{money}} is not charged. You can’t undo this.', { money }),
    run: cancel,
    isDangerous: true,
  },
] as const;
type Decision = (typeof DECISIONS)[number];
const OPEN: ReadonlySet<string> = new Set(['waiting', 'declined', 'expired']);

function Opened({ payment, takesFocus }: { payment: QueuedPayment; takesFocus: boolean }) {
  const { timezone } = useMerchant();
  const may = useMay();
  const heading = useHeadingFocus(takesFocus);
  const { queuedPaymentId: id } = payment;
  const [asked, setAsked] = useState<Decision>();
  const close = () => {
    setAsked(undefined);
    deciding.reset();
    heading.current?.focus();
  };
  const deciding = useSubmit({
    send: ({ run }: Decision) => run(id),
    refresh: refreshQueuedPayments,
    announcement: nextStepText,
    onClose: close,
  });
  const decisions = may('queued-payments:release') && OPEN.has(payment.status) ? DECISIONS : [];
  const { transactionId, invoiceId } = payment;
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader
        title={{ amount: payment.amount, currency: payment.currency }}
        status={payment.status}
        headingRef={heading}
        note={nextStepText(payment)}
      >
        <span>{methodText(payment)}</span>
      </RecordHeader>
      <RecordActions
        group={t('This payment')}
        actions={decisions.map((decision) => ({
          keys: decision.keys,
          label: decision.label,
          isDangerous: 'isDangerous' in decision,
          isOpen: asked === decision,
          run: () => setAsked(decision),
        }))}
      />
      {asked && (
        <PanelForm
          {...deciding}
          key={asked.keys}
          title={asked.label}
          explanation={asked.effect(writeMoney(payment.amount, payment.currency), methodText(payment))}
          submitLabel={asked.label}
          isDangerous={'isDangerous' in asked}
          onSubmit={() => deciding.onSubmit(asked)}
          focusesSubmit
        />
      )}
      <FactList
        facts={[
          [
            t('Discount'),
            payment.discountAmount > 0 && <MoneyText key="discount" amount={payment.discountAmount} currency={payment.currency} />,
          ],
          [t('Tip'), payment.tipAmount > 0 && <MoneyText key="tip" amount={payment.tipAmount} currency={payment.currency} />],
          [t('Sales tax'), payment.taxAmount > 0 && <MoneyText key="tax" amount={payment.taxAmount} currency={payment.currency} />],
          [t('Customer'), payment.customerName],
          [t('Order'), payment.orderId],
          [t('Description'), payment.description],
          [
            t('Payment'),
            transactionId && (
              <Link key="payment" component={RouterLink} to={`/transactions/${transactionId}`} className="mono">
                {transactionId}
              </Link>
            ),
          ],
          [
            t('Payment link'),
            invoiceId && (
              <Link key="link" component={RouterLink} to={`/invoices/${invoiceId}?tab=links`} className="mono">
                {invoiceId}
              </Link>
            ),
          ],
          [t('Queued'), <TimeText key="queued" at={payment.createdAt} timeZone={timezone} />],
          [t('Queued by'), actorText(payment.createdBy)],
          [t('Changed by'), payment.changedBy && actorText(payment.changedBy)],
          [t('Expires'), OPEN.has(payment.status) && <TimeText key="expires" at={payment.expiresAt} timeZone={timezone} />],
          ['ID', <CopyText key="id" text={id} label="ID" />],
        ]}
      />
      <LineItemList lines={payment.lineItems} currency={payment.currency} />
    </Box>
  );
}
