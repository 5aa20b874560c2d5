import { sdkSurchargeQuote } from '../surcharge-routes.ts';
import { sdkPayments } from './payments.ts';

/** Routes of the SDK surface, with the API key as bearer token and PascalCase names. */
export const sdkRoutes = [...sdkPayments, sdkSurchargeQuote];
