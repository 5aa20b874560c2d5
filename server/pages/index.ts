/** HTML pages: the API explorer, the built screens, the payment page and the hosted card fields. */

export { addAddressProof } from './address-proof.ts';
export { addProviderLogout } from './company-sign-in.ts';
export { addDocs } from './docs/routes.ts';
export { addHostedFields, HOSTED_FIELDS } from './fields/routes.ts';
export { preferredLanguage } from './pay/languages.ts';
export { addPayPages } from './pay/routes.ts';
export { addRenderer } from './renderer.ts';
export { STARTING_PAGE_POLICY, startingPage } from './starting-page.ts';
export { addTypeface } from './typeface.ts';
