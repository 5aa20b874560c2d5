export { useHasRecorder } from './recorder.tsx';
export { SandboxBar, type SandboxPanel } from './sandbox-bar.tsx';
export { useHasTestClock } from './test-clock.tsx';
