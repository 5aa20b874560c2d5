/** Height of a chart over time. It is known before the chart is loaded, so that the layout does not shift. */
export const CHART_HEIGHT_PX = 264;
/** Height of one row of a breakdown. */
export const ROW_HEIGHT_PX = 36;
