// npm sends a signal to the shell between it and the server, and a shell ends without passing it on. When that shell is gone, this process
// therefore sends itself the signal.
import { isMainThread } from 'node:worker_threads';

const LOOK_EVERY_MS = 250;
const shell = process.ppid;

if (isMainThread && process.env.npm_lifecycle_event !== undefined && process.platform !== 'win32') {
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  watch.unref();
}
