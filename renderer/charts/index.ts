export { Bars } from './lazy-bars.tsx';
export type { BarPoint } from './point.ts';
export { BARS_HEIGHT_PX } from './size.ts';
