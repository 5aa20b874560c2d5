import { useState } from 'react';
import type { ApiFailure, Invoice } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { amountProblem, decimalText, readAmount, toMinor, writeMoney } from '#renderer/base/money';

export interface PartialAmount {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Decimal text in the form of the API; undefined while the typed amount can't be paid. */
  readonly decimal: string | undefined;
  /** Shown after the form was submitted. */
  readonly problem: string | undefined;
  /** Largest payable amount as decimal text, if the entry exceeds it. */
  readonly maximum: string | undefined;
  /** Validates the entry. Returns true if it can be sent. */
  readonly check: () => boolean;
}

/** State of a payment amount. The default is the amount that is due and not reserved by another payment. */
export function usePartialAmount({ amountDue, amountPending, currency }: Invoice, failure: ApiFailure | null): PartialAmount {
  const remaining = toMinor(amountDue, currency) - toMinor(amountPending, currency);
  const maximum = decimalText(remaining, currency);
  const [text, setText] = useState(maximum);
  const [isChecked, setChecked] = useState(false);
  const reading = readAmount(text, currency);
  const decimal = reading.kind === 'valid' ? reading.decimal : undefined;
  const isTooMuch = decimal !== undefined && toMinor(Number(decimal), currency) > remaining;
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
      ? t('Only {{amount}} is due.', { amount: writeMoney(maximum, currency) })
      : isRefused
        ? t('This is more than is due. Another payment was made in the meantime.')
        : ((isChecked ? amountProblem(text, currency) : null) ?? undefined),
    maximum: isOver ? maximum : undefined,
    check: () => {
      setChecked(true);
      return decimal !== undefined && !isTooMuch;
    },
  };
}
