// npm sends signals to the shell between npm and the program, and the shell ends without forwarding them; `npx` ends without its program. This process
// therefore sends itself the signal when its parent has ended. Plain JavaScript, because the package contains it.
import { isMainThread } from 'node:worker_threads';

const CHECK_INTERVAL_MS = 250;
const parent = process.ppid;

if (isMainThread && process.env.npm_lifecycle_event !== undefined && process.platform !== 'win32') {
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, CHECK_INTERVAL_MS);
  watch.unref();
}
