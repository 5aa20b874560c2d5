/** Form of a chart: bars or a line over time, or one horizontal bar for each part of a whole. */
export type ChartKind = 'bars' | 'line' | 'breakdown';
