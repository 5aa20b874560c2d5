import { t } from '#renderer/base/language';
import { SHIPPING_ADDRESS_LENGTHS as LENGTHS } from '#shared/shipping-address';
import { EntryField } from './entry-field.tsx';
import type { SaleRules } from './form.ts';
import { postalRule } from './postal-code.ts';
import { Cell, SaleSection } from './sale-section.tsx';
import type { SaleForm } from './use-sale-form.ts';

interface ShipToFieldsProps {
  readonly form: SaleForm;
  readonly rules: SaleRules;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly frozen: boolean;
}

/** Address of delivery, which is kept as evidence for disputes. */
export function ShipToFields({ form, rules, open, onToggle, frozen }: ShipToFieldsProps) {
  const common = { frozen, tight: true };
  return (
    <SaleSection id="sale-ship-to" label={t('Ship to')} open={open} onToggle={onToggle}>
      <Cell span={6}>
        <EntryField {...common} bound={form.field('shipStreet')} label={t('Shipping street')} maxLength={LENGTHS.street} />
      </Cell>
      <Cell span={2}>
        <EntryField {...common} bound={form.field('shipCity')} label={t('Shipping city')} maxLength={LENGTHS.city} />
      </Cell>
      <Cell span={2}>
        <EntryField {...common} bound={form.field('shipState')} label={t('Shipping state')} maxLength={LENGTHS.state} />
      </Cell>
      <Cell span={2}>
        <EntryField {...common} bound={form.field('shipZip')} label={postalRule(rules.country).shippingLabel} maxLength={LENGTHS.zip} />
      </Cell>
      <Cell span={6}>
        <EntryField {...common} bound={form.field('shipCountry')} label={t('Shipping country, if abroad')} maxLength={LENGTHS.country} />
      </Cell>
    </SaleSection>
  );
}
