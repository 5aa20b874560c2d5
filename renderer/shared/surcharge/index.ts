export { type Surcharge, useReaderSurcharge, useSurcharge } from './use-surcharge.ts';
