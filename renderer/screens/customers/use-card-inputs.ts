import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { announce } from '#renderer/kit/ui';
import { useIsLocked } from '#renderer/session/user';
import {
  cardNumberProblem,
  expiryProblem,
  formatExpiry,
  groupCardNumber,
  monthOf,
  readCardNumber,
  readExpiry,
  reformat,
  useWedge,
} from '#renderer/shared/card-entry';
import { containsCardNumber } from '#shared/card-numbers';
import type { CardToStore } from './queries.ts';

/** The fields of the card form by name. */
type CardField = 'number' | 'expiry' | 'consent';
/** Problems by field. */
type CardProblems = Readonly<Partial<Record<CardField, string>>>;

/** Inputs of a card, which are the only place that holds its number. */
interface CardInputs {
  readonly refs: Readonly<Record<CardField, RefObject<HTMLInputElement | null>>>;
  readonly problems: CardProblems;
  /** Brand of the typed number. */
  readonly brand: string | undefined;
  readonly onInput: (field: CardField) => (event: FormEvent) => void;
  readonly onBlur: (field: CardField) => () => void;
  /** Validates the inputs and focuses the first problem; returns the card and the consent if there is none. */
  readonly read: () => { readonly card: CardToStore; readonly consentText: string } | null;
  /** Shows the service's refusal beside its field. Returns false if it has none. */
  readonly showRefusal: (failure: ApiFailure) => boolean;
  /** Empties number and expiry. */
  readonly clear: () => void;
}

const FIELDS: readonly CardField[] = ['number', 'expiry', 'consent'];
const FORMATS = { number: groupCardNumber, expiry: formatExpiry } as const;

function problemOf(field: CardField, text: string): string | undefined {
  if (field === 'number') return cardNumberProblem(text) ?? undefined;
  if (field === 'expiry') return expiryProblem(text, monthOf(new Date())) ?? undefined;
  return containsCardNumber(text) ? t('This text contains a card number. Remove it.') : undefined;
}

/**
 * Card form over native inputs, with the rules of the terminal: the text is read for one request, a swipe fills it, and locking clears it.
 */
export function useCardInputs(): CardInputs {
  const refs = { number: useRef<HTMLInputElement>(null), expiry: useRef<HTMLInputElement>(null), consent: useRef<HTMLInputElement>(null) };
  const [problems, setProblems] = useState<CardProblems>({});
  const [brand, setBrand] = useState<string>();
  const autoAdvance = useWorkstation((settings) => settings.autoAdvance);
  const isLocked = useIsLocked();
  const textOf = (field: CardField) => refs[field].current?.value ?? '';
  const setProblem = (field: CardField, message: string | undefined) => setProblems((all) => ({ ...all, [field]: message }));
  const write = (field: CardField, text: string) => {
    const input = refs[field].current;
    if (input) input.value = text;
    if (field === 'number') setBrand(readCardNumber(text).brand?.name);
    setProblem(field, undefined);
  };
  const clear = () => {
    write('number', '');
    write('expiry', '');
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once when the screen locks.
  useEffect(() => {
    if (isLocked) clear();
  }, [isLocked]);
  useWedge({
    onSwipe: ({ number, expiry }) => {
      if (isLocked) return;
      write('number', groupCardNumber(number));
      write('expiry', expiry);
      refs.consent.current?.focus();
      announce(t('The card was read.'));
    },
    onBadRead: () => setProblem('number', t('The card couldn’t be read. Swipe again or enter the number.')),
  });
  const showProblems = (found: CardProblems) => {
    setProblems(found);
    const first = FIELDS.find((field) => found[field]);
    if (first) refs[first].current?.focus();
    return first !== undefined;
  };

  return {
    refs,
    problems,
    brand,
    clear,
    onInput: (field) => (event) => {
      const input = refs[field].current;
      if (!input) return;
      if (field !== 'consent') {
        const formatted = reformat({ text: input.value, caret: input.selectionStart ?? input.value.length }, FORMATS[field]);
        if (formatted.text !== input.value) {
          input.value = formatted.text;
          input.setSelectionRange(formatted.caret, formatted.caret);
        }
      }
      setProblem(field, undefined);
      if (field !== 'number') return;
      const { brand: known, finished } = readCardNumber(input.value);
      setBrand(known?.name);
      const isInserted = event.nativeEvent instanceof InputEvent && event.nativeEvent.inputType.startsWith('insert');
      if (autoAdvance && finished && isInserted && input.selectionStart === input.value.length) refs.expiry.current?.focus();
    },
    onBlur: (field) => () => {
      if (textOf(field).trim() !== '') setProblem(field, problemOf(field, textOf(field)));
    },
    read: () => {
      const found = Object.fromEntries(FIELDS.map((field) => [field, problemOf(field, textOf(field))]));
      if (showProblems(found)) return null;
      const expiry = readExpiry(textOf('expiry'), monthOf(new Date()));
      if (expiry.kind !== 'valid') return null;
      const card = { number: readCardNumber(textOf('number')).digits, expiryMonth: expiry.month, expiryYear: expiry.year };
      return { card, consentText: textOf('consent').trim() };
    },
    showRefusal: ({ field, message }) => {
      const name =
        field === 'card.number' ? 'number' : field?.startsWith('card.expiry') ? 'expiry' : field === 'consentText' ? 'consent' : undefined;
      return name !== undefined && showProblems({ [name]: message });
    },
  };
}
