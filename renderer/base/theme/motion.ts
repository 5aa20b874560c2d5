/** True if the person prefers reduced motion, read when the pages load. */
const isStill = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false;

/** Returns the duration of an animation: zero for reduced motion. */
export const motionMs = (ms: number): number => (isStill ? 0 : ms);
