export { ChartSkeleton } from './chart-skeleton.tsx';
export type { ChartKind } from './kind.ts';
export { Chart } from './lazy-chart.tsx';
export type { ChartPoint } from './point.ts';
