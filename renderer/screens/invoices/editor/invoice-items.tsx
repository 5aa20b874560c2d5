import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useMemo } from 'react';
import type { Item } from '#renderer/base/client';
import { decimalText, toMinor, writeAmount } from '#renderer/base/money';
import { useMay, useMerchant } from '#renderer/session/user';
import { itemsQuery } from '#renderer/shared/items';
import { lineAmounts, THOUSANDTHS } from '#shared/line-items';

/** An item as it fills a line of an invoice. */
export interface FoundItem {
  readonly itemId: string;
  readonly name: string;
  /** Decimal text, with the tax: invoices have no tax of their own. */
  readonly unitPrice: string;
}

interface InvoiceItems {
  /** ID of the list of suggestions; undefined without items. */
  readonly listId: string | undefined;
  readonly list: ReactNode;
  readonly byName: (text: string) => FoundItem | undefined;
  /** Returns the item of a key or barcode. */
  readonly byCode: (text: string) => FoundItem | undefined;
}

const PERCENT = 1_000;

/** Items of the merchant in the currency of an invoice, as suggestions for descriptions. */
export function useInvoiceItems(currency: string): InvoiceItems {
  const { merchantId } = useMerchant();
  const id = useId();
  const { data } = useQuery({ ...itemsQuery(merchantId), enabled: useMay()('items:read') });
  return useMemo(() => {
    const items = data?.filter((item) => item.kind === 'item' && item.status === 'active' && item.currency === currency) ?? [];
    const found = (item: Item | undefined) => item && { itemId: item.itemId, name: item.name, unitPrice: priceWithTax(item) };
    return {
      listId: items.length === 0 ? undefined : id,
      list: items.length > 0 && (
        <datalist id={id}>
          {items.map((item) => (
            <option key={item.itemId} value={item.name}>
              {[item.key, writeAmount(priceWithTax(item), currency)].filter(Boolean).join(', ')}
            </option>
          ))}
        </datalist>
      ),
      byName: (text) => found(items.find(({ name }) => name === text)),
      byCode: (text) => {
        const wanted = text.trim().toLowerCase();
        return wanted === ''
          ? undefined
          : found(items.find(({ key, barcode }) => key?.toLowerCase() === wanted || barcode === text.trim()));
      },
    };
  }, [data, currency, id]);
}

function priceWithTax({ price, currency, taxRate, taxIncluded }: Item): string {
  const rule = { unitMinor: toMinor(price, currency), taxRate: taxRate === null ? null : Math.round(taxRate * PERCENT), taxIncluded };
  return decimalText(lineAmounts({ thousandths: THOUSANDTHS, ...rule }).amountMinor, currency);
}
