import { addressSchema, day, oneOf, text, useAddress } from '#renderer/base/address';
import { t } from '#renderer/base/language';
import { TabRow } from '#renderer/kit/choices';
import { SavedViews } from '#renderer/kit/list-settings';
import { RecordPanel, useRecordAddress } from '#renderer/kit/record';
import { Screen } from '#renderer/kit/ui';
import { PERIODS } from '#renderer/session/periods';
import { useMay } from '#renderer/session/user';
import { TenderView } from '#renderer/shared/tenders';
import { MyShiftTab } from './my-shift-tab.tsx';
import { KINDS, SORTS, TENDER_STATUSES } from './queries.ts';
import { ShiftView } from './shift-view.tsx';
import { ShiftsTab } from './shifts-tab.tsx';
import { TendersTab } from './tenders-tab.tsx';

const TABS = [
  { id: 'my-shift', name: t('My shift'), permission: 'shifts:read' },
  { id: 'payments', name: t('Payments'), permission: 'tenders:read' },
  { id: 'shifts', name: t('Shifts'), permission: 'shifts:read' },
] as const;

const ADDRESS = addressSchema({
  tab: oneOf(TABS.map(({ id }) => id)),
  kind: oneOf(KINDS),
  status: oneOf(TENDER_STATUSES),
  shiftStatus: oneOf(['open', 'closed']),
  drawer: text,
  period: oneOf(PERIODS),
  startDate: day,
  endDate: day,
  q: text,
  sort: oneOf(SORTS, '-createdAt'),
});

/** Cash, checks and other payments at the counter, and the shifts of cash drawers. */
export function CashScreen() {
  const may = useMay();
  const { values, search, go } = useAddress(ADDRESS);
  const { openId, open, panel } = useRecordAddress('/cash', search);
  // The front desk starts with its own shift.
  const tab = values.tab ?? (may('shifts:write') && !may('reporting:read') ? 'my-shift' : 'payments');
  const onView = (change: Partial<typeof values>) => go({ ...values, page: 1, ...change });
  const clear = () => go({ tab, sort: values.sort });
  const tabProps = { openId, onOpen: open, view: values, onView, onClear: clear };
  return (
    <Screen
      title={t('Register')}
      fillsHeight
      subtitle={t('Payments without a processor, and the cash drawers that hold them.')}
      actions={<SavedViews />}
    >
      <TabRow
        label={t('Register')}
        tabs={TABS.filter(({ permission }) => may(permission))}
        value={tab}
        onChange={(next) => go({ tab: next })}
      />
      {tab === 'my-shift' && <MyShiftTab />}
      {tab === 'payments' && <TendersTab {...tabProps} />}
      {tab === 'shifts' && <ShiftsTab {...tabProps} />}
      <RecordPanel label={openId?.startsWith('shf_') ? t('Shift') : t('Payment')} {...panel}>
        {(id, isOpen) =>
          id.startsWith('shf_') ? <ShiftView shiftId={id} takesFocus={isOpen} /> : <TenderView tenderId={id} takesFocus={isOpen} />
        }
      </RecordPanel>
    </Screen>
  );
}
