import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { announce } from '#renderer/kit/ui';
import { useIsLocked } from '#renderer/session/user';
import {
  type CardBrand,
  cardNumberProblem,
  digitsOf,
  expiryProblem,
  formatExpiry,
  groupCardNumber,
  monthOf,
  readCardNumber,
  readExpiry,
  reformat,
  useWedge,
} from '#renderer/shared/card-entry';

/** Fields of a card in the order in which a caller reads them out; the last one is the security code or the consent. */
const FIELDS = ['number', 'expiry', 'last'] as const;
type CardField = (typeof FIELDS)[number];
type CardProblems = Readonly<Partial<Record<CardField, string>>>;

const FIRST_DIGITS = 8;

interface CardFormOptions {
  /** Name of the last field in the API. */
  readonly lastName: string;
  /** False while the last field is not asked for. */
  readonly asksLast?: boolean;
  readonly problemOfLast: (text: string, brand: CardBrand | null) => string | undefined;
  /** Formats the last field while it is typed; the focus then moves on to it after the expiry. */
  readonly formatLast?: (text: string, brand: CardBrand | null) => string;
  /** Fields that are emptied when the screen locks. */
  readonly cleared?: readonly CardField[];
  /** Called before a swiped card fills the fields. */
  readonly onSwiped?: () => void;
}

/** A card as it is typed. */
export interface EnteredCard {
  readonly number: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
}

/** Inputs of a card, which are the only place that holds its number. */
export interface CardForm {
  readonly brand: CardBrand | null;
  /** First eight digits of the number; empty until they are typed. */
  readonly firstDigits: string;
  readonly hasProblems: boolean;
  /** Properties of the text field of a field. */
  readonly bind: (field: CardField) => {
    readonly inputRef: RefObject<HTMLInputElement | null>;
    readonly onInput: (event: FormEvent) => void;
    readonly onBlur: () => void;
    readonly error: boolean;
    readonly helperText: string | undefined;
  };
  /** Validates the inputs and focuses the first problem; returns the card if there is none, and undefined also without a form. */
  readonly read: () => { readonly card: EnteredCard; readonly last: string } | undefined;
  /** Shows the service's refusal beside its field. Returns false if it has none. */
  readonly showRefusal: (failure: ApiFailure) => boolean;
  readonly clear: (fields?: readonly CardField[]) => void;
}

/**
 * Card form over native inputs, with the rules of the terminal: the text is read for one request, a swipe fills it, and locking clears it.
 */
export function useCardForm(options: CardFormOptions): CardForm {
  const { lastName, asksLast = true, problemOfLast, formatLast, cleared = FIELDS, onSwiped } = options;
  const refs = { number: useRef<HTMLInputElement>(null), expiry: useRef<HTMLInputElement>(null), last: useRef<HTMLInputElement>(null) };
  const [problems, setProblems] = useState<CardProblems>({});
  const [brand, setBrand] = useState<CardBrand | null>(null);
  const [firstDigits, setFirstDigits] = useState('');
  const autoAdvance = useWorkstation((settings) => settings.autoAdvance);
  const isLocked = useIsLocked();
  const textOf = (field: CardField) => refs[field].current?.value ?? '';
  const expiryOf = () => readExpiry(textOf('expiry'), monthOf(new Date()));
  const setProblem = (field: CardField, message: string | undefined) => setProblems((all) => ({ ...all, [field]: message }));
  const problemOf = (field: CardField): string | undefined => {
    if (field === 'number') return cardNumberProblem(textOf('number')) ?? undefined;
    if (field === 'expiry') return expiryProblem(textOf('expiry'), monthOf(new Date())) ?? undefined;
    return problemOfLast(textOf('last'), readCardNumber(textOf('number')).brand);
  };
  const changed = (field: CardField) => {
    setProblem(field, undefined);
    if (field !== 'number') return;
    // Only the brand and the first digits leave the input.
    const digits = digitsOf(textOf('number')).slice(0, FIRST_DIGITS);
    setBrand(readCardNumber(textOf('number')).brand);
    setFirstDigits(digits.length === FIRST_DIGITS ? digits : '');
  };
  const write = (field: CardField, text: string) => {
    const input = refs[field].current;
    if (input) input.value = text;
    changed(field);
  };
  const clear = (fields: readonly CardField[] = cleared) => {
    for (const field of fields) write(field, '');
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once when the screen locks.
  useEffect(() => {
    if (isLocked) clear();
  }, [isLocked]);
  useWedge({
    onSwipe: ({ number, expiry }) => {
      if (isLocked) return;
      onSwiped?.();
      // The swipe may render the card fields first.
      requestAnimationFrame(() => {
        write('number', groupCardNumber(number));
        write('expiry', expiry);
        refs.last.current?.focus();
        announce(t('The card was read.'));
      });
    },
    onBadRead: () => setProblem('number', t('The card couldn’t be read. Swipe again or enter the number.')),
  });
  const showProblems = (found: CardProblems) => {
    setProblems(found);
    const first = FIELDS.find((field) => found[field]);
    if (first) refs[first].current?.focus();
    return first !== undefined;
  };
  const onInput = (field: CardField) => (event: FormEvent) => {
    const input = refs[field].current;
    if (!input) return;
    const format = { number: groupCardNumber, expiry: formatExpiry, last: formatLast && ((text: string) => formatLast(text, brand)) }[
      field
    ];
    if (format) {
      const formatted = reformat({ text: input.value, caret: input.selectionStart ?? input.value.length }, format);
      if (formatted.text !== input.value) {
        input.value = formatted.text;
        input.setSelectionRange(formatted.caret, formatted.caret);
      }
    }
    changed(field);
    const isInserted = event.nativeEvent instanceof InputEvent && event.nativeEvent.inputType.startsWith('insert');
    if (!autoAdvance || !isInserted || input.selectionStart !== input.value.length) return;
    if (field === 'number' && readCardNumber(input.value).finished) refs.expiry.current?.focus();
    if (field === 'expiry' && formatLast && expiryOf().kind === 'valid') refs.last.current?.focus();
  };
  return {
    brand,
    firstDigits,
    hasProblems: Object.values(problems).some(Boolean),
    clear,
    bind: (field) => ({
      inputRef: refs[field],
      onInput: onInput(field),
      onBlur: () => textOf(field).trim() !== '' && setProblem(field, problemOf(field)),
      error: problems[field] !== undefined,
      helperText: problems[field],
    }),
    read: () => {
      const asked = FIELDS.filter((field) => field !== 'last' || asksLast);
      if (showProblems(Object.fromEntries(asked.map((field) => [field, problemOf(field)])))) return undefined;
      const expiry = expiryOf();
      if (expiry.kind !== 'valid') return undefined;
      const card = { number: readCardNumber(textOf('number')).digits, expiryMonth: expiry.month, expiryYear: expiry.year };
      return { card, last: textOf('last').trim() };
    },
    showRefusal: ({ field, message }) => {
      const name =
        field === 'card.number' ? 'number' : field?.startsWith('card.expiry') ? 'expiry' : field === lastName ? 'last' : undefined;
      return name !== undefined && showProblems({ [name]: message });
    },
  };
}
