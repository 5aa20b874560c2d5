import Skeleton from '@mui/material/Skeleton';
import { Fetched } from '#renderer/ui';
import type { BarsProps } from './bars.tsx';
import { BARS_HEIGHT_PX } from './size.ts';

const fetchBars = async () => (await import('./bars.tsx')).Bars;

/** Fetched when the first chart is shown. */
export function Bars(props: BarsProps) {
  return <Fetched of={fetchBars} props={props} meanwhile={<Skeleton height={BARS_HEIGHT_PX} />} />;
}
