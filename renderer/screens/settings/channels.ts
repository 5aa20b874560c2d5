import { api, messageChannelsQuery, queryClient, takeData } from '#renderer/base/client';

const SECURITIES = ['starttls', 'tls', 'none'] as const;

/** Form of the mail server. An empty password keeps the saved one. */
export interface EmailForm {
  readonly host: string;
  readonly port: number | null;
  readonly security: (typeof SECURITIES)[number];
  readonly user: string;
  readonly password: string;
  readonly fromName: string;
  readonly fromAddress: string;
  readonly replyTo: string;
}

/** Form of the text message provider. An empty token keeps the saved one. */
export interface SmsForm {
  readonly accountSid: string;
  readonly authToken: string;
  readonly from: string;
  readonly apiUrl: string;
}

const NEW_EMAIL: EmailForm = {
  host: '',
  port: 587,
  security: 'starttls',
  user: '',
  password: '',
  fromName: '',
  fromAddress: '',
  replyTo: '',
};
const NEW_SMS: SmsForm = { accountSid: '', authToken: '', from: '', apiUrl: '' };
/** Default address, which the form leaves empty. */
const DEFAULT_API_URL = 'https://api.twilio.com';

const channels = () => queryClient.fetchQuery(messageChannelsQuery);
const orNull = (text: string) => (text.trim() === '' ? null : text.trim());

/** Email settings of the tenant. */
export const EMAIL = {
  read: async (): Promise<EmailForm> => {
    const found = (await channels()).find((one) => one.channel === 'email');
    if (found?.channel !== 'email' || found.settings === null) return NEW_EMAIL;
    const { host, port, security, user, fromName, fromAddress, replyTo } = found.settings;
    return { host, port, security, user: user ?? '', password: '', fromName: fromName ?? '', fromAddress, replyTo: replyTo ?? '' };
  },
  write: async (_: string, changes: Partial<EmailForm>) => {
    const { port, password, user, fromName, replyTo, ...rest } = await withDefaults('email', NEW_EMAIL, changes);
    const body = {
      ...rest,
      ...(port !== undefined && port !== null && { port }),
      ...(user !== undefined && { user: orNull(user) }),
      ...(password !== undefined && password !== '' && { password }),
      ...(fromName !== undefined && { fromName: orNull(fromName) }),
      ...(replyTo !== undefined && { replyTo: orNull(replyTo) }),
    };
    return takeData(api.PUT('/api/v1/notifications/channels/email', { body }));
  },
};

/** Text message settings of the tenant. */
export const SMS = {
  read: async (): Promise<SmsForm> => {
    const found = (await channels()).find((one) => one.channel === 'sms');
    if (found?.channel !== 'sms' || found.settings === null) return NEW_SMS;
    const { accountSid, from, apiUrl } = found.settings;
    return { accountSid, authToken: '', from, apiUrl: apiUrl === DEFAULT_API_URL ? '' : apiUrl };
  },
  write: async (_: string, changes: Partial<SmsForm>) => {
    const { authToken, apiUrl, ...rest } = await withDefaults('sms', NEW_SMS, changes);
    const body = {
      ...rest,
      ...(authToken !== undefined && authToken !== '' && { authToken }),
      ...(apiUrl !== undefined && { apiUrl: orNull(apiUrl) }),
    };
    return takeData(api.PUT('/api/v1/notifications/channels/sms', { body }));
  },
};

/** Returns the changed values; at the first setup all values of the form. */
async function withDefaults<Form extends object>(channel: 'email' | 'sms', fresh: Form, changes: Partial<Form>): Promise<Partial<Form>> {
  const known = (await channels()).find((one) => one.channel === channel);
  return known?.isSetUp ? changes : { ...fresh, ...changes };
}

const pathParams = (channel: string) => ({ params: { path: { channel } } });

/** Sends a real message immediately. Returns the server's error text, or nothing after a success. */
export const sendTest = (channel: string, to: string) =>
  takeData(api.POST('/api/v1/notifications/channels/{channel}/test', { ...pathParams(channel), body: { to } }));

/** Removes the settings of a channel. */
export const removeChannel = (channel: string) => takeData(api.DELETE('/api/v1/notifications/channels/{channel}', pathParams(channel)));
