import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Refund, TransactionDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { decimalText, fromMinor, toMinor, writeMoney } from '#renderer/base/money';
import { useMay } from '#renderer/session/user';
import type { AmountEntry } from './amount-entry.ts';
import type { RefundRequest } from './operations.ts';
import { refundsQuery } from './queries.ts';
import {
  metadataOf,
  partsOfRefund,
  type Quantities,
  remainingParts,
  returnedBefore,
  sumOfReturned,
  surchargeOfLines,
} from './returned-items.ts';
import { ReturnedItemsFields } from './returned-items-fields.tsx';

const NO_REFUNDS: readonly Refund[] = [];

interface ReturnedItems {
  readonly fields: ReactNode;
  /** Returns what the request of a refund states besides amount and reason. */
  readonly request: (decimal: string) => Pick<RefundRequest, 'metadata'> & Partial<RefundRequest>;
}

/**
 * Choice of the items that come back, and of the tip. Items fill in the amount; an amount that is typed afterwards replaces them. The tip stays with the
 * merchant unless it is chosen, or everything is refunded.
 */
export function useReturnedItems(transaction: TransactionDetail, entry: AmountEntry): ReturnedItems {
  const { transactionId, currency, captured, lineItems } = transaction;
  const mayRead = useMay()('refunds:read');
  const { data } = useQuery({ ...refundsQuery(transactionId), enabled: captured && mayRead });
  const refunds = data?.items ?? NO_REFUNDS;
  const [items, setItems] = useState<{ readonly chosen: Quantities; readonly decimal: string } | null>(null);
  const [returnsTip, setReturnsTip] = useState(false);
  const before = returnedBefore(refunds);
  const remaining = remainingParts(transaction, refunds);
  // Another amount was typed.
  const chosen = items !== null && items.decimal === entry.decimal ? items.chosen : {};
  const hasItems = Object.keys(chosen).length > 0;
  const choose = (next: Quantities, withTip: boolean) => {
    const { amountMinor } = sumOfReturned(lineItems, currency, before, next);
    const tipMinor = withTip ? remaining.tip : 0;
    const decimal = decimalText(amountMinor + surchargeOfLines(amountMinor, remaining) + tipMinor, currency);
    setItems({ chosen: next, decimal });
    entry.setText(decimal);
  };
  const request: ReturnedItems['request'] = (decimal) => {
    const amountMinor = toMinor(Number(decimal), currency);
    const tipMinor = returnsTip ? Math.min(remaining.tip, amountMinor) : 0;
    const parts = (taxMinor: number | null) => partsOfRefund(amountMinor, remaining, tipMinor, taxMinor, currency);
    if (hasItems) return { ...parts(sumOfReturned(lineItems, currency, before, chosen).taxMinor), metadata: metadataOf(chosen) };
    // Without a tip, or for all that is left, the service returns every part in proportion.
    return remaining.tip === 0 || amountMinor > remaining.total - remaining.tip ? {} : parts(null);
  };
  const fields = captured && (
    <>
      {lineItems.length > 0 && (
        <ReturnedItemsFields transaction={transaction} before={before} chosen={chosen} onChosen={(next) => choose(next, returnsTip)} />
      )}
      {remaining.tip > 0 && (
        <FormControlLabel
          control={
            <Checkbox
              checked={returnsTip}
              onChange={(_, isWanted) => {
                setReturnsTip(isWanted);
                if (hasItems) choose(chosen, isWanted);
              }}
            />
          }
          label={t('Also return the tip, {{amount}}', { amount: writeMoney(fromMinor(remaining.tip, currency), currency) })}
        />
      )}
    </>
  );
  return { fields, request };
}
