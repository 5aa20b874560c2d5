import { EventEmitter } from 'node:events';
import { type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http';

/** Electron's ClientRequest on Node's: a redirect is only followed on request, and an incomplete body is an error of the request. */
class NetRequest extends EventEmitter {
  private readonly request: ClientRequest;

  constructor(options: RequestOptions) {
    super();
    const { headers, hostname, path, port, method } = options;
    this.request = httpRequest({ headers, hostname, path, port, method });
    this.request.on('response', (response) => {
      const { statusCode = 0, headers: answer } = response;
      if (statusCode >= 300 && statusCode < 400 && answer.location !== undefined) {
        this.emit('redirect', statusCode, method ?? 'GET', answer.location, answer);
        return;
      }
      response.on('error', (cause) => this.emit('error', cause));
      this.emit('response', response);
    });
    // Chromium's name for what Node calls ECONNREFUSED.
    this.request.on('error', () => this.emit('error', new Error('net::ERR_CONNECTION_REFUSED')));
  }

  end(): void {
    this.request.end();
  }

  abort(): void {
    this.request.destroy();
  }
}

export const net = { request: (options: RequestOptions) => new NetRequest(options) };
