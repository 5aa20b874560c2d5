export { useHasRecorder } from './recorder.tsx';
export { SandboxMenu, type SandboxPanel } from './sandbox-menu.tsx';
export { useHasTestClock } from './test-clock.tsx';
