import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { announce } from '#renderer/kit/ui';
import { useIsLocked } from '#renderer/session/user';
import {
  cardNumberProblem,
  digitsOf,
  expiryProblem,
  formatExpiry,
  groupCardNumber,
  monthOf,
  readCardNumber,
  readExpiry,
  reformat,
  securityCodeLength,
  useWedge,
} from '#renderer/shared/card-entry';
import type { CardToCharge } from '../operations.ts';

/** The fields of a card in the order in which a caller reads them out. */
const FIELDS = ['number', 'expiry', 'code'] as const;
const FIRST_DIGITS = 8;
export type CardField = (typeof FIELDS)[number];

/** Inputs of a card, which are the only place that holds its number. */
export interface CardEntry {
  readonly refs: Readonly<Record<CardField, RefObject<HTMLInputElement | null>>>;
  readonly problems: Readonly<Partial<Record<CardField, string>>>;
  /** Brand of the typed number. */
  readonly brand: string | undefined;
  /** First eight digits of the number; empty until they are typed. */
  readonly firstDigits: string;
  readonly codeDigits: number;
  readonly onInput: (field: CardField) => (event: FormEvent) => void;
  readonly onBlur: (field: CardField) => () => void;
  /** Validates the inputs and focuses the first problem; returns the card if there is none, and undefined also without a form. */
  readonly read: () => CardToCharge | undefined;
  /** Shows the service's refusal beside its field. Returns false if it has none. */
  readonly showRefusal: (failure: ApiFailure) => boolean;
  readonly clear: (fields?: readonly CardField[]) => void;
}

/**
 * Card form over native inputs, with the rules of the terminal: the text is read for one request, a swipe fills it, and locking clears it.
 */
export function useCardEntry(asksCode: boolean, onSwiped: () => void): CardEntry {
  const refs = { number: useRef<HTMLInputElement>(null), expiry: useRef<HTMLInputElement>(null), code: useRef<HTMLInputElement>(null) };
  const [problems, setProblems] = useState<CardEntry['problems']>({});
  const [read, setRead] = useState<Pick<ReturnType<typeof readCardNumber>, 'brand'>>({ brand: null });
  const [firstDigits, setFirstDigits] = useState('');
  const autoAdvance = useWorkstation((settings) => settings.autoAdvance);
  const isLocked = useIsLocked();
  const visibleFields = FIELDS.filter((field) => field !== 'code' || asksCode);
  const codeDigits = securityCodeLength(read.brand);
  const textOf = (field: CardField) => refs[field].current?.value ?? '';
  const setProblem = (field: CardField, message: string | undefined) => setProblems((all) => ({ ...all, [field]: message }));
  const problemOf = (field: CardField): string | undefined => {
    if (field === 'number') return cardNumberProblem(textOf('number')) ?? undefined;
    if (field === 'expiry') return expiryProblem(textOf('expiry'), monthOf(new Date())) ?? undefined;
    const digits = securityCodeLength(readCardNumber(textOf('number')).brand);
    return digitsOf(textOf('code')).length === digits ? undefined : t('Enter the {{digits}}-digit CVV.', { digits });
  };
  // Only the brand and the first digits leave the input.
  const numberChanged = (text: string) => {
    setRead(readCardNumber(text));
    const digits = digitsOf(text).slice(0, FIRST_DIGITS);
    setFirstDigits(digits.length === FIRST_DIGITS ? digits : '');
  };
  const write = (field: CardField, text: string) => {
    const input = refs[field].current;
    if (input) input.value = text;
    if (field === 'number') numberChanged(text);
    setProblem(field, undefined);
  };
  const clear = (fields: readonly CardField[] = FIELDS) => {
    for (const field of fields) write(field, '');
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once when the screen locks.
  useEffect(() => {
    if (isLocked) clear();
  }, [isLocked]);
  useWedge({
    onSwipe: ({ number, expiry }) => {
      if (isLocked) return;
      onSwiped();
      // The swipe may render the card fields first.
      requestAnimationFrame(() => {
        write('number', groupCardNumber(number));
        write('expiry', expiry);
        refs.code.current?.focus();
        announce(t('The card was read.'));
      });
    },
    onBadRead: () => setProblem('number', t('The card couldn’t be read. Swipe again or enter the number.')),
  });
  const showProblems = (found: Partial<Record<CardField, string>>) => {
    setProblems(found);
    const first = FIELDS.find((field) => found[field]);
    if (first) refs[first].current?.focus();
    return first !== undefined;
  };

  return {
    refs,
    problems,
    brand: read.brand?.name,
    firstDigits,
    codeDigits,
    clear,
    onInput: (field) => (event) => {
      const input = refs[field].current;
      if (!input) return;
      const format = { number: groupCardNumber, expiry: formatExpiry, code: (text: string) => digitsOf(text).slice(0, codeDigits) }[field];
      const formatted = reformat({ text: input.value, caret: input.selectionStart ?? input.value.length }, format);
      if (formatted.text !== input.value) {
        input.value = formatted.text;
        input.setSelectionRange(formatted.caret, formatted.caret);
      }
      setProblem(field, undefined);
      if (field === 'number') numberChanged(input.value);
      const isInserted = event.nativeEvent instanceof InputEvent && event.nativeEvent.inputType.startsWith('insert');
      if (!autoAdvance || !isInserted || input.selectionStart !== input.value.length) return;
      if (field === 'number' && readCardNumber(input.value).finished) refs.expiry.current?.focus();
      if (field === 'expiry' && readExpiry(input.value, monthOf(new Date())).kind === 'valid') refs.code.current?.focus();
    },
    onBlur: (field) => () => {
      if (textOf(field).trim() !== '') setProblem(field, problemOf(field));
    },
    read: () => {
      if (showProblems(Object.fromEntries(visibleFields.map((field) => [field, problemOf(field)])))) return undefined;
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
    showRefusal: ({ field, message }) => {
      if (field === 'card.number') return showProblems({ number: message });
      if (field?.startsWith('card.expiry')) return showProblems({ expiry: message });
      return field === 'card.cvv' && showProblems({ code: message });
    },
  };
}
