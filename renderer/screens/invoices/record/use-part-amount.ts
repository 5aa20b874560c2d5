import { useState } from 'react';
import type { ApiFailure, Invoice } from '#renderer/client';
import { amountProblem, decimalText, readAmount, toMinor, writeMoney } from '#renderer/money';

export interface PartAmount {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Decimal text as the service takes it; undefined while what is typed cannot be paid. */
  readonly decimal: string | undefined;
  /** Said once the form was submitted. */
  readonly problem: string | undefined;
  /** More than is due: what may be paid at most, as decimal text. */
  readonly most: string | undefined;
  /** Judges the entry; true when it can be sent. */
  readonly check: () => boolean;
}

/** The amount of a payment: all that is due and not held by another payment, unless written over. */
export function usePartAmount({ amountDue, amountPending, currency }: Invoice, failure: ApiFailure | null): PartAmount {
  const free = toMinor(amountDue, currency) - toMinor(amountPending, currency);
  const most = decimalText(free, currency);
  const [text, setText] = useState(most);
  const [isChecked, setChecked] = useState(false);
  const reading = readAmount(text, currency);
  const decimal = reading.kind === 'valid' ? reading.decimal : undefined;
  const isTooMuch = decimal !== undefined && toMinor(Number(decimal), currency) > free;
  const isRefused = failure?.code === 'PAYMENT_EXCEEDS_DUE';
  const isOver = isTooMuch && (isChecked || isRefused);
  return {
    text,
    setText: (typed) => {
      setText(typed);
      setChecked(false);
    },
    decimal: isTooMuch ? undefined : decimal,
    problem: isOver
      ? `Only ${writeMoney(most, currency)} is due.`
      : isRefused
        ? 'More than is due: something was paid meanwhile.'
        : ((isChecked ? amountProblem(text, currency) : null) ?? undefined),
    most: isOver ? most : undefined,
    check: () => {
      setChecked(true);
      return decimal !== undefined && !isTooMuch;
    },
  };
}
