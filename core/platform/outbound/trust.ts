import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/** Returns the TLS settings with the trusted authorities of a client. */
export type Trust = () => SecureContext;

/**
 * Returns the trust in the public authorities and in further certificates in PEM. All connections share one context, which is created on
 * first use: a context with all authorities takes a megabyte outside of the JavaScript heap, so one for each connection would cost the
 * server its memory.
 */
export function createTrust(ca: readonly string[] = []): Trust {
  let context: SecureContext | undefined;
  return () => {
    context ??= createSecureContext({
      minVersion: 'TLSv1.2',
      ...(ca.length === 0 ? {} : { ca: [...getCACertificates('default'), ...ca] }),
    });
    return context;
  };
}
