import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, type ErrorCode } from '#core/kernel';
import { addAsset } from '../asset.ts';
import type { Html } from '../html.ts';
import { type Endpoint, endpointsOf, type OpenApiDocument, operationUrl } from './document.ts';
import { changelogPage, errorPage, errorsPage, introductionPage, sandboxPage, webhooksPage } from './guide-pages.ts';
import { type GuideSection, guideUrl, linked, listForReaders, readGuides } from './guides.ts';
import { layoutOf, PAGE_SCRIPT, STYLE_SHEET } from './layout.ts';
import { markdown } from './markdown.ts';
import { operationPage } from './operation-page.ts';
import { permissionsPage } from './permissions-page.ts';

/** Parts that only work in a browser. */
const IGNORED = ['FORM', 'BUTTON', 'DETAILS'];
const HIDDEN_TAB = /<div role="tabpanel"[^>]* hidden>.*?<\/div>/gs;
const LINK = /(\]\(\/docs(?:\/[^)#\s.]*)*)(?=[)#])/g;

/** Returns the main part of a page as Markdown, for programs that read text. Its links lead to other pages in Markdown. */
async function asMarkdown({ markup }: Html): Promise<string> {
  const { NodeHtmlMarkdown } = await import('node-html-markdown');
  const text = NodeHtmlMarkdown.translate(markup.replaceAll(HIDDEN_TAB, ''), { ignore: IGNORED });
  return `${text.replaceAll(LINK, '$1.md')}\n`;
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Ending of the address of a page in Markdown. No ID of an operation has it. */
const MARKDOWN = /\.md$/;

/** Credentials of the demo, for the explorer. */
interface SandboxCredentials {
  readonly tenantId: string;
  readonly merchantId: string;
  readonly apiKey: string;
  readonly adminEmail: string;
  readonly adminPassword: string;
}

/** The OpenAPI document with what is made of it. */
interface Documentation {
  readonly document: OpenApiDocument;
  readonly json: string;
  readonly layout: ReturnType<typeof layoutOf>;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
}

function documentationOf(openApi: unknown, sections: readonly GuideSection[]): Documentation {
  const document = openApi as OpenApiDocument;
  return {
    document,
    json: JSON.stringify(document),
    layout: layoutOf(document, sections),
    endpoints: new Map(endpointsOf(document).map((endpoint) => [endpoint.operation.operationId, endpoint])),
  };
}

/**
 * Serves the documentation from this server alone: it works without a network and loads nothing from other origins. Only programs on this
 * computer get the credentials of the demo. `writeDocument` returns the OpenAPI document. It is called at the first request, because writing
 * the document takes longer than the rest of a server's start.
 */
export function addDocs(app: FastifyInstance, writeDocument: () => unknown, demo?: SandboxCredentials): void {
  let made: Documentation | undefined;
  const documentation = () => (made ??= documentationOf(writeDocument(), sections));
  // Pages do not change while the server runs; each is written when it is first requested.
  const written = new Map<string, string>();
  const sendPage = (reply: FastifyReply, url: string, title: string, main: () => Html) => {
    const text = written.get(url) ?? documentation().layout({ title, url, main: main() });
    written.set(url, text);
    return revalidated(reply).type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(text);
  };
  const sections = readGuides();
  const sendText = (reply: FastifyReply, type: string, text: string) => revalidated(reply).type(`${type}; charset=utf-8`).send(text);
  const sendMarkdown = async (reply: FastifyReply, url: string, main: () => Html) => {
    const text = written.get(`${url}.md`) ?? (await asMarkdown(main()));
    written.set(`${url}.md`, text);
    return sendText(reply, 'text/markdown', text);
  };
  const page = (url: string, title: string, main: () => Html) => {
    app.get(url, (_, reply) => sendPage(reply, url, title, main));
    app.get(`${url}.md`, (_, reply) => sendMarkdown(reply, url, main));
  };
  const send = (reply: FastifyReply, url: string, isMarkdown: boolean, title: string, main: () => Html) =>
    isMarkdown ? sendMarkdown(reply, url, main) : sendPage(reply, url, title, main);
  /** Serves the pages of a folder by one route: several hundred would double the time in which routes are added at the start. */
  const pagesOf = (folder: string, answer: (name: string, isMarkdown: boolean, reply: FastifyReply) => unknown) =>
    app.get<{ Params: { '*': string } }>(`${folder}/*`, ({ params: { '*': name } }, reply) =>
      answer(name.replace(MARKDOWN, ''), MARKDOWN.test(name), reply),
    );

  app.get('/openapi.json', (_, reply) => revalidated(reply).type('application/json; charset=utf-8').send(documentation().json));
  page('/docs', 'Introduction', () => introductionPage(documentation().document));
  page('/docs/sandbox', 'Sandbox cards', sandboxPage);
  page('/docs/errors', 'Error codes', errorsPage);
  pagesOf('/docs/errors', (name, isMarkdown, reply) => {
    if (!Object.hasOwn(ERRORS, name)) return reply.callNotFound();
    const code = name as ErrorCode;
    return send(reply, `/docs/errors/${code}`, isMarkdown, code, () => errorPage(code));
  });
  page('/docs/permissions', 'Permissions', () => permissionsPage(documentation().document));
  page('/docs/webhooks', 'Webhook events', () => webhooksPage(documentation().document));
  page('/docs/changelog', 'Changelog', changelogPage);
  const guides = new Map(sections.flatMap((section) => section.guides.map((guide) => [guide.name, guide] as const)));
  pagesOf(guideUrl('').slice(0, -1), (name, isMarkdown, reply) => {
    const guide = guides.get(name);
    if (guide === undefined) return reply.callNotFound();
    if (isMarkdown) return sendText(reply, 'text/markdown', linked(guide, guides, '.md'));
    return sendPage(reply, guideUrl(name), guide.title, () => markdown(linked(guide, guides, '')));
  });
  app.get('/llms.txt', (_, reply) => sendText(reply, 'text/plain', listForReaders(sections, documentation().endpoints.values())));
  pagesOf(operationUrl('').slice(0, -1), (name, isMarkdown, reply) => {
    const { document, endpoints } = documentation();
    const endpoint = endpoints.get(name);
    if (endpoint === undefined) return reply.callNotFound();
    return send(reply, operationUrl(name), isMarkdown, endpoint.operation.summary, () => operationPage(document, endpoint));
  });

  addAsset(app, STYLE_SHEET);
  addAsset(app, PAGE_SCRIPT);

  app.get('/docs/credentials.json', (request, reply) =>
    reply.type('application/json; charset=utf-8').send(JSON.stringify((isOnThisComputer(request) && demo) || {})),
  );
}

const revalidated = (reply: FastifyReply) => reply.header('cache-control', 'no-cache');

/** Returns true for a connection from this computer. A proxy that forwards requests of others is not one. */
const isOnThisComputer = ({ socket, headers }: FastifyRequest) =>
  /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '') &&
  headers['x-forwarded-for'] === undefined &&
  headers.forwarded === undefined;
