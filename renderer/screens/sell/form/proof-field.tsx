import { t } from '#renderer/base/language';
import type { PaymentFieldsProps } from './card-fields.tsx';
import { EntryField } from './entry-field.tsx';
import type { SellChannel } from './form.ts';

const LABELS: Readonly<Record<SellChannel, string>> = {
  phone: t('Recording or notice of the authorization'),
  mail: t('Reference of the signed form'),
  counter: t('Reference of the signed form'),
  unscheduled: t('Reference of the authorization'),
};

/** Reference of the authorization of a bank debit, as its channel requires it. */
export function ProofField({ form, rules, frozen, channel }: PaymentFieldsProps & { readonly channel: SellChannel }) {
  const label = LABELS[channel];
  return (
    <EntryField
      bound={form.field('proof')}
      label={rules.requireProof ? label : t('{{field}} (optional)', { field: label })}
      required={rules.requireProof === true}
      frozen={frozen}
      maxLength={100}
    />
  );
}
