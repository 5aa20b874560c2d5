import type { Transaction } from '#renderer/base/client';
import { useWorkstation } from '#renderer/base/workstation';
import { isTender } from '../form/form.ts';
import { totalOf } from '../form/total.ts';
import type { Terminal } from '../terminal/use-terminal.ts';
import { BankFields, ProofField } from './bank-fields.tsx';
import { CardFields } from './card-fields.tsx';
import { GiftCardFields } from './gift-card-fields.tsx';
import { ReaderFields } from './reader-fields.tsx';
import { SavedFields } from './saved-fields.tsx';
import { TenderFields } from './tender-fields.tsx';

/** ID of the sentence about the automatic focus. */
export const ADVANCE_NOTE = 'sale-advance-note';

/** Fields of the payment method. No card or account is entered during an outage; a saved one can still be chosen. */
export function PaymentFields({ terminal, recent }: { terminal: Terminal; recent: readonly Transaction[] }) {
  const { form, rules, stage, mode, payer, dispatch } = terminal;
  const autoAdvance = useWorkstation((workstation) => workstation.autoAdvance);
  const isSending = stage.kind === 'sending';
  const isStopped = terminal.outage !== null;
  const frozen = isSending || (isStopped && mode !== 'saved');
  const props = { form, rules, frozen, ...(autoAdvance ? { describedBy: ADVANCE_NOTE } : {}) };
  if (mode === 'gift_card') return <GiftCardFields terminal={terminal} />;
  if (isTender(mode)) {
    const total = totalOf(form, rules)?.decimal ?? null;
    return (
      <TenderFields
        mode={mode}
        form={form}
        total={total}
        currency={rules.currency}
        cashDue={terminal.cashDue}
        frozen={isSending}
        onTake={terminal.charge}
      />
    );
  }
  return (
    <>
      {mode === 'card' && <CardFields {...props} />}
      {mode === 'reader' && <ReaderFields choice={terminal.readers} frozen={frozen} />}
      {mode === 'bank' && (
        <BankFields
          {...props}
          accountType={terminal.accountType}
          onAccountType={(accountType) => dispatch({ kind: 'account-type-chosen', accountType })}
          accountHolder={terminal.accountHolder}
          onAccountHolder={(accountHolder) => dispatch({ kind: 'account-holder-chosen', accountHolder })}
        />
      )}
      {mode === 'saved' && (
        <SavedFields
          {...props}
          recent={recent}
          payer={payer.payer}
          onMethod={payer.chooseMethod}
          onCustomer={() => dispatch({ kind: 'customer-field-requested' })}
        />
      )}
      {terminal.isBankDebit && <ProofField {...props} channel={terminal.channel} />}
    </>
  );
}
