import Skeleton from '@mui/material/Skeleton';
import { Lazy } from '#renderer/ui';
import type { BarsProps } from './bars.tsx';
import { BARS_HEIGHT_PX } from './size.ts';

const fetchBars = async () => (await import('./bars.tsx')).Bars;

/** The bar chart, loaded when the first chart is shown. */
export function Bars(props: BarsProps) {
  return <Lazy load={fetchBars} props={props} fallback={<Skeleton height={BARS_HEIGHT_PX} />} />;
}
