import { Lazy } from '#renderer/kit/ui';
import type { ChartProps } from './chart.tsx';
import { ChartSkeleton } from './chart-skeleton.tsx';

const fetchChart = async () => (await import('./chart.tsx')).Chart;

/** A chart, loaded with its library when the first one is shown. */
export function Chart(props: ChartProps) {
  return <Lazy load={fetchChart} props={props} fallback={<ChartSkeleton height={props.height} />} />;
}
