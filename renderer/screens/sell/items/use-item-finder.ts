import { useCallback, useMemo, useState } from 'react';
import type { Item } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { readAmount, toMinor } from '#renderer/base/money';
import { announce } from '#renderer/kit/ui';
import { THOUSANDTHS } from '#shared/line-items';
import { matchingItems, readEntry } from './basket.ts';
import type { Basket } from './use-basket.ts';
import { useScanner } from './use-scanner.ts';

/** Search of the items, shared by its field and the grid of items. */
export interface ItemFinder {
  readonly items: readonly Item[];
  readonly typed: string;
  readonly setTyped: (typed: string) => void;
  /** Items that match the typed text; all without one. */
  readonly found: readonly Item[];
  /** Adds an item in the typed quantity. A new sale begins if a result is shown. */
  readonly add: (item: Item) => void;
  /** Adds the best match, or a typed amount. */
  readonly addTyped: () => void;
}

interface FoundFor {
  readonly addItem: Basket['add'];
  readonly addAmount: Basket['addAmount'];
  readonly payWithGiftCard: (code: string) => void;
  readonly rules: { readonly currency: string };
}

export function useItemFinder(items: readonly Item[], { addItem, addAmount, payWithGiftCard, rules: { currency } }: FoundFor): ItemFinder {
  const [typed, setTyped] = useState('');
  const { thousandths, text } = readEntry(typed);
  const found = useMemo(() => matchingItems(items, text), [items, text]);
  const add = useCallback(
    (item: Item) => {
      addItem(item, thousandths);
      setTyped('');
    },
    [addItem, thousandths],
  );
  useScanner(items, (item) => addItem(item, THOUSANDTHS), payWithGiftCard);
  const addTyped = () => {
    const [best] = found;
    const amount = readAmount(text, currency);
    if (best) return add(best);
    if (amount.kind !== 'valid') return announce(t('No item matches {{text}}.', { text }));
    addAmount(toMinor(Number(amount.decimal), currency), thousandths);
    setTyped('');
  };
  return { items, typed, setTyped, found, add, addTyped };
}
