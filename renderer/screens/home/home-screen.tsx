import Box from '@mui/material/Box';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { ChoiceMenu } from '#renderer/kit/list-settings';
import { FailureNote, Screen } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';
import { FigureChart } from './figure-chart.tsx';
import { FigureRow } from './figure-row.tsx';
import { type Measure, useFigures } from './figures.ts';
import { GetStarted } from './get-started.tsx';
import { LastSales } from './last-sales.tsx';
import { Payouts } from './payouts.tsx';
import { ToDo } from './to-do.tsx';
import { COMPARISONS, PERIODS, useView, type View } from './use-view.ts';

/** Home: the business at a glance. Each part is shown to users who may read it, and fails alone. */
export function HomeScreen() {
  const { merchantId } = useMerchant();
  const today = useToday();
  const may = useMay();
  const view = useView(today);
  const { period, compare, change } = view;
  return (
    <Screen
      title={t('Home')}
      actions={
        <>
          <ChoiceMenu label={t('Period')} options={PERIODS} value={period} onChange={(next) => change({ period: next })} />
          <ChoiceMenu label={t('Compare with')} options={COMPARISONS} value={compare} onChange={(next) => change({ compare: next })} />
        </>
      }
    >
      <Box
        key={merchantId}
        sx={{
          display: 'grid',
          gap: 5,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 2fr) minmax(0, 1fr)' },
        }}
      >
        <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <Sales view={view} today={today} />
          {may('transactions:read') && <LastSales />}
        </Box>
        <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <GetStarted />
          <ToDo />
          {may('settlement:read') && <Payouts />}
        </Box>
      </Box>
    </Screen>
  );
}

/** Head figures, and one of them by day. */
function Sales({ view, today }: { readonly view: View; readonly today: string }) {
  const { merchantId } = useMerchant();
  const [measure, setMeasure] = useState<Measure>('netSales');
  const { data, error, retry } = useFigures(merchantId, view);
  if (error !== null) return <FailureNote failure={error} onRetry={() => void retry()} />;
  return (
    <>
      <FigureRow figures={data} comparedName={view.comparedName} measure={measure} onMeasure={setMeasure} />
      <FigureChart figures={data} measure={measure} today={today} chartedName={view.chartedName} />
    </>
  );
}
