// Loaded into a measured server with `--import`: measures the delay of its event loop between the messages `start` and `stop` of the bench.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;
const NS_PER_MS = 1_000_000;

/** Delay of the event loop in milliseconds: how much later than planned a timer ran. */
export interface EventLoopDelay {
  readonly p99: number;
  readonly max: number;
}

const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

// A recorded time contains the interval of the timer.
const delayOf = (ns: number) => Math.max(0, ns / NS_PER_MS - RESOLUTION_MS);

process.on('message', (message) => {
  if (message === 'start') {
    histogram.reset();
    histogram.enable();
  } else if (message === 'stop') {
    histogram.disable();
    const delay: EventLoopDelay = { p99: delayOf(histogram.percentile(99)), max: delayOf(histogram.max) };
    process.send?.(delay);
  }
});
// The bench stops the server with a signal, and the channel must not keep it running.
process.channel?.unref();
