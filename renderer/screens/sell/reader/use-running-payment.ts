import { useEffect, useRef } from 'react';
import { api, takeData } from '#renderer/base/client';
import { decimalText, toMinor } from '#renderer/base/money';
import { useMe } from '#renderer/session/user';
import type { PendingCharge } from '../charge/unconfirmed-charges.ts';
import { useUnconfirmedCharges } from '../charge/unconfirmed-charges.ts';
import { pendingCharge } from '../state/stage.ts';
import type { TerminalEvent } from '../state/terminal-state.ts';
import { leaveReader } from './cancel.ts';
import type { ReaderChoice } from './use-card-readers.ts';

interface Watched {
  readonly readers: ReaderChoice;
  readonly dispatch: (event: TerminalEvent) => void;
  /** Returns true if nothing was typed yet. */
  readonly isUntouched: () => boolean;
}

/**
 * Finds the payment that a reload of the page left on the card reader: by the record of this tab, or else as the payment of this person on the reader of
 * this workstation. Ends the payment on the reader when the screen is left.
 */
export function useRunningPayment({ readers: { reader, isFirst }, dispatch, isUntouched }: Watched): void {
  const { user } = useMe();
  const hasLooked = useRef(false);
  useEffect(() => {
    const unconfirmed = useUnconfirmedCharges.getState().open.findLast((charge) => charge.reader);
    if (unconfirmed) dispatch({ kind: 'reader-payment-found', unconfirmed });
  }, [dispatch]);

  useEffect(() => {
    if (reader === null || !isFirst || hasLooked.current) return;
    hasLooked.current = true;
    const { payment } = reader;
    const isKnown = useUnconfirmedCharges.getState().open.some(({ transactionId }) => transactionId === payment?.transactionId);
    if (payment === null || payment.usedBy !== user.email || isKnown) return;
    void findPayment(payment.transactionId).then((unconfirmed) => {
      if (unconfirmed && isUntouched()) dispatch({ kind: 'reader-payment-found', unconfirmed });
    });
  }, [reader, isFirst, user.email, dispatch, isUntouched]);

  useEffect(
    () => () => {
      const unconfirmed = useUnconfirmedCharges.getState().open.findLast((charge) => charge.reader);
      // The payment stays in the list of the screen if it cannot be canceled.
      if (unconfirmed) void leaveReader(unconfirmed).catch(() => undefined);
    },
    [],
  );
}

async function findPayment(id: string) {
  try {
    const transaction = await takeData(api.GET('/api/v1/transactions/{id}', { params: { path: { id } } }));
    const { status, terminal, amount, currency } = transaction;
    if (status !== 'pending' || terminal === null) return null;
    const charge: PendingCharge = { amount: decimalText(toMinor(amount, currency), currency), currency, methodLabel: terminal.name };
    return pendingCharge(transaction, charge);
  } catch {
    return null;
  }
}
