import { useEffect, useRef } from 'react';
import { isUnderOverlay } from '#renderer/kit/ui';
import { useIsLocked } from '#renderer/session/user';
import { takeInterruptedCharge } from '../charge/attempt-key.ts';
import { type SaleField, type SaleValues, SHIPPING_FIELDS } from '../form/form.ts';
import type { SaleForm } from '../form/use-sale-form.ts';
import type { FocusTarget, TerminalEvent } from '../state/terminal-state.ts';

/** Fields that may be hidden among the details of the sale. */
export const DETAIL_FIELDS: ReadonlySet<FocusTarget> = new Set<SaleField>([
  'name',
  'email',
  'phone',
  'order',
  'description',
  'street',
  'city',
  'state',
  'zip',
  ...SHIPPING_FIELDS,
]);

export const hasDetails = (values: SaleValues) => Object.keys(values).some((field) => DETAIL_FIELDS.has(field as SaleField));

/** Removes card and account numbers from the page when the screen locks; the rest of the form stays. */
export function useLock(dispatch: (event: TerminalEvent) => void): void {
  const isLocked = useIsLocked();
  useEffect(() => {
    if (isLocked) dispatch({ kind: 'screen-locked' });
  }, [isLocked, dispatch]);
}

/** Offers the card reader of this workstation as soon as it is known, unless the clerk has typed. */
export function useReaderFirst(isFirst: boolean, isUntouched: () => boolean, dispatch: (event: TerminalEvent) => void): void {
  useEffect(() => {
    if (isFirst && isUntouched()) dispatch({ kind: 'mode-chosen', mode: 'reader' });
  }, [isFirst, isUntouched, dispatch]);
}

/** Fills in the values of a link, focuses the amount, and warns of a charge that a reload interrupted. */
export function usePrefill(
  prefill: SaleValues,
  form: SaleForm,
  dispatch: (event: TerminalEvent) => void,
  showDetails: (areOpen: boolean) => void,
): void {
  const latest = useRef(form);
  latest.current = form;
  useEffect(() => {
    latest.current.fill(prefill);
    if (hasDetails(prefill)) showDetails(true);
    if (!isUnderOverlay()) latest.current.focus('amount');
  }, [prefill, showDetails]);
  useEffect(() => {
    if (takeInterruptedCharge(sessionStorage)) dispatch({ kind: 'interrupted-charge-found' });
  }, [dispatch]);
}
