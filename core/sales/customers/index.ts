import { bind } from '#core/kernel';
import { createUpdateLink, endPageUpdates, updateAddressIn } from './card-update/links.ts';
import { openUpdatePage, saveOnUpdatePage } from './card-update/page.ts';
import {
  addExternalId,
  createCustomer,
  createCustomerIn,
  lockCustomer,
  lockCustomerRow,
  removeCustomer,
  updateCustomer,
} from './change.ts';
import { addImportedMethod, addMethod, addMethodIn, removeMethodOf, setDefaultMethod, storePaidMethod } from './change-methods.ts';
import type { Dependencies } from './dependencies.ts';
import { prepareMethod } from './methods.ts';
import { networkTransactionId, payer, payerAt, payerOf, payersOf } from './payer.ts';
import { expiring, get, isDeleted, methods, page } from './read.ts';
import { CUSTOMER_WORDS, CUSTOMERS, EXTERNAL_IDS, PAYMENT_METHODS, UPDATE_LINKS } from './schema.ts';
import { foundBy } from './search-words.ts';

export type { UpdateLinkRecipients } from './card-update/links.ts';
export type { CardUpdatePage } from './card-update/page.ts';
export type { CustomerInput, Payer } from './customer.ts';
export type { MethodInput } from './methods.ts';
export { checkAccess, merchantOfCustomer } from './read.ts';
export { READABLE_CUSTOMERS, READABLE_EXTERNAL_IDS, READABLE_METHODS } from './read-model.ts';
export { Customer, CustomerAddress, ExpiringCard, type ExternalId, PaymentMethod, shownMethod, UpdateLink } from './records.ts';

export const TABLES = [CUSTOMERS, PAYMENT_METHODS, CUSTOMER_WORDS, UPDATE_LINKS, EXTERNAL_IDS];

/** Customers and their payment methods. */
export type Customers = ReturnType<typeof createCustomers>;

export const createCustomers = (deps: Dependencies) => ({
  ...bind(deps, { page, get, methods, expiring, foundBy }),
  isDeleted,
  lock: lockCustomer,
  lockRow: lockCustomerRow,
  ...bind(deps, { create: createCustomer, createIn: createCustomerIn, update: updateCustomer, remove: removeCustomer, addExternalId }),
  ...bind(deps, { addMethod, prepareMethod, addMethodIn, addImportedMethod, storePaidMethod }),
  ...bind(deps, { setDefault: setDefaultMethod, removeMethod: removeMethodOf }),
  ...bind(deps, { createUpdateLink, updateAddressIn, endPageUpdates, openUpdatePage, saveOnUpdatePage }),
  ...bind(deps, { payer, payerAt, payerOf, payersOf, networkTransactionId }),
});
