import { t } from '#renderer/base/language';
import { EntryField } from './entry-field.tsx';
import type { SaleRules } from './form.ts';
import { postalRule } from './postal-code.ts';
import { Cell, SaleSection } from './sale-section.tsx';
import type { SaleForm } from './use-sale-form.ts';

interface MoreFieldsProps {
  readonly form: SaleForm;
  readonly rules: SaleRules;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly frozen: boolean;
  /** Fields for the customer and for saving the card. */
  readonly children: React.ReactNode;
}

/** Optional details of a sale. */
export function MoreFields({ form, rules, open, onToggle, frozen, children }: MoreFieldsProps) {
  const common = { frozen, tight: true };
  const postal = postalRule(rules.country);
  // The card fields contain the ZIP code if the merchant requires it for cards.
  const hasZip = rules.mode !== 'card' || !rules.requireZip;
  return (
    <SaleSection id="sale-more" label={t('More: customer, receipt, order, address')} keys="F4" open={open} onToggle={onToggle}>
      <Cell span={6}>{children}</Cell>
      <Cell span={3}>
        <EntryField {...common} bound={form.field('name')} label={t('Customer name')} maxLength={100} />
      </Cell>
      <Cell span={3}>
        <EntryField {...common} bound={form.field('email')} label={t('Receipt email')} email maxLength={200} />
      </Cell>
      <Cell span={3}>
        <EntryField {...common} bound={form.field('phone')} label={t('Phone')} maxLength={30} />
      </Cell>
      <Cell span={3}>
        <EntryField {...common} bound={form.field('order')} label={t('Order ID')} maxLength={100} />
      </Cell>
      <Cell span={6}>
        <EntryField {...common} bound={form.field('description')} label={t('Description')} maxLength={500} />
      </Cell>
      <Cell span={hasZip ? 6 : 3}>
        <EntryField {...common} bound={form.field('street')} label={t('Street')} maxLength={200} />
      </Cell>
      <Cell span={2}>
        <EntryField {...common} bound={form.field('city')} label={t('City')} maxLength={100} />
      </Cell>
      <Cell span={hasZip ? 2 : 1}>
        <EntryField {...common} bound={form.field('state')} label={t('State')} maxLength={50} />
      </Cell>
      {hasZip && (
        <Cell span={2}>
          <EntryField {...common} bound={form.field('zip')} label={postal.label} numeric={postal.numeric} maxLength={10} />
        </Cell>
      )}
    </SaleSection>
  );
}
