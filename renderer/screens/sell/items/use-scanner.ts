import { useEffect, useRef } from 'react';
import type { Item } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, isDialogOpen } from '#renderer/kit/ui';

/** Longest pause between two keys of a scanner. Nobody types this fast. */
const SCAN_GAP_MS = 35;
const SHORTEST = 4;
/** A run of digits in the amount that is this long is a barcode, and never an amount. */
const UNKNOWN_DIGITS = /^\d{8,64}$/;
/** Code of a gift card, as its QR code contains it. */
const GIFT_CARD_CODE = /^[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}$/;

interface Burst {
  readonly text: string;
  readonly lastAt: number;
  readonly target: EventTarget | null;
  /** Text of the field before the burst. */
  readonly before: string;
}

/**
 * Adds the item whose barcode a scanner types, or passes on the code of a gift card, whatever has the focus: a fast run of characters that Enter ends.
 * The characters are taken out of the field that received them.
 */
export function useScanner(items: readonly Item[], onScan: (item: Item) => void, onGiftCard: (code: string) => void): void {
  const latest = useRef({ items, onScan, onGiftCard });
  latest.current = { items, onScan, onGiftCard };
  useEffect(() => {
    let burst: Burst | null = null;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Shift') return;
      const isFast = burst !== null && event.timeStamp - burst.lastAt < SCAN_GAP_MS;
      if (event.key === 'Enter' && burst !== null && isFast && burst.text.length >= SHORTEST && !isDialogOpen()) {
        const scanned = burst;
        burst = null;
        const item = latest.current.items.find(({ barcode }) => barcode === scanned.text);
        const isGiftCard = item === undefined && GIFT_CARD_CODE.test(scanned.text);
        if (item === undefined && !isGiftCard && !isUnknownBarcode(scanned)) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        restore(scanned);
        if (item) latest.current.onScan(item);
        else if (isGiftCard) latest.current.onGiftCard(scanned.text);
        else announce(t('No item has the barcode {{barcode}}.', { barcode: scanned.text }));
        return;
      }
      const isCharacter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isCharacter) burst = null;
      else if (burst !== null && isFast)
        burst = { ...movedBurst(burst, event.target), text: burst.text + event.key, lastAt: event.timeStamp };
      else burst = { text: event.key, lastAt: event.timeStamp, target: event.target, before: textOf(event.target) };
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}

const textOf = (target: EventTarget | null): string => (target instanceof HTMLInputElement ? target.value : '');

/** Returns a burst whose first key moved the focus into a field. */
function movedBurst(burst: Burst, target: EventTarget | null): Burst {
  if (target === burst.target) return burst;
  const text = textOf(target);
  return { ...burst, target, before: text.endsWith(burst.text) ? text.slice(0, -burst.text.length) : text };
}

/** True if an unknown run of digits can only be a barcode: outside of fields, or in the amount. */
function isUnknownBarcode({ text, target }: Burst): boolean {
  if (!UNKNOWN_DIGITS.test(text)) return false;
  return !(target instanceof HTMLInputElement) || target.name === 'amount';
}

function restore({ target, before }: Burst): void {
  if (!(target instanceof HTMLInputElement) || target.readOnly) return;
  target.setRangeText(before, 0, target.value.length, 'end');
  target.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'deleteContent' }));
}
