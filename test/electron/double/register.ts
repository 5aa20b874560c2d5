// Loaded by `node --import` before the built main process, whose `electron` becomes the double beside this file.
import { registerHooks } from 'node:module';
import './control.ts';

const DOUBLE = new URL('./electron.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => (specifier === 'electron' ? { url: DOUBLE, shortCircuit: true } : next(specifier, context)),
});
