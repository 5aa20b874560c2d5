import { surfaceOf } from './api-client.ts';
import { type ApiFixture, expectData, type Surface } from './server.ts';
import { createMerchant } from './settlements.ts';
import { createUser, type SignedInUser } from './users.ts';

/** The fields of an approval that tests read. */
export interface ApprovalRecord {
  readonly approvalId: string;
  readonly status: string;
  readonly kind: string;
  readonly amount: number | null;
  readonly requestedBy: string;
  readonly decidedBy: string | null;
  readonly decidedVia: string | null;
  readonly resultStatus: number | null;
  readonly result: { readonly success: boolean; readonly data: Record<string, unknown>; readonly error?: { readonly code: string } } | null;
}

export interface Waiting {
  readonly approvalRequired: true;
  readonly approvalId: string;
  readonly expiresAt: string;
  readonly status: string;
}

export interface Person extends SignedInUser {
  /** The Admin surface in the session of the person. */
  readonly as: Surface;
}

/** Creates a user of a merchant, or of all merchants without one, and returns it with its surface. */
export async function createPerson(fixture: ApiFixture, role: string, merchantId?: string, more: object = {}): Promise<Person> {
  const user = await createUser(fixture, role, { ...(merchantId === undefined && { allMerchants: true }), ...more }, merchantId);
  return { ...user, as: surfaceOf(fixture.baseUrl, '/api/v1', () => ({ ...user.headers, 'X-Paydesk-Client': 'screen' })) };
}

/** Creates a cashier of a merchant who may also make unlinked credits. */
export const createClerk = (fixture: ApiFixture, merchantId: string): Promise<Person> =>
  createPerson(fixture, 'cashier', merchantId, {
    permissions: ['transactions', 'refunds', 'credits', 'tenders', 'shifts:read', 'shifts:write'],
  });

interface Staff {
  readonly cashier: Person;
  readonly manager: Person;
}

// One cashier and one manager of all merchants per server: sign-ins are limited by address.
const staffOf = new Map<string, Promise<Staff>>();

async function createStaff(fixture: ApiFixture, merchantId?: string): Promise<Staff> {
  return { cashier: await createPerson(fixture, 'cashier', merchantId), manager: await createPerson(fixture, 'manager', merchantId) };
}

/**
 * Creates a merchant with approval rules, and fields of `merchant`. Its cashier and manager work for all merchants; with `isBound` they are new
 * and work for it only.
 */
export async function createShop(fixture: ApiFixture, rules: object, { isBound = false, merchant = {} } = {}) {
  const merchantId = await createMerchant(fixture, merchant);
  await setRules(fixture, rules, merchantId);
  if (isBound) return { merchantId, ...(await createStaff(fixture, merchantId)) };
  const staff = staffOf.get(fixture.baseUrl) ?? createStaff(fixture);
  staffOf.set(fixture.baseUrl, staff);
  return { merchantId, ...(await staff) };
}

/** Changes the approval rules of a merchant, or of the account. */
export function setRules({ api }: ApiFixture, rules: object, merchantId?: string) {
  const query = merchantId === undefined ? '' : `?merchantId=${merchantId}`;
  return expectData(api.admin.put(`/approvals/rules${query}`, { ...rules, currentPassword: api.adminPassword }));
}

/** Sets the PIN of a person. */
export async function setPin({ as, password }: Person, pin: string): Promise<void> {
  await expectData(as.put('/auth/pin', { pin, currentPassword: password }));
}
