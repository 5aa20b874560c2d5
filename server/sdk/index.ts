import { sdkPayments } from './payments.ts';

/** The SDK surface: API key as bearer, PascalCase names (specification 4.2). */
export const sdkRoutes = [...sdkPayments];
