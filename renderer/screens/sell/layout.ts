/** Below, the ticket comes first and the items follow it; above, they stand side by side and scroll on their own. */
export const WIDE = '@media (min-width: 800px)';
/** Windows in which the ticket has its full width. */
export const WIDER = '@media (min-width: 1101px)';
