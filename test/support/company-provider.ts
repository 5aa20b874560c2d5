import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import Provider from 'oidc-provider';

/** An account at the provider of a test. */
export interface ProviderAccount {
  email?: string;
  emailVerified?: boolean;
  name?: string;
  groups?: readonly string[] | undefined;
  /** Further claims. */
  claims?: Readonly<Record<string, unknown>>;
}

/** A provider of OpenID Connect on the loopback address, as a company has one. */
export interface CompanyProvider {
  readonly issuer: string;
  readonly accounts: Map<string, ProviderAccount>;
  /** Changes the body of the next answers of the token endpoint. */
  tamper: ((body: Record<string, unknown>) => Promise<Record<string, unknown>> | Record<string, unknown>) | null;
  /** True while every request gets 503. */
  isDown: boolean;
  /** Number of requests to the token endpoint. */
  tokenRequests: number;
  /** Signs a person in at the address of a sign-in, and returns the answer for the redirect address. */
  signIn(url: string, accountId: string): Promise<Record<string, string>>;
  /** Signs claims with the key of the provider, or with another one that it never published. */
  sign(claims: Record<string, unknown>, options?: { readonly isForeignKey?: boolean; readonly type?: string }): Promise<string>;
  /** Replaces the published key by another one, with which `sign` signs from now on. The provider itself keeps signing with the old one. */
  rotateKey(): Promise<void>;
  stop(): Promise<void>;
}

export const CLIENT_ID = 'paydesk';
export const CLIENT_SECRET = 'a-secret-of-the-provider-for-tests';
const YEAR_S = 31_536_000;
/** The pages of the provider load a typeface from another site. */
const FONTS = /@import url\([^)]*\);?/g;

/** Starts a provider that redirects to the given addresses. */
export async function startCompanyProvider(redirectUris: readonly string[]): Promise<CompanyProvider> {
  let keys = await generateKeyPair('RS256', { extractable: true });
  let keyId = 'first';
  /** Set of keys in place of the provider's own. */
  let published: JWK | null = null;
  const foreign = await generateKeyPair('RS256', { extractable: true });
  const signingKey: JWK = { ...(await exportJWK(keys.privateKey)), kid: 'first', alg: 'RS256', use: 'sig' };
  const accounts = new Map<string, ProviderAccount>();
  let listener: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  const issuer = `http://127.0.0.1:${address.port}`;

  const claimsOf = (id: string) => {
    const account = accounts.get(id);
    return {
      sub: id,
      ...(account?.email === undefined ? {} : { email: account.email, email_verified: account.emailVerified ?? true }),
      ...(account?.name === undefined ? {} : { name: account.name }),
      ...(account?.groups === undefined ? {} : { groups: account.groups }),
      ...account?.claims,
    };
  };
  const lifetime = () => YEAR_S;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: redirectUris,
        post_logout_redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        application_type: 'native',
      },
    ],
    claims: { openid: ['sub', 'groups', 'hasgroups', '_claim_names', 'hd'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    findAccount: (_: unknown, id: string) => (accounts.has(id) ? { accountId: id, claims: async () => claimsOf(id) } : undefined),
    issueRefreshToken: async () => true,
    features: { devInteractions: { enabled: true } },
    jwks: { keys: [signingKey] },
    cookies: { keys: ['cookie-key-of-a-test'] },
    ttl: {
      AccessToken: lifetime,
      AuthorizationCode: lifetime,
      IdToken: lifetime,
      RefreshToken: lifetime,
      Session: lifetime,
      Interaction: lifetime,
      Grant: lifetime,
    },
  });
  listener = provider.callback();

  const company: CompanyProvider = {
    issuer,
    accounts,
    tamper: null,
    isDown: false,
    tokenRequests: 0,
    async signIn(url, accountId) {
      const cookies = new Map<string, string>();
      const send = async (target: string, init: RequestInit = {}): Promise<Response> => {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(target, { redirect: 'manual', ...init, headers: { ...init.headers, cookie } });
        for (const set of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        return answer;
      };
      const submit = (target: string, fields: Record<string, string>) =>
        send(target, {
          method: 'POST',
          body: new URLSearchParams(fields).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
      let target = url;
      for (let step = 0; step < 12; step += 1) {
        const parsed = new URL(target);
        if (parsed.origin !== issuer || parsed.pathname === '/company-sign-in') return Object.fromEntries(parsed.searchParams);
        let answer = await send(target);
        if (answer.status === 200) {
          const page = await answer.text();
          const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
          const action = /action="([^"]+)"/.exec(page)?.[1] ?? target;
          answer = await submit(action, prompt === 'login' ? { prompt, login: accountId, password: 'any' } : { prompt });
        }
        target = new URL(answer.headers.get('location') ?? '', target).href;
      }
      throw new Error('the provider did not redirect');
    },
    sign: (claims, { isForeignKey = false, type } = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: isForeignKey ? 'never-published' : keyId, ...(type === undefined ? {} : { typ: type }) })
        .sign(isForeignKey ? foreign.privateKey : keys.privateKey),
    async rotateKey() {
      keys = await generateKeyPair('RS256', { extractable: true });
      keyId = 'second';
      published = { ...(await exportJWK(keys.publicKey)), kid: keyId, alg: 'RS256', use: 'sig' };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (company.isDown) return void response.writeHead(503).end();
    if (request.url === '/jwks' && published !== null)
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [published] }));
    const isToken = request.url === '/token';
    if (isToken) company.tokenRequests += 1;
    const { tamper } = company;
    const end = response.end.bind(response);
    response.end = ((body?: unknown) => {
      const text = Buffer.isBuffer(body) ? body.toString() : String(body ?? '');
      if (!isToken || tamper === null) {
        const page = text.replaceAll(FONTS, '');
        if (page === text) return body === undefined ? end() : end(body);
        response.removeHeader('content-length');
        return end(page);
      }
      void Promise.resolve(tamper(JSON.parse(text) as Record<string, unknown>)).then((changed) => {
        response.removeHeader('content-length');
        end(JSON.stringify(changed));
      });
      return response;
    }) as typeof response.end;
    listener?.(request, response);
  }
  return company;
}
