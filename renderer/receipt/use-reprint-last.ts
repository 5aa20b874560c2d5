import { useCallback } from 'react';
import { ApiFailure, api, type Transaction, takeData, takePage } from '#renderer/client';
import { useMerchant } from '#renderer/session';
import { showToast } from '#renderer/ui';
import { lastSale } from './last-sale.ts';
import { usePrintReceipt } from './use-print-receipt.ts';

/** Prints the customer copy of this workstation's last sale again, or of the merchant's last one when none was made here. Experience 2.0, F8. */
export function useReprintLast(): () => Promise<void> {
  const { merchantId } = useMerchant();
  const print = usePrintReceipt();
  return useCallback(async () => {
    const transaction = await saleToReprint(merchantId).catch((failure: unknown) => {
      if (failure instanceof ApiFailure) return null;
      throw failure;
    });
    if (transaction) await print({ transaction, copy: 'customer' });
    else showToast('There is no sale to print again.');
  }, [merchantId, print]);
}

async function saleToReprint(merchantId: string): Promise<Transaction | null> {
  const here = lastSale();
  const own =
    here === null ? null : await takeData(api.GET('/api/v1/transactions/{id}', { params: { path: { id: here } } })).catch(() => null);
  if (own?.merchantId === merchantId) return own;
  const query = { merchantId, status: 'approved', limit: 1 } as const;
  const { items } = await takePage(api.GET('/api/v1/transactions', { params: { query } }));
  return items[0] ?? null;
}
