import Skeleton from '@mui/material/Skeleton';
import { Lazy } from '#renderer/kit/ui';
import type { ChartProps } from './chart.tsx';
import { CHART_HEIGHT_PX } from './size.ts';

const fetchChart = async () => (await import('./chart.tsx')).Chart;

/** A chart, loaded with its library when the first one is shown. */
export function Chart(props: ChartProps) {
  return <Lazy load={fetchChart} props={props} fallback={<Skeleton height={props.height ?? CHART_HEIGHT_PX} />} />;
}
