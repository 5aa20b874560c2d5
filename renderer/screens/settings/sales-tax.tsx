import { t } from '#renderer/base/language';
import { SETTING_NAMES } from '#renderer/shared/settings-pages';
import { ChoiceSetting, Group, NumberSetting, TextSetting } from './fields.tsx';
import type { ValuesOf } from './sections.ts';
import type { Draft } from './use-draft.ts';

/** Settings of the tax on amounts that are entered without items. */
export function SalesTax({ draft: { values, set, faultOf }, isReadOnly }: { draft: Draft<ValuesOf<'amounts'>>; isReadOnly: boolean }) {
  return (
    <Group title={SETTING_NAMES.amounts.salesTax}>
      <NumberSetting
        label={t('Rate')}
        unit="%"
        help={t(
          'The Sell screen fills in the tax of an amount; it can be changed for each sale. 0 turns it off. Items have their own taxes.',
        )}
        value={values.taxPercent}
        onValue={(taxPercent) => set({ taxPercent: taxPercent ?? 0 })}
        fault={faultOf('taxPercent')}
        isReadOnly={isReadOnly}
      />
      {values.taxPercent > 0 && (
        <>
          <TextSetting
            label={t('Name')}
            value={values.taxName}
            onValue={(taxName) => set({ taxName })}
            fault={faultOf('taxName')}
            isReadOnly={isReadOnly}
          />
          <ChoiceSetting
            label={SETTING_NAMES.amounts.enteredAmounts}
            value={values.taxIncluded ? 'included' : 'added'}
            options={[
              ['added', t('The tax is added to the amount')],
              ['included', t('The amount includes the tax')],
            ]}
            onValue={(choice) => set({ taxIncluded: choice === 'included' })}
            fault={faultOf('taxIncluded')}
            isReadOnly={isReadOnly}
          />
        </>
      )}
    </Group>
  );
}
