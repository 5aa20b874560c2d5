import { useCallback, useMemo, useRef, useState } from 'react';
import type { Item } from '#renderer/client';
import { decimalText, readAmount, type TaxRule, toMinor } from '#renderer/money';
import { announce } from '#renderer/ui';
import type { SaleForm } from '../form/use-sale-form.ts';
import { type BasketLine, basketSums, type LineRequest, lineOfAmount, lineOfItem, lineRequests, withLine } from './basket.ts';

/** Items of the sale. While there are any, their sum is the amount of the form. */
export interface Basket {
  readonly lines: readonly BasketLine[];
  /** Sum of the taxes in minor units. */
  readonly taxMinor: number;
  /** Adds an item. A quick amount is added to the amount if there are no lines. */
  readonly add: (item: Item, thousandths: number) => void;
  readonly setQuantity: (id: number, quantity: string) => void;
  readonly remove: (id: number) => void;
  readonly clear: () => void;
  /** Lines of the request; undefined without lines. */
  readonly requests: () => LineRequest[] | undefined;
}

/** `tax` applies to amounts without an item: typed and quick ones. */
export function useBasket(form: SaleForm, currency: string, tax: TaxRule | null, onChanged: () => void): Basket {
  const [lines, setLines] = useState<readonly BasketLine[]>([]);
  // Handlers read the current lines here, because rendering may lag behind a scanner.
  const current = useRef(lines);
  const nextId = useRef(1);
  const latest = useRef({ form, onChanged });
  latest.current = { form, onChanged };

  const show = useCallback((next: readonly BasketLine[]) => {
    current.current = next;
    setLines(next);
  }, []);
  const change = useCallback(
    (next: readonly BasketLine[]) => {
      show(next);
      const sums = basketSums(next);
      const amount = next.length === 0 || sums === null ? '' : decimalText(sums.amountMinor, currency);
      latest.current.form.fill({ amount });
      latest.current.onChanged();
    },
    [show, currency],
  );

  return useMemo(() => {
    const typedMinor = () => {
      const read = readAmount(latest.current.form.values().amount ?? '', currency);
      return read.kind === 'valid' ? toMinor(Number(read.decimal), currency) : 0;
    };
    const newId = () => nextId.current++;
    return {
      lines,
      taxMinor: basketSums(lines)?.taxMinor ?? 0,
      add: (item, thousandths) => {
        const before = current.current;
        const typed = before.length === 0 ? typedMinor() : 0;
        if (before.length === 0 && item.kind === 'amount') {
          const minor = typed + Math.round((toMinor(item.price, currency) * thousandths) / 1_000);
          latest.current.form.fill({ amount: decimalText(minor, currency) });
          latest.current.onChanged();
          announce(`${item.name}. Amount ${decimalText(minor, currency)}.`);
          return;
        }
        // An amount that was typed before the first item stays a part of the sale.
        const kept = typed > 0 ? [lineOfAmount('Amount', typed, newId(), tax)] : before;
        const next = withLine(kept, lineOfItem(item, newId(), thousandths, tax));
        change(next);
        const sums = basketSums(next);
        announce(`${item.name} added.${sums ? ` Total ${decimalText(sums.amountMinor, currency)}.` : ''}`);
      },
      setQuantity: (id, quantity) => change(current.current.map((line) => (line.id === id ? { ...line, quantity } : line))),
      remove: (id) => change(current.current.filter((line) => line.id !== id)),
      clear: () => show([]),
      requests: () => (current.current.length === 0 ? undefined : lineRequests(current.current, currency)),
    };
  }, [lines, currency, tax, change, show]);
}
