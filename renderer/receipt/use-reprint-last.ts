import { useCallback } from 'react';
import { ApiFailure, api, type Transaction, takeData, takePage } from '#renderer/client';
import { useMerchant } from '#renderer/session';
import { showToast } from '#renderer/ui';
import { lastSale } from './last-sale.ts';
import { usePrintReceipt } from './use-print-receipt.ts';

/**
 * Reprints the customer copy of this workstation's last sale, or of the merchant's last sale if this workstation has none. Experience 2.0,
 * F8.
 */
export function useReprintLast(): () => Promise<void> {
  const { merchantId } = useMerchant();
  const print = usePrintReceipt();
  return useCallback(async () => {
    const transaction = await saleToReprint(merchantId).catch((failure: unknown) => {
      if (failure instanceof ApiFailure) return null;
      throw failure;
    });
    if (transaction) await print({ transaction, copy: 'customer' });
    else showToast('There is no sale to reprint.');
  }, [merchantId, print]);
}

async function saleToReprint(merchantId: string): Promise<Transaction | null> {
  const lastSaleId = lastSale();
  const lastHere =
    lastSaleId === null
      ? null
      : await takeData(api.GET('/api/v1/transactions/{id}', { params: { path: { id: lastSaleId } } })).catch(() => null);
  if (lastHere?.merchantId === merchantId) return lastHere;
  const query = { merchantId, status: 'approved', limit: 1 } as const;
  const { items } = await takePage(api.GET('/api/v1/transactions', { params: { query } }));
  return items[0] ?? null;
}
