// npm hands a signal to the shell between it and us, and a shell ends without passing it on. Whoever stops `npm run serve` means the server:
// so when that shell is gone, we get the signal that it got.
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
