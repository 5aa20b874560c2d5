import { type ReactNode, useState } from 'react';
import { t } from '#renderer/base/language';
import { announce } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { totalOf } from '../form/total.ts';
import type { Terminal } from '../use-terminal.ts';
import { type TenderChoice, tendersOf } from './kinds.ts';
import { TenderBar } from './tender-bar.tsx';
import { TenderDialog } from './tender-dialog.tsx';
import type { TenderSale } from './use-tender.ts';

interface Tenders {
  readonly bar: ReactNode;
  /** Must be outside of the form of the sale, which would handle its keys. */
  readonly dialog: ReactNode;
}

/** Payments without a card for the amount of the form. Focuses the amount while it is not valid. */
export function useTenders({ form, rules, stage, payer, basket, dispatch }: Terminal): Tenders {
  const may = useMay();
  const choices = tendersOf(useMerchant());
  const [opened, setOpened] = useState<{ readonly choice: TenderChoice; readonly sale: TenderSale }>();
  const choose = (choice: TenderChoice) => {
    const values = form.values();
    // A surcharge is for cards only.
    const total = totalOf(values, { ...rules, mode: 'bank' });
    if (total === null) {
      form.focus('amount');
      return announce(basket.discount === null ? t('Enter the amount first.') : t('Enter an amount above the discount first.'));
    }
    const { email, order, description } = values;
    const lines = basket.requests();
    const tip = total.tip === null ? [] : [{ description: 'Tip', unitPrice: total.tip }];
    const customerId = payer.payer?.customer.customerId;
    const sale = {
      amount: total.decimal,
      currency: rules.currency,
      ...(customerId && { customerId }),
      ...(email?.trim() && { customerEmail: email.trim() }),
      ...(order?.trim() && { orderId: order.trim() }),
      ...(description?.trim() && { description: description.trim() }),
      ...(lines
        ? { lineItems: [...lines, ...tip] }
        : { ...(total.tax !== null && { taxAmount: total.tax }), ...(total.discount !== null && { discountAmount: total.discount }) }),
    };
    setOpened({ choice, sale });
  };
  const isOffered = may('tenders:write') && choices.length > 0;
  return {
    bar: isOffered && <TenderBar choices={choices} isDisabled={stage.kind !== 'entry'} onChoose={choose} />,
    dialog: opened && (
      <TenderDialog
        choices={choices}
        initial={opened.choice}
        sale={opened.sale}
        onClose={() => setOpened(undefined)}
        onDone={() => {
          setOpened(undefined);
          dispatch({ kind: 'new-sale-requested' });
        }}
      />
    ),
  };
}
