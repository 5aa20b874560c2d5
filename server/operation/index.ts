export { type Composition, compose, derivedSecret, inDataDirectory, type ServerOptions, serviceKeyOf } from './compose.ts';
export { unfinishedDemoIn } from './installation-parts.ts';
