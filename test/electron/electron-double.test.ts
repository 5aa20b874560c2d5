import { describe } from 'vitest';
import { defineCommonTests } from './common-tests.ts';
import { asShell, launchDouble } from './shell.ts';

describe('built application on the Electron double', () => {
  defineCommonTests(async () => asShell(await launchDouble()));
});
