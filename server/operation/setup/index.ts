export { givenKey } from './given-key.ts';
export { checkChoice, checkEmpty, examineDatabase, keyToJoin } from './join.ts';
export { asServiceError, restoreInto } from './restore.ts';
export { type SetupPort, setupRoutes } from './setup.ts';
