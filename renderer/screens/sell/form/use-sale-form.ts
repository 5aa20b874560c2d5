import { type FormEvent, type KeyboardEvent, type Ref, type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import { t } from '#renderer/base/language';
import {
  type CardBrand,
  digitsOf,
  formatExpiry,
  groupCardNumber,
  readCardNumber,
  reformat,
  securityCodeLength,
} from '#renderer/shared/card-entry';
import {
  type CardFacts,
  cardFactsOf,
  fieldProblem,
  isFinished,
  NO_CARD,
  nextIncomplete,
  problemsOf,
  SALE_FIELDS,
  type SaleField,
  type SaleRules,
  type SaleValues,
} from './form.ts';

/** Binding of an input to the form. The text stays in the input: React state and stores never contain it. */
export interface BoundField {
  readonly inputRef: Ref<HTMLInputElement>;
  readonly name: SaleField;
  readonly problem: string | undefined;
  readonly onInput: (event: FormEvent<HTMLDivElement>) => void;
  readonly onBlur: () => void;
}

export interface SaleForm {
  /** Returns the binding of a field: the same object until its problem changes. */
  readonly field: (name: SaleField) => BoundField;
  readonly brand: CardBrand | null;
  /** The amount as onFieldInput, for the running total. */
  readonly amount: string;
  /** The tip as onFieldInput. */
  readonly tip: string;
  /** The cash that the customer gave, as typed. */
  readonly given: string;
  /** The tax as typed; empty while it is computed. */
  readonly tax: string;
  /** Facts of the card, for its surcharge. */
  readonly card: CardFacts;
  /** Returns the current values of the inputs, for one use. */
  readonly values: () => SaleValues;
  readonly fill: (values: SaleValues) => void;
  readonly clear: (fields: readonly SaleField[]) => void;
  /** Clears all fields. */
  readonly reset: () => void;
  /** Focuses a field. Returns false if it is not on the screen. */
  readonly focus: (field: SaleField) => boolean;
  /** Returns the next required field with a problem after the focused one; null if the sale can be charged. */
  readonly next: () => SaleField | null;
  /** Marks every field with a problem and returns these fields in the order of the screen. */
  readonly validate: () => SaleField[];
  /** Marks a field with a message. */
  readonly setError: (field: SaleField, message: string) => void;
  readonly onBackspace: (event: KeyboardEvent) => void;
}

interface SaleFormOptions {
  readonly rules: SaleRules;
  readonly autoAdvance: boolean;
  /** Called when the user types into a field. */
  readonly onTyped: (field: SaleField) => void;
}

/** Sale form over native inputs, which are its only store: card digits are read for one request and then dropped. */
export function useSaleForm({ rules, autoAdvance, onTyped }: SaleFormOptions): SaleForm {
  const inputs = useRef(new Map<SaleField, HTMLInputElement>());
  const bindings = useRef(new Map<SaleField, BoundField>());
  const handlers = useRef<FieldHandlers>(undefined);
  const { country } = rules;
  const [brand, setBrand] = useState<CardBrand | null>(null);
  const [amount, setAmount] = useState('');
  const [tip, setTip] = useState('');
  const [tax, setTax] = useState('');
  const [given, setGiven] = useState('');
  const [card, setCard] = useState(NO_CARD);
  const [problems, setProblems] = useState<Partial<Record<SaleField, string>>>({});

  const values = useCallback((): SaleValues => Object.fromEntries([...inputs.current].map(([name, input]) => [name, input.value])), []);
  const setError = useCallback((name: SaleField, message: string | undefined) => {
    // Every keystroke clears the field's problem. An unchanged state spares rendering the whole screen.
    setProblems((all) => (all[name] === message ? all : { ...all, [name]: message }));
  }, []);
  const focus = useCallback((name: SaleField) => {
    const input = inputs.current.get(name);
    if (!input) return false;
    input.focus();
    input.select();
    return document.activeElement === input;
  }, []);
  const changed = useCallback(
    (name: SaleField) => {
      const text = inputs.current.get(name)?.value ?? '';
      if (name === 'number') setBrand((known) => sameBrand(known, readCardNumber(text).brand));
      if (name === 'amount') setAmount(text);
      if (name === 'tip') setTip(text);
      if (name === 'tax') setTax(text);
      if (name === 'given') setGiven(text);
      if (name in FACT_FIELDS) setCard((known) => sameFacts(known, cardFactsOf(values(), country)));
    },
    [values, country],
  );
  const write = useCallback(
    (name: SaleField, text: string) => {
      const input = inputs.current.get(name);
      if (!input) return;
      input.value = formatOf(name, values())?.(text) ?? text;
      changed(name);
      setError(name, undefined);
    },
    [changed, setError, values],
  );

  const field = useCallback(
    (name: SaleField): BoundField => {
      const known = bindings.current.get(name) ?? bindField(name, inputs.current, handlers);
      const binding = known.problem === problems[name] ? known : { ...known, problem: problems[name] };
      bindings.current.set(name, binding);
      return binding;
    },
    [problems],
  );

  return useMemo(() => {
    const advance = (from: SaleField) => {
      const next = nextIncomplete(from, values(), rules, new Date());
      if (next !== null) focus(next);
    };
    const onFieldInput = (name: SaleField, event: FormEvent<HTMLDivElement>) => {
      const input = inputs.current.get(name);
      if (!input) return;
      formatInput(name, input, values());
      changed(name);
      setError(name, undefined);
      onTyped(name);
      if (name === 'amount' && isCardNumber(input.value)) return moveCardNumber(input.value);
      const inserted = event.nativeEvent instanceof InputEvent && event.nativeEvent.inputType.startsWith('insert');
      const atEnd = input.selectionStart === input.value.length;
      if (autoAdvance && inserted && atEnd && isFinished(name, values(), rules, new Date())) advance(name);
    };
    /** A card number in the amount belongs to the card field; without one on the screen it is removed. */
    const moveCardNumber = (number: string) => {
      write('amount', '');
      const hasCardField = inputs.current.has('number');
      if (hasCardField) {
        write('number', number);
        advance('number');
      }
      setError('amount', hasCardField ? t('That was the card number. Enter the amount.') : t('That was a card number. It was removed.'));
    };
    const onFieldLeft = (name: SaleField) => {
      const current = values();
      if ((current[name] ?? '').trim() !== '') setError(name, fieldProblem(name, current, rules, new Date()) ?? undefined);
    };
    handlers.current = { onInput: onFieldInput, onLeave: onFieldLeft };
    return {
      brand,
      amount,
      tip,
      tax,
      given,
      card,
      values,
      focus,
      setError,
      field,
      fill: (fieldValues) => {
        for (const [name, text] of Object.entries(fieldValues)) write(name as SaleField, text);
      },
      clear: (names) => {
        for (const name of names) write(name, '');
      },
      reset: () => {
        for (const input of inputs.current.values()) input.value = '';
        setBrand(null);
        setAmount('');
        setTip('');
        setTax('');
        setGiven('');
        setCard(NO_CARD);
        setProblems({});
      },
      next: () => {
        const current = focusedField(inputs.current);
        const next = nextIncomplete(current, values(), rules, new Date());
        // The cursor stays, so the reason has to be shown.
        if (next !== null && next === current) setError(next, fieldProblem(next, values(), rules, new Date()) ?? undefined);
        return next;
      },
      validate: () => {
        const found = problemsOf(values(), rules, new Date());
        setProblems(found);
        return SALE_FIELDS.filter((name) => name in found);
      },
      onBackspace: (event) => {
        const name = focusedField(inputs.current);
        // A current key stops at the beginning of its own field.
        if (name === null || event.repeat || inputs.current.get(name)?.value !== '') return;
        const before = SALE_FIELDS.slice(0, SALE_FIELDS.indexOf(name)).findLast((other) => inputs.current.has(other));
        if (before === undefined) return;
        event.preventDefault();
        const input = inputs.current.get(before);
        input?.focus();
        input?.setSelectionRange(input.value.length, input.value.length);
      },
    };
  }, [rules, autoAdvance, onTyped, brand, amount, tip, tax, given, card, field, values, focus, setError, changed, write]);
}

/** Handlers of the fields of the latest render. */
interface FieldHandlers {
  readonly onInput: (name: SaleField, event: FormEvent<HTMLDivElement>) => void;
  readonly onLeave: (name: SaleField) => void;
}

/** Returns a binding without a problem. It calls the handlers of the latest render, so that it can stay the same. */
function bindField(name: SaleField, inputs: Map<SaleField, HTMLInputElement>, handlers: RefObject<FieldHandlers | undefined>): BoundField {
  return {
    name,
    problem: undefined,
    inputRef: (input: HTMLInputElement | null) => {
      if (input) inputs.set(name, input);
      else inputs.delete(name);
    },
    onInput: (event) => handlers.current?.onInput(name, event),
    onBlur: () => handlers.current?.onLeave(name),
  };
}

const FACT_FIELDS: Partial<Record<SaleField, true>> = { number: true, token: true, zip: true, state: true };

/** Returns the known facts if the ones just read are the same, so that unchanged facts render nothing. */
function sameFacts(known: CardFacts, read: CardFacts): CardFacts {
  return Object.entries(read).every(([name, text]) => known[name as keyof CardFacts] === text) ? known : read;
}

/** Returns the known brand if the one just read is the same, so that an unchanged brand renders nothing. */
function sameBrand(known: CardBrand | null, read: CardBrand | null): CardBrand | null {
  return known?.name === read?.name ? known : read;
}

/** Returns true if an amount without decimals is a complete card number. */
function isCardNumber(amount: string): boolean {
  return /^[\d\s-]+$/.test(amount) && readCardNumber(amount).finished;
}

const ROUTING_DIGITS = 9;
const ACCOUNT_DIGITS_MAX = 17;

function formatOf(name: SaleField, values: SaleValues): ((text: string) => string) | null {
  switch (name) {
    case 'number':
      return groupCardNumber;
    case 'expiry':
      return formatExpiry;
    case 'code':
      return (text) => digitsOf(text).slice(0, securityCodeLength(readCardNumber(values.number ?? '').brand));
    case 'routing':
      return (text) => digitsOf(text).slice(0, ROUTING_DIGITS);
    case 'account':
      return (text) => digitsOf(text).slice(0, ACCOUNT_DIGITS_MAX);
    default:
      return null;
  }
}

function formatInput(name: SaleField, input: HTMLInputElement, values: SaleValues): void {
  const format = formatOf(name, values);
  if (!format) return;
  const formatted = reformat({ text: input.value, caret: input.selectionStart ?? input.value.length }, format);
  if (formatted.text === input.value) return;
  input.value = formatted.text;
  input.setSelectionRange(formatted.caret, formatted.caret);
}

function focusedField(inputs: ReadonlyMap<SaleField, HTMLInputElement>): SaleField | null {
  return [...inputs].find(([, input]) => input === document.activeElement)?.[0] ?? null;
}
