export { createStore, onReset, resetModuleState } from './module-state.ts';
