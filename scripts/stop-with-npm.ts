// npm sends signals to the shell between npm and the server, and the shell ends without forwarding them. This process therefore sends itself
// the signal when the shell has ended.
import { isMainThread } from 'node:worker_threads';

const CHECK_INTERVAL_MS = 250;
const shell = process.ppid;

if (isMainThread && process.env.npm_lifecycle_event !== undefined && process.platform !== 'win32') {
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, CHECK_INTERVAL_MS);
  watch.unref();
}
