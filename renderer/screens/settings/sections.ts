import { queryOptions } from '@tanstack/react-query';
import { api, queryClient, take, takeData } from '#renderer/base/client';
import { EMAIL, SMS } from './channels.ts';

const pathParams = (id: string) => ({ params: { path: { id } } });

/** Reading and changing each settings object; a change sends only fields that differ. */
export const SECTIONS = {
  profile: {
    read: (id: string) => takeData(api.GET('/api/v1/merchants/{id}', pathParams(id))),
    write: (id: string, body: object) => takeData(api.PUT('/api/v1/merchants/{id}', { ...pathParams(id), body: body as never })),
  },
  settings: {
    read: (id: string) => takeData(api.GET('/api/v1/merchants/{id}/settings', pathParams(id))),
    write: (id: string, body: object) => takeData(api.PUT('/api/v1/merchants/{id}/settings', { ...pathParams(id), body: body as never })),
  },
  branding: {
    read: (id: string) => take(api.GET('/api/v1/merchants/{id}/branding', pathParams(id))),
    write: (id: string, body: object) => take(api.PUT('/api/v1/merchants/{id}/branding', { ...pathParams(id), body: body as never })),
  },
  terminal: {
    read: (id: string) => takeData(api.GET('/api/v1/merchants/{id}/vt-settings', pathParams(id))),
    write: (id: string, body: object) =>
      takeData(api.PUT('/api/v1/merchants/{id}/vt-settings', { ...pathParams(id), body: body as never })),
  },
  amounts: {
    read: (id: string) => takeData(api.GET('/api/v1/merchants/{id}/amount-settings', pathParams(id))),
    write: (id: string, body: object) =>
      takeData(api.PUT('/api/v1/merchants/{id}/amount-settings', { ...pathParams(id), body: body as never })),
  },
  fraud: {
    read: (id: string) => takeData(api.GET('/api/v1/merchants/{id}/fraud-settings', pathParams(id))),
    write: (id: string, body: object) =>
      takeData(api.PUT('/api/v1/merchants/{id}/fraud-settings', { ...pathParams(id), body: body as never })),
  },
  dunning: {
    read: (id: string) => takeData(api.GET('/api/v1/merchants/{id}/dunning-settings', pathParams(id))),
    write: (id: string, body: object) =>
      takeData(api.PUT('/api/v1/merchants/{id}/dunning-settings', { ...pathParams(id), body: body as never })),
  },
  reminders: {
    read: (id: string) => takeData(api.GET('/api/v1/merchants/{id}/reminder-settings', pathParams(id))),
    write: (id: string, body: object) =>
      takeData(api.PUT('/api/v1/merchants/{id}/reminder-settings', { ...pathParams(id), body: body as never })),
  },
  lateFees: {
    read: (id: string) => takeData(api.GET('/api/v1/merchants/{id}/late-fee-settings', pathParams(id))),
    write: (id: string, body: object) =>
      takeData(api.PUT('/api/v1/merchants/{id}/late-fee-settings', { ...pathParams(id), body: body as never })),
  },
  ceiling: {
    read: (id: string) => takeData(api.GET('/api/v1/merchants/{id}/permissions', pathParams(id))),
    write: (id: string, body: object) =>
      takeData(api.PUT('/api/v1/merchants/{id}/permissions', { ...pathParams(id), body: body as never })),
  },
  routing: {
    read: (id: string) => takeData(api.GET('/api/v1/merchants/{id}/gateway-routing', pathParams(id))),
    write: (id: string, body: object) =>
      takeData(api.PUT('/api/v1/merchants/{id}/gateway-routing', { ...pathParams(id), body: body as never })),
  },
  approvals: {
    read: (merchantId: string) => takeData(api.GET('/api/v1/approvals/rules', { params: { query: { merchantId } } })),
    write: (merchantId: string, body: object) => takeData(api.PUT('/api/v1/approvals/rules', { params: { query: { merchantId } }, body })),
  },
  accountApprovals: {
    read: (_account: string) => takeData(api.GET('/api/v1/approvals/rules')),
    write: (_account: string, body: object) => takeData(api.PUT('/api/v1/approvals/rules', { body })),
  },
  email: EMAIL,
  sms: SMS,
};

export type SectionName = keyof typeof SECTIONS;
export type ValuesOf<Name extends SectionName> = Awaited<ReturnType<(typeof SECTIONS)[Name]['read']>>;
export type RoutingRule = ValuesOf<'routing'>['rules'][number];
export type FraudSettings = ValuesOf<'fraud'>;

export function sectionQuery<Name extends SectionName>(merchantId: string, name: Name) {
  return queryOptions<ValuesOf<Name>>({
    queryKey: ['settings', merchantId, name],
    queryFn: () => SECTIONS[name].read(merchantId) as Promise<ValuesOf<Name>>,
  });
}

export const createMerchant = (body: { name: string; currency: string; timezone: string }) =>
  takeData(api.POST('/api/v1/merchants', { body }));
export const closeMerchant = (id: string) => takeData(api.DELETE('/api/v1/merchants/{id}', { ...pathParams(id), body: {} }));
export const reopenMerchant = (id: string) => takeData(api.POST('/api/v1/merchants/{id}/reopen', { ...pathParams(id), body: {} }));

/** Merchants that were closed less than 30 days ago. */
export const closedMerchantsQuery = queryOptions({
  queryKey: ['settings', 'closed-merchants'],
  queryFn: async () => {
    const closed = await takeData(api.GET('/api/v1/merchants', { params: { query: { status: 'closed', limit: 200 } } }));
    return closed.filter(({ reopenUntil }) => reopenUntil !== null && Date.parse(reopenUntil) > Date.now());
  },
});

interface SampleSale {
  readonly amount: string;
  readonly cardNumber?: string;
  readonly email?: string;
}

export const simulateRouting = (id: string, body: { rules?: readonly RoutingRule[]; sale?: SampleSale }) =>
  takeData(api.POST('/api/v1/merchants/{id}/gateway-routing/dry-run', { ...pathParams(id), body: body as never }));
export const previewReminders = (id: string, body: object) =>
  takeData(api.POST('/api/v1/merchants/{id}/reminder-settings/dry-run', { ...pathParams(id), body: body as never }));
export type ReminderPreview = Awaited<ReturnType<typeof previewReminders>>;
export const previewLateFees = (id: string, body: object) =>
  takeData(api.POST('/api/v1/merchants/{id}/late-fee-settings/dry-run', { ...pathParams(id), body: body as never }));
export type LateFeePreview = Awaited<ReturnType<typeof previewLateFees>>;
export type SimulatedRoute = Awaited<ReturnType<typeof simulateRouting>>[number];
export const simulateFraudRules = (id: string, body: object) =>
  takeData(api.POST('/api/v1/merchants/{id}/fraud-settings/dry-run', { ...pathParams(id), body: body as never }));
export const rotateSigningKey = () => takeData(api.POST('/api/v1/auth/signing-key/rotate'));

export const refreshSettings = () => queryClient.invalidateQueries({ queryKey: ['settings'] });
