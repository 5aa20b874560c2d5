import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import {
  cardNumberProblem,
  digitsOf,
  expiryProblem,
  formatExpiry,
  groupCardNumber,
  layOut,
  monthOf,
  readCardNumber,
  readExpiry,
  securityCodeLength,
  useWedge,
} from '#renderer/card-entry';
import type { ApiFailure } from '#renderer/client';
import { useIsLocked } from '#renderer/session';
import { announce } from '#renderer/ui';
import { useWorkstation } from '#renderer/workstation';
import type { CardToCharge } from '../operations.ts';

/** The fields of a card in the order in which a caller reads them out. */
const FIELDS = ['number', 'expiry', 'code'] as const;
export type CardField = (typeof FIELDS)[number];

/** Inputs of a card, which are the only place that holds its number. */
export interface CardEntry {
  readonly refs: Readonly<Record<CardField, RefObject<HTMLInputElement | null>>>;
  readonly problems: Readonly<Partial<Record<CardField, string>>>;
  /** The brand that the typed digits tell. */
  readonly brand: string | undefined;
  readonly codeDigits: number;
  readonly onInput: (field: CardField) => (event: FormEvent) => void;
  readonly onBlur: (field: CardField) => () => void;
  /** Validates the inputs and focuses the first problem; returns the card if there is none, and undefined also without a form. */
  readonly read: () => CardToCharge | undefined;
  /** Shows the service's refusal beside its field. Returns false if it has none. */
  readonly blame: (failure: ApiFailure) => boolean;
  readonly clear: (fields?: readonly CardField[]) => void;
}

/** A card over native inputs, with the terminal's rules: what is typed is read for one request, a swipe fills it, a lock empties it. */
export function useCardEntry(asksCode: boolean, onSwiped: () => void): CardEntry {
  const refs = { number: useRef<HTMLInputElement>(null), expiry: useRef<HTMLInputElement>(null), code: useRef<HTMLInputElement>(null) };
  const [problems, setProblems] = useState<CardEntry['problems']>({});
  const [read, setRead] = useState<Pick<ReturnType<typeof readCardNumber>, 'brand'>>({ brand: null });
  const autoAdvance = useWorkstation((settings) => settings.autoAdvance);
  const isLocked = useIsLocked();
  const shown = FIELDS.filter((field) => field !== 'code' || asksCode);
  const codeDigits = securityCodeLength(read.brand);
  const textOf = (field: CardField) => refs[field].current?.value ?? '';
  const mark = (field: CardField, words: string | undefined) => setProblems((all) => ({ ...all, [field]: words }));
  const problemOf = (field: CardField): string | undefined => {
    if (field === 'number') return cardNumberProblem(textOf('number')) ?? undefined;
    if (field === 'expiry') return expiryProblem(textOf('expiry'), monthOf(new Date())) ?? undefined;
    const digits = securityCodeLength(readCardNumber(textOf('number')).brand);
    return digitsOf(textOf('code')).length === digits ? undefined : `Enter the ${digits} digits of the CVV.`;
  };
  const write = (field: CardField, text: string) => {
    const input = refs[field].current;
    if (input) input.value = text;
    if (field === 'number') setRead(readCardNumber(text));
    mark(field, undefined);
  };
  const clear = (fields: readonly CardField[] = FIELDS) => {
    for (const field of fields) write(field, '');
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the lock falls.
  useEffect(() => {
    if (isLocked) clear();
  }, [isLocked]);
  useWedge({
    onSwipe: ({ number, expiry }) => {
      if (isLocked) return;
      onSwiped();
      // The fields may only come with the swipe.
      requestAnimationFrame(() => {
        write('number', groupCardNumber(number));
        write('expiry', expiry);
        refs.code.current?.focus();
        announce('The card was read.');
      });
    },
    onBadRead: () => mark('number', 'The card was not read. Swipe again or type the number.'),
  });
  const fault = (found: Partial<Record<CardField, string>>) => {
    setProblems(found);
    const first = FIELDS.find((field) => found[field]);
    if (first) refs[first].current?.focus();
    return first !== undefined;
  };

  return {
    refs,
    problems,
    brand: read.brand?.name,
    codeDigits,
    clear,
    onInput: (field) => (event) => {
      const input = refs[field].current;
      if (!input) return;
      const format = { number: groupCardNumber, expiry: formatExpiry, code: (text: string) => digitsOf(text).slice(0, codeDigits) }[field];
      const laid = layOut({ text: input.value, caret: input.selectionStart ?? input.value.length }, format);
      if (laid.text !== input.value) {
        input.value = laid.text;
        input.setSelectionRange(laid.caret, laid.caret);
      }
      mark(field, undefined);
      if (field === 'number') setRead(readCardNumber(input.value));
      const isInserted = event.nativeEvent instanceof InputEvent && event.nativeEvent.inputType.startsWith('insert');
      if (!autoAdvance || !isInserted || input.selectionStart !== input.value.length) return;
      if (field === 'number' && readCardNumber(input.value).finished) refs.expiry.current?.focus();
      if (field === 'expiry' && readExpiry(input.value, monthOf(new Date())).kind === 'valid') refs.code.current?.focus();
    },
    onBlur: (field) => () => {
      if (textOf(field).trim() !== '') mark(field, problemOf(field));
    },
    read: () => {
      if (fault(Object.fromEntries(shown.map((field) => [field, problemOf(field)])))) return undefined;
      const expiry = readExpiry(textOf('expiry'), monthOf(new Date()));
      if (expiry.kind !== 'valid') return undefined;
      const cvv = digitsOf(textOf('code'));
      return {
        number: readCardNumber(textOf('number')).digits,
        expiryMonth: expiry.month,
        expiryYear: expiry.year,
        ...(cvv !== '' && { cvv }),
      };
    },
    blame: ({ field, message }) => {
      if (field === 'card.number') return fault({ number: message });
      if (field?.startsWith('card.expiry')) return fault({ expiry: message });
      return field === 'card.cvv' && fault({ code: message });
    },
  };
}
