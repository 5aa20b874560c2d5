import { describe } from 'vitest';
import { defineCommonTests } from './common-tests.ts';
import { asShell, launchDouble, WITHOUT_SCREENS } from './shell.ts';

describe('built application on the Electron double', () => {
  defineCommonTests(async () => asShell(await launchDouble([WITHOUT_SCREENS])));
});
