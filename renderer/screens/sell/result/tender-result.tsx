import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect, useRef } from 'react';
import type { Tender } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { fromMinor, toMinor } from '#renderer/base/money';
import { keyTip, MoneyText } from '#renderer/kit/ui';
import { usePrintReceipt } from '#renderer/shared/receipt';
import { paymentOfTender, ReceiptBar, useReceiptDelivery } from '#renderer/shared/receipt-delivery';
import { tenderText } from '#renderer/shared/tenders';
import type { EnterGuard } from '../charge/enter-guard.ts';
import { OrderNote, useNextLabel } from '../order/order-note.tsx';

interface TenderResultProps {
  readonly tender: Tender;
  readonly guard: EnterGuard;
  readonly onNewSale: () => void;
}

/** Shows a recorded tender with the change in large type, in place of the form, until the next sale begins. */
export function TenderResult({ tender, guard, onNewSale }: TenderResultProps) {
  const nextLabel = useNextLabel(tender.orderId);
  const { number, amount, roundingAmount, change, amountGiven, currency } = tender;
  const received = fromMinor(toMinor(amount, currency) + toMinor(roundingAmount, currency), currency);
  const hasChange = change !== null && change > 0;
  const print = usePrintReceipt();
  const delivery = useReceiptDelivery(paymentOfTender(tender));
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => next.current?.focus(), []);
  return (
    <Box
      role="group"
      aria-labelledby="sale-result"
      data-result="recorded"
      sx={{ display: 'flex', flexDirection: 'column', gap: 5, flex: 1 }}
    >
      <Box component="h2" id="sale-result" sx={{ m: 0, fontSize: 16, lineHeight: '24px', fontWeight: 600 }}>
        {t('{{tender}} received', { tender: tenderText(tender) })}
      </Box>
      <Box sx={{ textAlign: 'center' }} role="status">
        <Box sx={{ color: 'text.secondary' }}>{hasChange ? t('Change', { context: 'cash' }) : t('Received')}</Box>
        <Box sx={{ fontSize: 56, lineHeight: '64px', fontWeight: 650, letterSpacing: '-0.02em' }} data-change>
          <MoneyText amount={hasChange ? change : received} currency={currency} />
        </Box>
        {hasChange && amountGiven !== null && (
          <Box sx={{ color: 'text.secondary' }}>
            <Trans
              i18nKey="<0/> given for <1/>"
              components={[
                <MoneyText key="0" amount={amountGiven} currency={currency} />,
                <MoneyText key="1" amount={received} currency={currency} />,
              ]}
            />
          </Box>
        )}
      </Box>
      <ReceiptBar group={t('This sale')} actions={delivery.actions} onPrint={() => void print({ tender, copy: 'customer' })} />
      <OrderNote orderId={tender.orderId} />
      {delivery.note}
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('Receipt {{number}}', { number })}</Box>
      <Button
        ref={next}
        variant="contained"
        color="primary"
        size="large"
        onClick={onNewSale}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          guard.press(event, onNewSale);
        }}
        {...keyTip('Enter')}
        sx={{ mt: 'auto' }}
      >
        {nextLabel}
      </Button>
      {delivery.dialog}
    </Box>
  );
}
