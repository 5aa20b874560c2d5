import { useState } from 'react';
import type { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { amountProblem, decimalText, readAmount, toMinor, writeMoney } from '#renderer/base/money';

export interface AmountEntry {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Decimal text in the form of the API; undefined while the text is not an amount. */
  readonly decimal: string | undefined;
  /** Shown after the form was submitted. */
  readonly problem: string | undefined;
  /** Available amount as decimal text, if the entry exceeds it. */
  readonly available: string | undefined;
  /** Validates the entry. Returns true if it can be sent. */
  readonly check: () => boolean;
}

/** State of an amount field with a maximum. `maximum` is a decimal number of the API; undefined without a limit. */
export function useAmountEntry(currency: string, initial: string, maximum: number | undefined, failure: ApiFailure | null): AmountEntry {
  const [text, setText] = useState(initial);
  const [isChecked, setChecked] = useState(false);
  const reading = readAmount(text, currency);
  const decimal = reading.kind === 'valid' ? reading.decimal : undefined;
  const isTooMuch = decimal !== undefined && maximum !== undefined && toMinor(Number(decimal), currency) > toMinor(maximum, currency);
  const refusedAt = availableOf(failure, currency);
  const limit = refusedAt ?? (maximum === undefined ? undefined : decimalText(toMinor(maximum, currency), currency));
  const isOver = (isChecked && isTooMuch) || (refusedAt !== undefined && decimal !== undefined && Number(decimal) > Number(refusedAt));
  const inputProblem = isChecked ? (amountProblem(text, currency) ?? undefined) : undefined;
  return {
    text,
    setText: (typed) => {
      setText(typed);
      setChecked(false);
    },
    decimal,
    problem: isOver && limit !== undefined ? t('Only {{amount}} is available.', { amount: writeMoney(limit, currency) }) : inputProblem,
    available: isOver ? limit : undefined,
    check: () => {
      setChecked(true);
      return decimal !== undefined && !isTooMuch;
    },
  };
}

/** Returns the remaining amount of an INVALID_AMOUNT error. */
function availableOf(failure: ApiFailure | null, currency: string): string | undefined {
  if (failure?.code !== 'INVALID_AMOUNT') return undefined;
  const { availableToRefund, authorizedAmount } = failure.details;
  const available = availableToRefund ?? authorizedAmount;
  return typeof available === 'number' ? decimalText(toMinor(available, currency), currency) : undefined;
}
