import { type Actor, bind, type Caller } from '#core/kernel';
import { beginMerchant, changeSection, createMerchant, updateMerchant } from './change.ts';
import { closeMerchant, reopenMerchant } from './closing.ts';
import type { Dependencies, MerchantDependencies } from './dependencies.ts';
import { gatewayTypes } from './gateway-check.ts';
import { addGateway, checkGateway, listGateways, removeGateway, updateGateway } from './gateways.ts';
import { addressProblem, proveAddress } from './public-address.ts';
import {
  allowsPrivateTargets,
  ceilingOf,
  config,
  fees,
  feesOf,
  getMerchant,
  getSection,
  isClosed,
  isClosedNow,
  isPublicHost,
  listMerchants,
  lockMerchant,
  merchantFor,
  merchantsOf,
  pageUrl,
  zoneIn,
  zones,
} from './read.ts';
import { route } from './routing.ts';
import { GATEWAYS, MERCHANTS } from './schema.ts';
import type { SectionName, Sections } from './settings.ts';

export { cashUnitFor } from './cash-rounding.ts';
export { createMerchantDirectory } from './directory.ts';
export { fraudChangeFrom } from './fraud-limits.ts';
export { checkOpen, type Merchant, type NewMerchant } from './merchant.ts';
export { CHALLENGE, PROOF_PATH } from './public-address.ts';
export { hostOf, isLoopback, parsePublicUrl } from './public-url.ts';
export { READABLE_GATEWAYS, READABLE_MERCHANTS } from './read-model.ts';
export {
  ClientConfig,
  CutoffTime,
  Fees,
  Gateway,
  GatewayChannels,
  GatewayMode,
  GatewayType,
  HoldMinutes,
  MerchantRecord,
} from './records.ts';
export { type Route, refusalOf } from './routing.ts';
export type {
  DunningSettings,
  FeeRate,
  FraudSettings,
  LateFeeSettings,
  MerchantSettings,
  ReminderSettings,
  ReminderStep,
  RoutingRule,
  SectionName,
} from './settings.ts';
export { PermissionsIn, RulesIn, SECTIONS } from './settings.ts';

export const TABLES = [MERCHANTS, GATEWAYS];

/** Merchants of a tenant with their settings and gateways. */
export type Merchants = ReturnType<typeof createMerchants>;

export function createMerchants(given: MerchantDependencies) {
  const deps: Dependencies = { ...given, merchantsByRow: new WeakMap() };
  const { seal: _, credentialsOf: __, ...accounts } = deps.directory.accounts;
  return {
    gateways: {
      ...accounts,
      ...bind(deps, { types: gatewayTypes, page: listGateways, add: addGateway, update: updateGateway }),
      ...bind(deps, { check: checkGateway, remove: removeGateway }),
    },
    ...bind(deps, { pageUrl, isPublicHost, merchantFor, get: getMerchant, merchantsOf, page: listMerchants, begin: beginMerchant }),
    ...bind(deps, { create: createMerchant, update: updateMerchant, close: closeMerchant, reopen: reopenMerchant }),
    /** Returns a settings object. */
    section: <Name extends SectionName>(actor: Caller, merchantId: string, name: Name) => getSection(deps, actor, merchantId, name),
    /** Changes the given fields of a settings object, effective with the next request. Returns the whole object. */
    changeSection: <Name extends SectionName>(actor: Actor, merchantId: string, name: Name, requested: Partial<Sections[Name]>) =>
      changeSection(deps, actor, merchantId, name, requested),
    ...bind(deps, { route, config, feesOf, fees, zones, isClosed, isClosedNow, ceilingOf, allowsPrivateTargets }),
    ...bind(deps.addressCheck, { proveAddress, addressProblem }),
    zoneIn,
    lock: lockMerchant,
    /** Drops the cached rows of a tenant, after a job has changed them. */
    clearCache: (tenantId: string) => deps.directory.rows.changed(tenantId, null),
  };
}
