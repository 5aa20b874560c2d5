import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink, useParams } from 'react-router';
import type { OrderDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { RecordActions, RecordHeader } from '#renderer/kit/record';
import { actorText, CopyText, FactList, MoneyText, QueryContent, Screen, Section, TimeText, useHeadingFocus } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { StoreCreditRefund } from '#renderer/shared/gift-cards';
import { LineItemList } from '#renderer/shared/items';
import { orderQuery, paymentText } from '#renderer/shared/orders';
import { usePrintReceipt } from '#renderer/shared/receipt';
import { paymentOfOrder, recordActionsOf, useReceiptDelivery } from '#renderer/shared/receipt-delivery';
import { RefundOrder } from './refund-order.tsx';

/** One sale with several payments: its payments, its receipt and its refund. */
export function OrderScreen() {
  const { orderId = '' } = useParams();
  const order = useQuery(orderQuery(orderId));
  return (
    <Screen title={t('Sale')}>
      <Box
        sx={(theme) => ({
          maxWidth: 720,
          px: { xs: 5, md: 6 },
          py: 4,
          border: `1px solid ${theme.vars.palette.divider}`,
          borderRadius: 1,
          backgroundColor: theme.vars.palette.background.paper,
        })}
      >
        <QueryContent query={order}>{(data) => <Opened key={data.orderId} order={data} />}</QueryContent>
      </Box>
    </Screen>
  );
}

type Payment = OrderDetail['payments'][number];

/** Returns true for a payment whose money was taken, and not only voided. */
const wasTaken = ({ state, returnedAmount, shareAmount, refundedAmount }: Payment) =>
  state === 'paid' && (returnedAmount < shareAmount || refundedAmount > 0);

function Opened({ order }: { order: OrderDetail }) {
  const { timezone } = useMerchant();
  const may = useMay();
  const print = usePrintReceipt();
  const delivery = useReceiptDelivery(paymentOfOrder(order));
  const heading = useHeadingFocus(true);
  const [isRefunding, setRefunding] = useState(false);
  const [isCrediting, setCrediting] = useState(false);
  const { currency } = order;
  const money = (amount: number) => amount > 0 && writeMoney(amount, currency);
  const taken = order.payments.filter(wasTaken);
  const { storeCreditForCards } = useMerchant().vtSettings;
  // What a gift card paid returns to that card. Banks can return bank payments and checks after the credit is spent.
  const creditable = taken.filter(
    ({ kind, amount, refundedAmount }) => refundedAmount < amount && !['gift_card', 'ach', 'check'].includes(kind),
  );
  const canCredit = creditable.length > 0 && (storeCreditForCards || creditable.every(({ kind }) => kind !== 'card'));
  const canRefund = taken.some(({ amount, refundedAmount }) => refundedAmount < amount);
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader title={{ amount: order.amount, currency }} status={order.status} headingRef={heading} of="order">
        <span>{[order.name, order.number].filter(Boolean).join(', ')}</span>
        <TimeText at={order.createdAt} timeZone={timezone} />
      </RecordHeader>
      {taken.length > 0 && (
        <RecordActions
          group={t('This sale')}
          actions={[
            ...(may('refunds:write')
              ? [
                  {
                    label: t('Refund', { context: 'verb' }),
                    keys: 'R',
                    isOpen: isRefunding,
                    reason: canRefund ? undefined : t('Everything was refunded.'),
                    run: () => setRefunding(true),
                  },
                  ...(canCredit ? [{ label: t('Refund to store credit'), isOpen: isCrediting, run: () => setCrediting(true) }] : []),
                ]
              : []),
            ...recordActionsOf(delivery.actions, () => void print({ order, copy: 'customer' })),
          ]}
        />
      )}
      {isRefunding && (
        <RefundOrder
          order={order}
          onClose={() => {
            setRefunding(false);
            heading.current?.focus();
          }}
        />
      )}
      {isCrediting && (
        <StoreCreditRefund
          subject={{ orderId: order.orderId }}
          currency={currency}
          maximum={creditable.reduce((sum, { amount, refundedAmount }) => sum + amount - refundedAmount, 0)}
          customerId={order.customerId}
          onClose={() => {
            setCrediting(false);
            heading.current?.focus();
          }}
        />
      )}
      {delivery.note}
      {delivery.dialog}
      <Payments order={order} />
      <LineItemList lines={order.lineItems} currency={currency} />
      <FactList
        facts={[
          [t('Remaining'), money(order.remainingAmount)],
          [t('Outcome not known yet'), money(order.reservedAmount)],
          [t('Tips'), money(order.tipAmount)],
          [t('Surcharge'), money(order.surchargeAmount)],
          [t('Discount'), money(order.discountAmount)],
          [t('Discount approved by'), order.discountApprovedBy],
          [t('Tax'), money(order.taxAmount)],
          [t('Refunded'), money(order.refundedAmount)],
          [
            t('Customer'),
            order.customerId !== null && (
              <Link key="customer" component={RouterLink} to={`/customers/${order.customerId}`} sx={{ font: 'inherit' }}>
                {order.customerName ?? order.customerId}
              </Link>
            ),
          ],
          [t('Order number'), order.reference],
          [t('Description'), order.description],
          [t('Created by'), actorText(order.createdBy)],
          [t('Cancel reason'), order.cancelReason],
          [t('Order ID'), <CopyText key="id" text={order.orderId} label={t('Order ID')} />],
        ]}
      />
    </Box>
  );
}

function Payments({ order: { payments, lineItems, currency } }: { order: OrderDetail }) {
  if (payments.length === 0) return null;
  return (
    <Section title={t('Payments')}>
      <Box component="ul" aria-label={t('Payments of this sale')} sx={{ m: 0, p: 0, listStyle: 'none', fontSize: 13 }}>
        {payments.map((payment) => (
          <Box
            component="li"
            key={payment.paymentId}
            sx={(theme) => ({
              display: 'flex',
              flexWrap: 'wrap',
              justifyContent: 'space-between',
              columnGap: 3,
              py: 2,
              borderTop: `1px solid ${theme.vars.palette.divider}`,
              ...(!wasTaken(payment) && { color: 'text.secondary' }),
            })}
          >
            <Link
              component={RouterLink}
              to={payment.number === null ? `/transactions/${payment.paymentId}` : `/cash/${payment.paymentId}`}
              sx={{ font: 'inherit' }}
            >
              {paymentText(payment)}
            </Link>
            {payment.lines.length > 0 && (
              <Box component="span" sx={{ order: 1, flexBasis: '100%', color: 'text.secondary' }}>
                {payment.lines.map(({ line }) => lineItems[line]?.description).join(', ')}
              </Box>
            )}
            <span>
              {noteOf(payment, currency)} <MoneyText amount={payment.amount} currency={currency} sx={{ fontWeight: 600 }} />
            </span>
          </Box>
        ))}
      </Box>
    </Section>
  );
}

/** Says why a payment pays nothing, or what of it was refunded. */
function noteOf(payment: Payment, currency: string): string {
  if (payment.state === 'released') return t('not approved');
  if (payment.state === 'paid' && !wasTaken(payment)) return t('voided or returned');
  return payment.refundedAmount > 0 ? t('{{amount}} refunded', { amount: writeMoney(payment.refundedAmount, currency) }) : '';
}
