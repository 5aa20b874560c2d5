import { t } from '#renderer/base/language';
import { ValueListField } from '#renderer/kit/pickers';
import { SETTING_NAMES } from '#renderer/shared/settings-pages';
import { ChoiceSetting, Group, SwitchSetting } from './fields.tsx';
import type { ValuesOf } from './sections.ts';
import type { Draft } from './use-draft.ts';

const textsOf = (percents: readonly number[]) => percents.map((percent) => `${percent}%`);
const percentsOf = (texts: readonly string[]) => texts.map((text) => Number(text.replace('%', '')));

/** Settings of the tips that payers can add on pay pages. */
export function PageTips({ draft: { values, set, faultOf }, isReadOnly }: { draft: Draft<ValuesOf<'amounts'>>; isReadOnly: boolean }) {
  return (
    <Group title={SETTING_NAMES.amounts.tipsOnPayPages}>
      <ChoiceSetting
        label={SETTING_NAMES.amounts.payPagesWithATip}
        help={t('A tip is charged in addition and does not pay the invoice. A payment link can differ.')}
        value={values.pageTips}
        options={[
          ['off', t('None', { context: 'pages' })],
          ['links', t('Payment links')],
          ['links_and_invoices', t('Payment links and invoices')],
        ]}
        onValue={(pageTips) => set({ pageTips })}
        fault={faultOf('pageTips')}
        isReadOnly={isReadOnly}
      />
      <ValueListField
        label={SETTING_NAMES.amounts.suggestedTips}
        help={t('Up to four whole percentages, such as 15, 18, 20')}
        value={textsOf(values.tipPercents)}
        normalize={(texts) => textsOf(percentsOf(texts))}
        onValue={(texts) => set({ tipPercents: percentsOf(texts) })}
        separator={/[\s,;]+/}
        fault={faultOf('tipPercents')}
        isReadOnly={isReadOnly}
      />
      <SwitchSetting
        label={SETTING_NAMES.amounts.payerAmount}
        checked={values.tipCustomAmount}
        onChecked={(tipCustomAmount) => set({ tipCustomAmount })}
        fault={faultOf('tipCustomAmount')}
        isReadOnly={isReadOnly}
      />
    </Group>
  );
}
