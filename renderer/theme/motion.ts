/** Whether the person asked their system for less motion; known when the pages load. */
const isStill = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false;

/** How long a movement takes: no time for whoever asked for less motion. */
export const motionMs = (ms: number): number => (isStill ? 0 : ms);
