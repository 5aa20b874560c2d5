import { useCallback } from 'react';
import { ApiFailure, api, type Tender, type Transaction, takeData, takePage } from '#renderer/client';
import { t } from '#renderer/language';
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
    const sale = await saleToReprint(merchantId).catch((failure: unknown) => {
      if (failure instanceof ApiFailure) return null;
      throw failure;
    });
    if (sale) await print({ ...sale, copy: 'customer' });
    else showToast(t('There is no sale to reprint.'));
  }, [merchantId, print]);
}

type Sale = { readonly transaction: Transaction } | { readonly tender: Tender };

async function saleToReprint(merchantId: string): Promise<Sale | null> {
  const lastHere = await saleOf(lastSale()).catch(() => null);
  if (lastHere !== null && merchantOf(lastHere) === merchantId) return lastHere;
  const query = { merchantId, status: 'approved', limit: 1 } as const;
  const { items } = await takePage(api.GET('/api/v1/transactions', { params: { query } }));
  return items[0] === undefined ? null : { transaction: items[0] };
}

const merchantOf = (sale: Sale) => ('tender' in sale ? sale.tender : sale.transaction).merchantId;

async function saleOf(id: string | null): Promise<Sale | null> {
  if (id === null) return null;
  const path = { params: { path: { id } } };
  if (id.startsWith('tnd_')) return { tender: await takeData(api.GET('/api/v1/tenders/{id}', path)) };
  return { transaction: await takeData(api.GET('/api/v1/transactions/{id}', path)) };
}
