import { useState } from 'react';
import { t } from '#renderer/base/language';
import { ChoiceSetting, Group, SwitchSetting, TextSetting } from './fields.tsx';
import type { ValuesOf } from './sections.ts';
import type { Draft } from './use-draft.ts';

/** Settings of the tips that payers can add on pay pages. */
export function PageTips({ draft: { values, set, faultOf }, isReadOnly }: { draft: Draft<ValuesOf<'amounts'>>; isReadOnly: boolean }) {
  return (
    <Group title={t('Tips on pay pages')}>
      <ChoiceSetting
        label={t('Pay pages with a tip')}
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
      <PercentList
        value={values.tipPercents}
        onValue={(tipPercents) => set({ tipPercents })}
        fault={faultOf('tipPercents')}
        isReadOnly={isReadOnly}
      />
      <SwitchSetting
        label={t('Payers can enter an amount')}
        checked={values.tipCustomAmount}
        onChecked={(tipCustomAmount) => set({ tipCustomAmount })}
        fault={faultOf('tipCustomAmount')}
        isReadOnly={isReadOnly}
      />
    </Group>
  );
}

interface PercentListProps {
  readonly value: readonly number[];
  readonly onValue: (value: number[]) => void;
  readonly fault: string | undefined;
  readonly isReadOnly: boolean;
}

const percentsFrom = (text: string) =>
  text
    .split(/[,;%\s]+/)
    .filter((part) => part !== '')
    .map(Number);

/** A list of percentages in one field. The typed text stays as long as it means the value. */
function PercentList({ value, onValue, ...field }: PercentListProps) {
  const [typed, setTyped] = useState('');
  const isTyped = JSON.stringify(percentsFrom(typed)) === JSON.stringify(value);
  const change = (text: string) => {
    setTyped(text);
    onValue(percentsFrom(text));
  };
  return (
    <TextSetting
      label={t('Suggested tips')}
      unit="%"
      help={t('Up to four whole numbers, such as 15, 18, 20. Empty suggests none.')}
      value={isTyped ? typed : value.join(', ')}
      onValue={change}
      {...field}
    />
  );
}
