import { useCallback, useMemo, useRef, useState } from 'react';
import type { Item } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { decimalText, readAmount, type TaxRule, toMinor } from '#renderer/base/money';
import { announce, showToast } from '#renderer/kit/ui';
import type { LineAmounts } from '#shared/line-items';
import type { Discount } from '../form/discount.ts';
import type { SaleForm } from '../form/use-sale-form.ts';
import {
  type BasketLine,
  basketAmounts,
  basketSums,
  type GiftCardLine,
  type GiftCardRequest,
  giftCardRequests,
  type LineRequest,
  lineOfAmount,
  lineOfGiftCard,
  lineOfItem,
  lineRequests,
  withLine,
} from './basket.ts';

/** Items of the sale. While there are any, their sum is the amount of the form. */
export interface Basket {
  readonly lines: readonly BasketLine[];
  /** Amounts of the lines; null for a line whose quantity is not a quantity. */
  readonly amounts: readonly (LineAmounts | null)[];
  /** Discount of the whole sale, also of one without lines; null for none. */
  readonly discount: Discount | null;
  /** Adds an item. A quick amount is added to the amount if there are no lines. */
  readonly add: (item: Item, thousandths: number) => void;
  /** Adds a line for an amount without an item. */
  readonly addAmount: (minor: number, thousandths: number) => void;
  /** Adds a line that sells a gift card. */
  readonly addGiftCard: (description: string, minor: number, giftCard: GiftCardLine) => void;
  readonly setQuantity: (id: number, quantity: string) => void;
  /** Sets the discount of a line, or of the whole sale; null for none. */
  readonly setDiscount: (lineId: number | null, discount: Discount | null) => void;
  /** Removes a line, which can be restored for some seconds. */
  readonly remove: (id: number) => void;
  readonly clear: () => void;
  /** Lines of the request; undefined without lines of goods. */
  readonly requests: () => LineRequest[] | undefined;
  /** True without lines. */
  readonly isEmpty: () => boolean;
  /** Gift cards that the sale sells. */
  readonly giftCards: () => GiftCardRequest[];
}

interface Content {
  readonly lines: readonly BasketLine[];
  readonly discount: Discount | null;
}

const EMPTY: Content = { lines: [], discount: null };

/** `tax` applies to amounts without an item: typed and quick ones. */
export function useBasket(form: SaleForm, currency: string, tax: TaxRule | null, onChanged: () => void): Basket {
  const [content, setContent] = useState(EMPTY);
  // Handlers read the current content here, because rendering may lag behind a scanner.
  const current = useRef(content);
  const nextId = useRef(1);
  /** Number of the sale, so that a line is not restored in the next one. */
  const sale = useRef(0);
  const latest = useRef({ form, onChanged });
  latest.current = { form, onChanged };

  const show = useCallback((next: Content) => {
    current.current = next;
    setContent(next);
  }, []);
  const change = useCallback(
    (changed: Partial<Content>) => {
      const next = { ...current.current, ...changed };
      const hadLines = current.current.lines.length > 0;
      show(next);
      const sums = basketSums(next.lines, next.discount);
      const amount = next.lines.length === 0 || sums === null ? '' : decimalText(sums.amountMinor, currency);
      // A typed amount stays what it was when only its discount changes.
      if (hadLines || next.lines.length > 0) latest.current.form.fill({ amount });
      latest.current.onChanged();
    },
    [show, currency],
  );

  return useMemo(() => {
    const { lines, discount } = content;
    const typedMinor = () => {
      const read = readAmount(latest.current.form.values().amount ?? '', currency);
      return read.kind === 'valid' ? toMinor(Number(read.decimal), currency) : 0;
    };
    const newId = () => nextId.current++;
    const changeLine = (id: number, set: Partial<BasketLine>) =>
      change({ lines: current.current.lines.map((line) => (line.id === id ? { ...line, ...set } : line)) });
    const typedBefore = () => (current.current.lines.length === 0 ? typedMinor() : 0);
    const addLine = (added: BasketLine, typed: number) => {
      // An amount that was typed before the first item stays a part of the sale.
      const kept = typed > 0 ? [lineOfAmount(t('Amount'), typed, newId(), tax)] : current.current.lines;
      const next = withLine(kept, added);
      change({ lines: next });
      const sums = basketSums(next, current.current.discount);
      const total = sums && t('Total {{amount}}.', { amount: decimalText(sums.amountMinor, currency) });
      announce([t('{{item}} added.', { item: added.description }), total].filter(Boolean).join(' '));
    };
    return {
      lines,
      discount,
      amounts: basketAmounts(lines, discount),
      add: (item, thousandths) => {
        const before = current.current.lines;
        const typed = before.length === 0 ? typedMinor() : 0;
        if (before.length === 0 && item.kind === 'amount') {
          const minor = typed + Math.round((toMinor(item.price, currency) * thousandths) / 1_000);
          latest.current.form.fill({ amount: decimalText(minor, currency) });
          latest.current.onChanged();
          announce(t('{{item}}. Amount {{amount}}.', { item: item.name, amount: decimalText(minor, currency) }));
          return;
        }
        addLine(lineOfItem(item, newId(), thousandths, tax), typed);
      },
      addAmount: (minor, thousandths) => addLine(lineOfAmount(t('Custom amount'), minor, newId(), tax, thousandths), typedBefore()),
      addGiftCard: (description, minor, giftCard) => addLine(lineOfGiftCard(description, minor, newId(), giftCard), typedBefore()),
      setQuantity: (id, quantity) => changeLine(id, { quantity }),
      setDiscount: (lineId, set) => (lineId === null ? change({ discount: set }) : changeLine(lineId, { discount: set })),
      remove: (id) => {
        const { lines: before } = current.current;
        const at = before.findIndex((line) => line.id === id);
        const removed = before[at];
        if (!removed) return;
        const ofSale = sale.current;
        change({ lines: before.toSpliced(at, 1) });
        showToast(t('{{item}} removed', { item: removed.description }), {
          label: t('Undo'),
          run: () => ofSale === sale.current && change({ lines: current.current.lines.toSpliced(at, 0, removed) }),
        });
      },
      clear: () => {
        sale.current += 1;
        show(EMPTY);
      },
      requests: () => {
        const { lines: sold, discount: given } = current.current;
        const goods = lineRequests(sold, currency, given);
        return goods.length === 0 ? undefined : goods;
      },
      isEmpty: () => current.current.lines.length === 0,
      giftCards: () => giftCardRequests(current.current.lines, currency),
    };
  }, [content, currency, tax, change, show]);
}
