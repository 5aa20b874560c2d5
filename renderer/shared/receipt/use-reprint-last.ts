import { useCallback } from 'react';
import { t } from '#renderer/base/language';
import { showToast } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { readLastSale } from './read-last-sale.ts';
import { usePrintReceipt } from './use-print-receipt.ts';

/** Reprints the customer copy of this workstation's last sale, or of the merchant's last sale if this workstation has none. */
export function useReprintLast(): () => Promise<void> {
  const { merchantId } = useMerchant();
  const print = usePrintReceipt();
  return useCallback(async () => {
    const sale = await readLastSale(merchantId);
    if (sale) await print({ ...sale, copy: 'customer' });
    else showToast(t('There is no sale to reprint.'));
  }, [merchantId, print]);
}
