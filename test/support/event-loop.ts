/** A block of the event loop by this process, in milliseconds of processor time, that no request may cause. */
export const BLOCK_MS_MAX = 200;

/** Watches the event loop in processor time, which other programs of the computer do not change. */
export function watchEventLoop() {
  const now = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let last = now();
  let longestMs = 0;
  const look = () => {
    const time = now();
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
