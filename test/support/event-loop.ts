/** A block of the event loop by this process, in milliseconds of processor time, that no request may cause. */
export const BLOCK_MS_MAX = 200;

/** Returns the processor time of this thread in milliseconds. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Watches the event loop in processor time, which other programs of the computer do not change. */
export function watchEventLoop() {
  let last = processorMs();
  let longestMs = 0;
  const look = () => {
    const time = processorMs();
    longestMs = Math.max(longestMs, time - last);
    last = time;
  };
  const timer = setInterval(look, 5);
  return {
    end(): number {
      clearInterval(timer);
      look();
      return longestMs;
    },
  };
}
