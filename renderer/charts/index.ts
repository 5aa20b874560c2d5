import { lazy } from 'react';

export type { BarPoint } from './point.ts';
export { BARS_HEIGHT_PX } from './size.ts';
/** Fetched when the first chart is shown. */
export const Bars = lazy(async () => ({ default: (await import('./bars.tsx')).Bars }));
