import { EventEmitter } from 'node:events';
import type { Session as ElectronSession } from 'electron';

type RequestHandler = Parameters<ElectronSession['setPermissionRequestHandler']>[0];
type CheckHandler = Parameters<ElectronSession['setPermissionCheckHandler']>[0];
type DeviceHandler = Parameters<ElectronSession['setDevicePermissionHandler']>[0];
type BeforeRequest = (details: { url: string }, answer: (response: { cancel?: boolean }) => void) => void;
type HeadersReceived = (
  details: { url: string; responseHeaders: Record<string, string[]> },
  answer: (response: { responseHeaders?: Record<string, string | string[]> }) => void,
) => void;

/** Electron's session: stores the handlers, which the double's web contents and the tests call. Without a handler, it grants everything, as Electron does. */
class Session extends EventEmitter {
  private requestHandler: RequestHandler = null;
  private checkHandler: CheckHandler = null;
  private deviceHandler: DeviceHandler = null;
  private beforeRequest: BeforeRequest = (_details, answer) => answer({});
  private headersReceived: HeadersReceived = (_details, answer) => answer({});

  readonly webRequest = {
    onBeforeRequest: (handler: BeforeRequest) => {
      this.beforeRequest = handler;
    },
    onHeadersReceived: (handler: HeadersReceived) => {
      this.headersReceived = handler;
    },
  };

  setPermissionRequestHandler(handler: RequestHandler): void {
    this.requestHandler = handler;
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    this.checkHandler = handler;
  }

  setDevicePermissionHandler(handler: DeviceHandler): void {
    this.deviceHandler = handler;
  }

  /** Returns, for tests, what a page at `url` is granted when it requests a permission, checks it and chooses a device. */
  checkPermission(permission: string, url: string, isMainFrame: boolean): { requested: boolean; checked: boolean; device: boolean } {
    let requested = this.requestHandler === null;
    const details = { requestingUrl: url, isMainFrame };
    this.requestHandler?.(
      {} as never,
      permission as never,
      (granted) => {
        requested = granted;
      },
      details as never,
    );
    const checked = this.checkHandler?.(null, permission as never, url, details as never) ?? true;
    const device = this.deviceHandler?.({ deviceType: 'usb', origin: url, device: {} } as never) ?? true;
    return { requested, checked, device };
  }

  mayLoad(url: string): Promise<boolean> {
    return new Promise((resolve) => this.beforeRequest({ url }, ({ cancel }) => resolve(!cancel)));
  }

  headersFor(url: string, responseHeaders: Record<string, string[]>): Promise<Record<string, string | string[]>> {
    return new Promise((resolve) => {
      this.headersReceived({ url, responseHeaders }, (response) => resolve(response.responseHeaders ?? responseHeaders));
    });
  }
}

const others = new Map<string, Session>();

export const session = {
  defaultSession: new Session(),
  fromPartition(name: string): Session {
    const known = others.get(name) ?? new Session();
    others.set(name, known);
    return known;
  },
};

export type DoubleSession = Session;
