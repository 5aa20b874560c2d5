export { type Surcharge, useSurcharge } from './use-surcharge.ts';
