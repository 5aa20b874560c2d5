import { ApiFailure, api, type Tender, type Transaction, takeData, takePage } from '#renderer/base/client';
import { lastSale } from './last-sale.ts';

type Sale = { readonly transaction: Transaction } | { readonly tender: Tender };

/** Returns this workstation's last sale, or the merchant's last sale if this workstation has none; null without a sale, or if it cannot be read. */
export async function readLastSale(merchantId: string): Promise<Sale | null> {
  try {
    const lastHere = await saleOf(lastSale()).catch(() => null);
    if (lastHere !== null && merchantOf(lastHere) === merchantId) return lastHere;
    const query = { merchantId, status: 'approved', limit: 1 } as const;
    const { items } = await takePage(api.GET('/api/v1/transactions', { params: { query } }));
    return items[0] === undefined ? null : { transaction: items[0] };
  } catch (failure) {
    if (failure instanceof ApiFailure) return null;
    throw failure;
  }
}

const merchantOf = (sale: Sale) => ('tender' in sale ? sale.tender : sale.transaction).merchantId;

async function saleOf(id: string | null): Promise<Sale | null> {
  if (id === null) return null;
  const path = { params: { path: { id } } };
  if (id.startsWith('tnd_')) return { tender: await takeData(api.GET('/api/v1/tenders/{id}', path)) };
  return { transaction: await takeData(api.GET('/api/v1/transactions/{id}', path)) };
}
