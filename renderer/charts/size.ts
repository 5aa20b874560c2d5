/** Height of a chart, known before it has come, so that nothing jumps. */
export const BARS_HEIGHT_PX = 264;
