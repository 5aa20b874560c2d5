import { sdkPayments } from './payments/sdk.ts';
import { sdkSurchargeQuote } from './surcharge/routes.ts';

/** Routes of the SDK surface, with the API key as bearer token and PascalCase names. */
export const sdkRoutes = [...sdkPayments, sdkSurchargeQuote];
