import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';
import { ChoiceButtons } from '#renderer/kit/choices';
import type { AccountHolder } from '#shared/channels';
import { EntryField } from '../form/entry-field.tsx';
import type { AccountType, SellChannel } from '../form/form.ts';
import type { PaymentFieldsProps } from './card-fields.tsx';

interface BankFieldsProps extends PaymentFieldsProps {
  readonly accountType: AccountType;
  readonly onAccountType: (accountType: AccountType) => void;
  readonly accountHolder: AccountHolder;
  readonly onAccountHolder: (accountHolder: AccountHolder) => void;
}

/** Routing number, account number, account type and holder of a bank debit. */
export function BankFields({ form, frozen, describedBy, accountType, onAccountType, accountHolder, onAccountHolder }: BankFieldsProps) {
  return (
    <>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', gap: 3 }}>
        <EntryField
          bound={form.field('routing')}
          label={t('Routing number')}
          numeric
          required
          frozen={frozen}
          describedBy={describedBy}
          maxLength={14}
        />
        <EntryField bound={form.field('account')} label={t('Account number')} numeric required frozen={frozen} masked maxLength={24} />
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'flex-start' }}>
        <Box sx={{ flex: 1, minWidth: 200 }}>
          <EntryField bound={form.field('holder')} label={t('Name on the account')} required frozen={frozen} maxLength={100} />
        </Box>
        <ChoiceButtons
          label={t('Account type')}
          options={[
            ['checking', t('Checking', { context: 'account' })],
            ['savings', t('Savings')],
          ]}
          value={accountType}
          isDisabled={frozen}
          onChange={onAccountType}
          sx={{ mt: 5, height: 40 }}
        />
        <ChoiceButtons
          label={t('Account holder')}
          options={[
            ['person', t('Person')],
            ['company', t('Company')],
          ]}
          value={accountHolder}
          isDisabled={frozen}
          onChange={onAccountHolder}
          sx={{ mt: 5, height: 40 }}
        />
      </Box>
    </>
  );
}

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
