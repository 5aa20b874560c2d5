import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Hourglass } from 'lucide-react';
import type { ReactNode } from 'react';
import { api, type NewQueuedPayment, queryClient, takeData, useMoneyMutation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { announce, FailureNote, keyTip, showToast, useShortcuts } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { useDiscountedPayment } from '../charge/use-discounted-payment.ts';
import { totalOf } from '../form/total.ts';
import type { Terminal } from '../terminal/use-terminal.ts';

const KEYS = 'Mod+Shift+L';

/** Queues the sale with the customer's saved card during an outage. Returns the button with its explanation; null if it is not offered. */
export function useChargeLater({ form, rules, stage, mode, channel, isBankDebit, payer, basket, outage, dispatch }: Terminal): ReactNode {
  const may = useMay();
  const { merchantId } = useMerchant();
  const queueing = useMoneyMutation(
    (body: NewQueuedPayment, key) =>
      takeData(api.POST('/api/v1/queued-payments', { body, params: { header: { 'Idempotency-Key': key } } })),
    {
      onSuccess: ({ amount, currency }) => {
        const text = t('{{amount}} is charged when the gateway answers.', { amount: writeMoney(amount, currency) });
        announce(text);
        showToast(text);
        for (const key of ['queued-payments', 'reach']) void queryClient.invalidateQueries({ queryKey: [key] });
        dispatch({ kind: 'new-sale-requested' });
      },
    },
  );
  const discounted = useDiscountedPayment(queueing, merchantId);
  const isOffered =
    outage?.works.chargeLater === true && mode === 'saved' && basket.giftCards().length === 0 && may('queued-payments:write');
  const chosen = payer.payer?.chosen ?? null;
  const run = () => {
    if (discounted.isPending || stage.kind !== 'entry') return;
    const values = form.values();
    const total = totalOf(values, { ...rules, surchargePercent: 0 });
    if (total === null) {
      form.focus('amount');
      return announce(basket.discount === null ? t('Enter the amount first.') : t('Enter an amount above the discount first.'));
    }
    if (!payer.payer || chosen === null) return dispatch({ kind: 'customer-field-requested' });
    const lineItems = basket.requests();
    void discounted.pay({
      amount: total.decimal,
      ...(total.tip !== null && { tipAmount: total.tip }),
      ...(total.tax !== null && { taxAmount: total.tax }),
      ...(total.discount !== null && { discountAmount: total.discount }),
      ...(lineItems && { lineItems }),
      currency: rules.currency,
      merchantId,
      customerId: payer.payer.customer.customerId,
      paymentMethodId: chosen.paymentMethodId,
      // A queued bank debit has one channel.
      ...(!isBankDebit && { channel }),
      ...(values.order?.trim() && { orderId: values.order.trim() }),
      ...(values.description?.trim() && { description: values.description.trim() }),
    });
  };
  useShortcuts(t('Sell'), isOffered ? [{ keys: KEYS, label: t('Charge later'), run }] : []);
  if (!isOffered) return null;
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <Button
        size="large"
        variant="contained"
        color="primary"
        onClick={run}
        loading={discounted.isPending}
        loadingPosition="start"
        startIcon={<Hourglass size={16} aria-hidden />}
        {...keyTip(KEYS)}
      >
        {t('Charge later')}
      </Button>
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
        {t('The saved card is charged when the gateway answers, if the customer has agreed to later charges.')}
      </Box>
      {discounted.error && <FailureNote failure={discounted.error} />}
    </Box>
  );
}
