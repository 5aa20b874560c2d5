import { useState } from 'react';
import type { ApiFailure } from '#renderer/client';
import { amountProblem, decimalText, readAmount, toMinor, writeMoney } from '#renderer/money';

export interface AmountEntry {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Decimal text as the service takes it; undefined when what is typed is no amount. */
  readonly decimal: string | undefined;
  /** Said once the form was submitted. */
  readonly problem: string | undefined;
  /** More than there is: how much there is, as decimal text. */
  readonly available: string | undefined;
  /** Judges the entry; true when it can be sent. */
  readonly check: () => boolean;
}

/** An amount in a form with a ceiling. `most` in the API's decimal number; undefined where nothing bounds it. */
export function useAmountEntry(currency: string, initial: string, most: number | undefined, failure: ApiFailure | null): AmountEntry {
  const [text, setText] = useState(initial);
  const [isChecked, setChecked] = useState(false);
  const reading = readAmount(text, currency);
  const decimal = reading.kind === 'valid' ? reading.decimal : undefined;
  const isTooMuch = decimal !== undefined && most !== undefined && toMinor(Number(decimal), currency) > toMinor(most, currency);
  const refusedAt = availableOf(failure, currency);
  const limit = refusedAt ?? (most === undefined ? undefined : decimalText(toMinor(most, currency), currency));
  const isOver = (isChecked && isTooMuch) || (refusedAt !== undefined && decimal !== undefined && Number(decimal) > Number(refusedAt));
  const ownProblem = isChecked ? (amountProblem(text, currency) ?? undefined) : undefined;
  return {
    text,
    setText: (typed) => {
      setText(typed);
      setChecked(false);
    },
    decimal,
    problem: isOver && limit !== undefined ? `${writeMoney(limit, currency)} is available.` : ownProblem,
    available: isOver ? limit : undefined,
    check: () => {
      setChecked(true);
      return decimal !== undefined && !isTooMuch;
    },
  };
}

/** Returns the remaining amount of an INVALID_AMOUNT error (specification 7.4). */
function availableOf(failure: ApiFailure | null, currency: string): string | undefined {
  if (failure?.code !== 'INVALID_AMOUNT') return undefined;
  const { availableToRefund, authorizedAmount } = failure.details;
  const available = availableToRefund ?? authorizedAmount;
  return typeof available === 'number' ? decimalText(toMinor(available, currency), currency) : undefined;
}
