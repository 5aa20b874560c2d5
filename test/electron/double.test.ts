import { describe } from 'vitest';
import { mainFlows } from './flows.ts';
import { asShell, launchDouble } from './shell.ts';

describe('the built shell on the double of Electron', () => {
  mainFlows(async () => asShell(await launchDouble()));
});
