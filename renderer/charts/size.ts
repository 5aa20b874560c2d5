/** Height of a chart. It is known before the chart is loaded, so that the layout does not shift. */
export const BARS_HEIGHT_PX = 264;
