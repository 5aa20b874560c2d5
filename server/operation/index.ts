export { type Composition, compose, databaseUrlOf, derivedSecret, inDataDirectory, type ServerOptions, serviceKeyOf } from './compose.ts';
export { unfinishedDemoIn } from './installation-parts.ts';
