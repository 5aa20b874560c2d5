export { Bars } from './bars-when-fetched.tsx';
export type { BarPoint } from './point.ts';
export { BARS_HEIGHT_PX } from './size.ts';
