import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { Tender } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { Dialog, KeyHint, MoneyText } from '#renderer/kit/ui';
import { usePrintReceipt } from '#renderer/shared/receipt';
import { paymentOfTender, ReceiptBar, useReceiptDelivery } from '#renderer/shared/receipt-delivery';
import { tenderText } from '#renderer/shared/tenders';

/** Shows a recorded tender with the change in large type, until the next sale begins. */
export function TenderResult({ tender, onDone }: { tender: Tender; onDone: () => void }) {
  const { number, amount, change, amountGiven, currency } = tender;
  const hasChange = change !== null && change > 0;
  return (
    <Dialog
      title={t('{{tender}} received', { tender: tenderText(tender) })}
      isOpen
      onClose={onDone}
      maxWidth="sm"
      onSubmit={onDone}
      actions={
        <Button type="submit" variant="contained" color="primary" autoFocus endIcon={<KeyHint keys="Enter" />}>
          {t('New sale')}
        </Button>
      }
    >
      <Box sx={{ display: 'grid', gap: 5, pt: 1 }}>
        <Box sx={{ textAlign: 'center' }} role="status">
          <Box sx={{ color: 'text.secondary' }}>{hasChange ? t('Change', { context: 'cash' }) : t('Received')}</Box>
          <Box sx={{ fontSize: 64, lineHeight: '72px', fontWeight: 650, letterSpacing: '-0.02em' }} data-change>
            <MoneyText amount={hasChange ? change : amount} currency={currency} code />
          </Box>
          {hasChange && amountGiven !== null && (
            <Box sx={{ color: 'text.secondary' }}>
              <Trans
                i18nKey="<0/> given for <1/>"
                components={[
                  <MoneyText key="0" amount={amountGiven} currency={currency} />,
                  <MoneyText key="1" amount={amount} currency={currency} />,
                ]}
              />
            </Box>
          )}
        </Box>
        <TenderReceiptBar tender={tender} group={t('This sale')} />
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('Receipt {{number}}', { number })}</Box>
      </Box>
    </Dialog>
  );
}

function TenderReceiptBar({ tender, group }: { tender: Tender; group: string }) {
  const print = usePrintReceipt();
  const delivery = useReceiptDelivery(paymentOfTender(tender));
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <ReceiptBar group={group} actions={delivery.actions} onPrint={() => void print({ tender, copy: 'customer' })} />
      {delivery.note}
      {delivery.dialog}
    </Box>
  );
}
