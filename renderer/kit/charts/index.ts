export type { ChartKind } from './kind.ts';
export { Chart } from './lazy-chart.tsx';
export type { ChartPoint } from './point.ts';
export { CHART_HEIGHT_PX } from './size.ts';
